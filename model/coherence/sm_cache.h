/* sm_cache.h - names of an SM's caches in messages between an SM and the memory side. */
#ifndef WS_SM_CACHE_H
#define WS_SM_CACHE_H

/* Cache of an SM that a message belongs to: lower half of ws_coherence_message.unit. */
enum { WS_SM_DATA, WS_SM_TEXTURE, WS_SM_CONSTANT, WS_SM_CACHES };
/* Mask of that half; shift of the upper half, the part of an L2 line that a read-only cache requests. */
enum { WS_SM_UNIT_CACHE = 15, WS_SM_UNIT_PART = 4 };

#endif
