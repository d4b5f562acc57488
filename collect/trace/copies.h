/* copies.h - device memory ranges that the host wrote, in order of the writes, the newest last. */
#ifndef WS_COPIES_H
#define WS_COPIES_H

#include <stddef.h>
#include <stdint.h>

/* Limit of the list; the oldest entries are dropped. */
enum { WS_COPIES_MOST = 1 << 16 };

typedef struct ws_copy {
    uint64_t address, bytes;
} ws_copy;

/* A zeroed list is empty. */
typedef struct ws_copies {
    ws_copy *list;
    size_t count, room;
} ws_copies;

/* Adds a range. A range that continues the last one is merged with it; `bytes` of 0 adds nothing. On WS_EMEM the range
 * is not added. */
int ws_copies_add(ws_copies *copies, uint64_t address, uint64_t bytes);
void ws_copies_fini(ws_copies *copies); /* leaves an empty list that may be reused */

#endif
