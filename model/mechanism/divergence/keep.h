/* keep.h - number of warps of a launch whose lines a cache holds entirely. */
#ifndef WS_DIVERGENCE_KEEP_H
#define WS_DIVERGENCE_KEEP_H

#include "model/mechanism/divergence/walk.h"

/* Adds the warps of an SM, oldest first, each with the lines that it loads in a turn of its loop, until a set of the L1
 * would exceed its ways (FCW_max; the trace's bound for any replacement). A turn ends before a load instruction that it
 * has already executed. The turn used is the second or a later one, the first with a divergent load of the oldest warp.
 * *warps is also 0 for launches without such a turn. WS_EINPUT as for ws_walk_create, WS_EMEM. */
int ws_walk_keeps(const ws_walk_machine *machine, const ws_access_log *log, const ws_launch *launch, uint32_t *warps);

#endif
