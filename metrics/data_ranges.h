/* data_ranges.h - data structures of a launch, and whether each part of its grid uses a separate range of them.
 *
 * Events do not contain allocations. All bytes between the lowest and the highest line of an instruction's accesses
 * count as one structure. Ranges less than 256 bytes apart, the alignment of allocations, are merged. An instruction
 * that accesses several arrays therefore merges them. */
#ifndef WS_DATA_RANGES_H
#define WS_DATA_RANGES_H

#include "metrics/touched_pages.h"

#include "collect/trace/event.h"

/* Range of 64-byte lines, from low to high; valid if `there`. */
typedef struct ws_data_range {
    uint64_t low, high;
    bool there;
} ws_data_range;

typedef struct ws_data_ranges {
    ws_data_range (*of)[WS_GRID_PARTS]; /* [instrs] by instruction and part */
} ws_data_ranges;

typedef struct ws_data_structures {
    uint64_t all, written;
    uint64_t apart; /* structures in which no two parts' ranges share a line */
} ws_data_structures;

/* Initializes the ranges of a launch. Free with ws_data_ranges_fini. Returns WS_OK or WS_EMEM. */
int ws_data_ranges_init(ws_data_ranges *ranges, const ws_launch *launch);
void ws_data_ranges_fini(ws_data_ranges *ranges);

void ws_data_ranges_use(ws_data_ranges *ranges, uint32_t pc, unsigned part, const uint64_t *line, unsigned lines);
void ws_data_ranges_join(ws_data_ranges *into, const ws_data_ranges *from, const ws_launch *launch);

/* Counts the structures. Returns WS_OK or WS_EMEM. */
int ws_data_ranges_count(const ws_data_ranges *ranges, const ws_launch *launch, ws_data_structures *out);

#endif
