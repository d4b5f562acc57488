/* data_ranges.h - how many data structures does a launch use, and does each part of its grid keep to a range of its
 * own?
 *
 * Events do not say what was allocated. All that lies between the lowest and the highest line of an instruction's
 * accesses is taken to be of one structure, and so are stretches less than 256 bytes apart, which allocations are
 * aligned to: an instruction that goes through several arrays makes one of them. */
#ifndef WS_DATA_RANGES_H
#define WS_DATA_RANGES_H

#include "metrics/touched_pages.h"

#include "collect/trace/event.h"

/* Lines of 64 bytes: from low to high, when there. */
typedef struct ws_data_range {
    uint64_t low, high;
    bool there;
} ws_data_range;

typedef struct ws_data_ranges {
    ws_data_range (*of)[WS_GRID_PARTS]; /* [instrs] of an instruction, by part */
} ws_data_ranges;

typedef struct ws_data_structures {
    uint64_t all, written;
    uint64_t apart; /* no two parts' ranges have a line in common */
} ws_data_structures;

/* For a launch. Free with ws_data_ranges_fini. WS_EMEM. */
int ws_data_ranges_init(ws_data_ranges *ranges, const ws_launch *launch);
void ws_data_ranges_fini(ws_data_ranges *ranges);

void ws_data_ranges_use(ws_data_ranges *ranges, uint32_t pc, unsigned part, const uint64_t *line, unsigned lines);
void ws_data_ranges_join(ws_data_ranges *into, const ws_data_ranges *from, const ws_launch *launch);

/* WS_EMEM. */
int ws_data_ranges_count(const ws_data_ranges *ranges, const ws_launch *launch, ws_data_structures *out);

#endif
