/* cache_runs.h - streams that closed forms of misses need, from the accesses of launches. */
#ifndef WS_CACHE_RUNS_H
#define WS_CACHE_RUNS_H

#include "model/access_log.h"
#include "model/mechanism/sharing/cache_streams.h"
#include "model/placement/placement.h"

/* What streams need of a machine. `merges`: loads of a shared block that come sooner than an idle L2 answers, its way
 * there not counted, wait for one another. */
ws_sharing_caches ws_sharing_caches_of(const ws_machine *machine, bool merges);

/* The accesses of a launch by a placement of its CTAs, `places` to an SM, in an order without time; then the launch is
 * over. Of a log that holds but the first of its CTAs, counts are scaled. Adds to the sums. WS_EMEM. */
int ws_cache_streams_run(ws_cache_streams *streams, const ws_access_log *log, const ws_placement *placement,
                         ws_sharing_misses *sums);

#endif
