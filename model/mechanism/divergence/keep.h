/* keep.h - how many warps of a launch does a cache keep whole? */
#ifndef WS_DIVERGENCE_KEEP_H
#define WS_DIVERGENCE_KEEP_H

#include "model/mechanism/divergence/walk.h"

/* Warps of an SM that come one after the other, the oldest first, each with the lines that it loads in a turn of its
 * loop, until a set of the L1 would have more than its ways (FCW_max; the trace's bound on what any replacement can
 * keep). A turn ends before a load instruction that it has executed; the first turn but one with a divergent load of
 * the oldest warp counts. 0 also for launches without such a turn. WS_EINPUT as for ws_walk_create, WS_EMEM. */
int ws_walk_keeps(const ws_walk_machine *machine, const ws_access_log *log, const ws_launch *launch, uint32_t *warps);

#endif
