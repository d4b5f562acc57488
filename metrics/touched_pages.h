/* touched_pages.h - lines of pages that each part of a grid touches and writes, and their hits in L2s of several sizes.
 *
 * The grid is cut into four runs of thread blocks: the chunks of a machine of four chiplets; pairs of them are those of
 * a machine of two (P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, 5.4: static
 * partitioning). Pages and lines are those of its table 5.1 and section 5.4: 4 KB and 64 bytes. The L2, shared or of a
 * chiplet, has 8, 16 or 32 MB, as much as one, two or four of its chiplets. It is fully associative, LRU, and receives
 * all accesses in the order of thread blocks. That order can be cut anywhere: for each part of the grid and run of
 * blocks, the lines in order of first use and the most recent lines are kept. */
#ifndef WS_TOUCHED_PAGES_H
#define WS_TOUCHED_PAGES_H

#include "base/lru.h"
#include "base/table.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WS_PAGE_SHIFT = 12,
    WS_PAGE_LINE_SHIFT = 6,
    WS_PAGE_LINES = 1 << (WS_PAGE_SHIFT - WS_PAGE_LINE_SHIFT), /* at most the bits of a word */
    WS_GRID_PARTS = 4,
    WS_L2_SIZES = 3,
    WS_L2_LINES = 1 << 17, /* of the smallest: 8 MB */
    WS_L2_MOST_LINES = WS_L2_LINES << (WS_L2_SIZES - 1),
    WS_PAGES_MOST_LINES = 1 << 23 /* of a launch, summed over its parts: 512 MB; beyond it the L2 is not modelled */
};

/* Page, by parts of the grid. */
typedef struct ws_page {
    uint64_t touched[WS_GRID_PARTS], written[WS_GRID_PARTS]; /* one bit per line */
    uint64_t requests[WS_GRID_PARTS];                        /* lines requested by accesses of warps */
    uint64_t first[WS_GRID_PARTS]; /* 1 + number in the part of the first thread block that used it; 0: none */
} ws_page;

/* Uses of lines by one part of the grid. */
typedef struct ws_line_stream {
    uint64_t *first; /* lines in the order of their first use by the part */
    size_t firsts, room;
    ws_lru recent;
    uint64_t missed[WS_L2_SIZES]; /* repeated requests of the part that miss in an L2 */
} ws_line_stream;

typedef struct ws_touched_pages {
    ws_table page; /* number -> ws_page */
    ws_line_stream part[WS_GRID_PARTS];
    size_t firsts; /* over all parts */
    uint64_t requests;
    bool overflowed; /* more lines than WS_PAGES_MOST_LINES; pages are still correct */
} ws_touched_pages;

void ws_touched_pages_init(ws_touched_pages *pages);
void ws_touched_pages_fini(ws_touched_pages *pages);

/* Adds the use of a line (address / 64) by a warp of thread block number `place` of a part. WS_OK or WS_EMEM. */
int ws_touched_pages_use(ws_touched_pages *pages, uint64_t line, unsigned part, uint64_t place, bool writes);

/* Appends the uses of `from` after all uses of `into`. Returns WS_OK or WS_EMEM. */
int ws_touched_pages_append(ws_touched_pages *into, const ws_touched_pages *from);

/* L2, and the requests that it receives: those of parts `from` .. `from` + `parts` - 1, to lines of pages that `keeps`
 * selects; NULL: all pages. */
typedef struct ws_l2_view {
    unsigned from, parts;
    bool (*keeps)(void *context, uint64_t page);
    void *context;
} ws_l2_view;

/* Hits and misses of those requests. */
typedef struct ws_l2_uses {
    uint64_t firsts;              /* lines used for the first time in the launch */
    uint64_t found[WS_L2_SIZES];  /* lines that hit, because earlier launches left them */
    uint64_t missed[WS_L2_SIZES]; /* later requests that miss. Within a part, lines of all pages take space, also those
                                     that `keeps` excludes */
} ws_l2_uses;

/* Runs the launch after others that left `l2` (ws_lru_init with WS_L2_MOST_LINES, or WS_L2_LINES for only the smallest
 * size). `l2` is updated to the state after the launch. Returns WS_OK or WS_EMEM. */
int ws_touched_pages_follow(const ws_touched_pages *pages, const ws_l2_view *view, ws_lru *l2, ws_l2_uses *uses);

#endif
