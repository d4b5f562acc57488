/* touched_pages.h - which part of a grid touches and writes which lines of which pages, and what would an L2 of several
 * sizes, of all or of a chiplet, still have of them?
 *
 * The grid is cut into four runs of thread blocks: chunks of a machine of four chiplets, two by two those of one of two
 * (P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, 5.4: static partitioning). Pages
 * and lines are those of its table 5.1 and section 5.4: 4 KB and 64 bytes. The L2 is one of 8, 16, 32 MB, as much as
 * one, two, four of its chiplets have, fully associative, LRU; all accesses come to it, in the order of thread blocks.
 * That order can be cut anywhere: of a run of blocks it is kept which lines it uses first and which it used last, part
 * by part of the grid, for these come one after another. */
#ifndef WS_TOUCHED_PAGES_H
#define WS_TOUCHED_PAGES_H

#include "base/lru.h"
#include "base/table.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WS_PAGE_SHIFT = 12,
    WS_PAGE_LINE_SHIFT = 6,
    WS_PAGE_LINES = 1 << (WS_PAGE_SHIFT - WS_PAGE_LINE_SHIFT), /* as many as bits of a word */
    WS_GRID_PARTS = 4,
    WS_L2_SIZES = 3,
    WS_L2_LINES = 1 << 17, /* of the smallest: 8 MB */
    WS_L2_MOST_LINES = WS_L2_LINES << (WS_L2_SIZES - 1),
    WS_PAGES_MOST_LINES = 1 << 23 /* of a launch, summed over its parts: 512 MB; beyond nothing is known of the L2 */
};

/* By parts. */
typedef struct ws_page {
    uint64_t touched[WS_GRID_PARTS], written[WS_GRID_PARTS]; /* a bit for each line */
    uint64_t requests[WS_GRID_PARTS];                        /* lines asked for by accesses of warps */
    uint64_t first[WS_GRID_PARTS]; /* 1 + number in the part of the thread block that was first; 0: none */
} ws_page;

/* Uses of lines by a part of the grid. */
typedef struct ws_line_stream {
    uint64_t *first; /* lines in the order of their first use by the part */
    size_t firsts, room;
    ws_lru recent;
    uint64_t missed[WS_L2_SIZES]; /* requests of lines that the part used before: those that an L2 has no more */
} ws_line_stream;

typedef struct ws_touched_pages {
    ws_table page; /* number -> ws_page */
    ws_line_stream part[WS_GRID_PARTS];
    size_t firsts; /* of all parts */
    uint64_t requests;
    bool overflowed; /* more lines than WS_PAGES_MOST_LINES: pages are still right */
} ws_touched_pages;

void ws_touched_pages_init(ws_touched_pages *pages);
void ws_touched_pages_fini(ws_touched_pages *pages);

/* A warp of thread block number `place` of a part uses a line (address / 64). WS_EMEM. */
int ws_touched_pages_use(ws_touched_pages *pages, uint64_t line, unsigned part, uint64_t place, bool writes);

/* What `from` did, behind all that `into` did. WS_EMEM. */
int ws_touched_pages_append(ws_touched_pages *into, const ws_touched_pages *from);

/* An L2, and whose requests come to it: of parts `from` .. `from` + `parts` - 1, to lines of pages that `keeps` says;
 * NULL: of all. */
typedef struct ws_l2_view {
    unsigned from, parts;
    bool (*keeps)(void *context, uint64_t page);
    void *context;
} ws_l2_view;

/* What it has for them. */
typedef struct ws_l2_uses {
    uint64_t firsts;              /* lines that are used for the first time in the launch */
    uint64_t found[WS_L2_SIZES];  /* of these: it has them from before */
    uint64_t missed[WS_L2_SIZES]; /* later requests: it has the line no more. Whatever `keeps` says, within a part lines
                                     of all pages take room */
} ws_l2_uses;

/* The launch comes behind others that left `l2` (ws_lru_init with WS_L2_MOST_LINES, or WS_L2_LINES for the smallest
 * size alone), which is then what this one leaves. WS_EMEM. */
int ws_touched_pages_follow(const ws_touched_pages *pages, const ws_l2_view *view, ws_lru *l2, ws_l2_uses *uses);

#endif
