/* warp_round.h - which lines does a warp use between two executions of the same load, and how many such warps fit a
 * cache?
 *
 * A round of a warp ends before a load instruction that it has already executed in that round: an iteration of its
 * innermost loop, or the whole of a warp without loops. Of a round its distinct lines are kept, and where they lie in
 * the sets of a cache (set_load.h), apart for divergent and other loads. Lines beyond WS_ROUND_LINES of a round, more
 * than the cache has, are taken as new each time. */
#ifndef WS_WARP_ROUND_H
#define WS_WARP_ROUND_H

#include "metrics/set_load.h"

#include <stdbool.h>

enum { WS_ROUND_LINES = WS_SETS * WS_SET_WAYS, WS_ROUND_SLOTS = 2 * WS_ROUND_LINES };

typedef struct ws_round_sums {
    uint64_t rounds, lines;
    uint64_t divergent;       /* rounds with a divergent load ... */
    uint64_t fit[WS_SET_BYS]; /* ... and how many warps like it the cache holds whole, summed */
} ws_round_sums;

typedef struct ws_warp_round {
    uint32_t stamp; /* of this round: slots with another are free */
    uint32_t lines; /* distinct ones */
    bool divergent;
    uint32_t others; /* lines of other than divergent loads, the first WS_ROUND_LINES of them in `other` */
    uint8_t own[WS_SET_BYS][WS_SETS];          /* lines of divergent loads in each set; stays at 255 */
    uint8_t other[WS_ROUND_LINES][WS_SET_BYS]; /* their sets: counted when a round ends that asks for them */
    uint32_t slot_stamp[WS_ROUND_SLOTS];
    uint64_t slot[WS_ROUND_SLOTS];
} ws_warp_round;

/* A zeroed one is ready after this; the round that is under way, if any, is added to the sums. */
void ws_round_begin(ws_warp_round *round, ws_round_sums *sums);

/* A load of the warp; set[by][i] is the set of line[i]. */
void ws_round_use(ws_warp_round *round, const uint64_t *line, unsigned lines, bool divergent,
                  const uint8_t (*set)[WS_SET_BYS]);

#endif
