/* cache_runs.h - access streams of launches for closed forms of misses. */
#ifndef WS_CACHE_RUNS_H
#define WS_CACHE_RUNS_H

#include "model/access_log.h"
#include "model/mechanism/sharing/cache_streams.h"
#include "model/placement/placement.h"

/* Returns the parameters of streams for a machine. `merges`: loads of a shared block within the answer time of an idle
 * L2, without the request's way, merge. */
ws_sharing_caches ws_sharing_caches_of(const ws_machine *machine, bool merges);

/* Runs the accesses of a launch through a placement of its CTAs, `places` per SM, in an order without time, and ends
 * the launch. Counts of a log with only the first CTAs are scaled. Adds to the sums. WS_EMEM. */
int ws_cache_streams_run(ws_cache_streams *streams, const ws_access_log *log, const ws_placement *placement,
                         ws_sharing_misses *sums);

#endif
