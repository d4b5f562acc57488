/* sm_cache.h - the caches of an SM, as messages between an SM and the memory side name them. */
#ifndef WS_SM_CACHE_H
#define WS_SM_CACHE_H

/* Which cache of an SM a message belongs to: ws_coherence_message.unit. */
enum { WS_SM_DATA, WS_SM_TEXTURE, WS_SM_CONSTANT, WS_SM_CACHES };
/* ... in its lower half; the upper one says which part of a line of L2 a read-only cache means. */
enum { WS_SM_UNIT_CACHE = 15, WS_SM_UNIT_PART = 4 };

#endif
