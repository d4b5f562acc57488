/* warp_round.h - lines that a warp uses between two executions of the same load, and the number of such warps that fit
 * a cache.
 *
 * A round of a warp ends before a load instruction that it has already executed in that round. It is an iteration of
 * the innermost loop, or the whole execution of a warp without loops. A round keeps its distinct lines and their sets
 * in a cache (set_load.h), separately for divergent and other loads. Lines beyond WS_ROUND_LINES of a round, more than
 * the cache has, count as new each time. */
#ifndef WS_WARP_ROUND_H
#define WS_WARP_ROUND_H

#include "metrics/set_load.h"

#include <stdbool.h>

enum { WS_ROUND_LINES = WS_SETS * WS_SET_WAYS, WS_ROUND_SLOTS = 2 * WS_ROUND_LINES };

typedef struct ws_round_sums {
    uint64_t rounds, lines;
    uint64_t divergent;       /* rounds with a divergent load */
    uint64_t fit[WS_SET_BYS]; /* for those rounds: the number of such warps that the cache holds whole, summed */
} ws_round_sums;

typedef struct ws_warp_round {
    uint32_t stamp; /* of this round; slots with another stamp are free */
    uint32_t lines; /* distinct lines */
    bool divergent;
    uint32_t others; /* lines of non-divergent loads; the first WS_ROUND_LINES of them are in `other` */
    uint8_t own[WS_SET_BYS][WS_SETS];          /* lines of divergent loads per set; saturates at 255 */
    uint8_t other[WS_ROUND_LINES][WS_SET_BYS]; /* their sets, counted at the end of a round with a divergent load */
    uint32_t slot_stamp[WS_ROUND_SLOTS];
    uint64_t slot[WS_ROUND_SLOTS];
} ws_warp_round;

/* Starts a round; a zeroed one is valid input. The current round, if any, is added to the sums. */
void ws_round_begin(ws_warp_round *round, ws_round_sums *sums);

/* Adds a load of the warp; set[by][i] is the set of line[i]. */
void ws_round_use(ws_warp_round *round, const uint64_t *line, unsigned lines, bool divergent,
                  const uint8_t (*set)[WS_SET_BYS]);

#endif
