/* copies.h - which bytes of the device did the host write? In the order in which it did, the newest last. */
#ifndef WS_COPIES_H
#define WS_COPIES_H

#include <stddef.h>
#include <stdint.h>

/* More than these are not kept: the oldest go. */
enum { WS_COPIES_MOST = 1 << 16 };

typedef struct ws_copy {
    uint64_t address, bytes;
} ws_copy;

/* All 0: none. */
typedef struct ws_copies {
    ws_copy *list;
    size_t count, room;
} ws_copies;

/* One that goes on where the last ended becomes one with it; `bytes` 0 is none. WS_EMEM: it is not kept. */
int ws_copies_add(ws_copies *copies, uint64_t address, uint64_t bytes);
void ws_copies_fini(ws_copies *copies); /* there are none then, and it may be used again */

#endif
