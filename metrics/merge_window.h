/* merge_window.h - could an access share a request that is still under way?
 *
 * A window watches a stream of memory blocks. An access is mergeable when fewer than WS_WINDOW_BLOCKS other blocks were
 * touched since its own block was touched last (of a window with a limit: fewer than that): the blocks used most recently stand for requests in flight,
 * without a clock. Two windows over consecutive pieces of a stream join to exactly the window over the whole. */
#ifndef WS_MERGE_WINDOW_H
#define WS_MERGE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_WINDOW_BLOCKS = 256, WS_WINDOW_BUCKETS = 512 };

typedef struct ws_window_entry {
    uint64_t block;
    uint16_t newer, older; /* entries by recency; 0 ends the list */
    uint16_t next;         /* in the bucket */
} ws_window_entry;

/* All zero is an empty window. Entries are numbered from 1. */
typedef struct ws_window {
    uint64_t mergeable; /* accesses that were, so far */
    uint32_t limit;     /* blocks that it remembers, up to WS_WINDOW_BLOCKS; 0 reads as that. Set before the first touch */
    uint32_t entries, firsts;
    uint16_t newest, oldest;
    uint16_t bucket[WS_WINDOW_BUCKETS];
    ws_window_entry entry[WS_WINDOW_BLOCKS + 1];
    uint64_t first[WS_WINDOW_BLOCKS]; /* the first distinct blocks, in order of their first touch */
} ws_window;

/* One access to a block. Returns whether it was mergeable, and counts it. */
bool ws_window_touch(ws_window *window, uint64_t block);

/* `into` becomes the window of its own stream followed by the stream of `from`. */
void ws_window_join(ws_window *into, const ws_window *from);

#endif
