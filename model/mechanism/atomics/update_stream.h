/* update_stream.h - in which order do SMs do what a log of CTAs has, when it is known which SM has each?
 *
 * A warp does an instruction a step, those of all CTAs of an SM side by side; a CTA begins when the one whose place it
 * takes has ended. That is the order of warps in turn on a machine without latencies, so it is no more than a guess at
 * a simulation's. */
#ifndef WS_UPDATE_STREAM_H
#define WS_UPDATE_STREAM_H

#include "model/mechanism/atomics/update_log.h"

/* Where CTAs run: sm[ctas], and order[ctas] in which they start; `places` of an SM. */
typedef struct ws_update_places {
    uint32_t sms, places;
    const uint32_t *sm;
    const uint64_t *order;
} ws_update_places;

/* A record of the log in its place. */
typedef struct ws_update_step {
    uint64_t time;
    uint32_t sm, rank; /* rank: of its CTA among those of the launch, as they start */
    size_t record;
} ws_update_step;

/* All records in the order of time, SM, CTA, warp; the caller frees *out. WS_EMEM. */
int ws_update_order(const ws_update_log *log, const ws_update_places *places, ws_update_step **out);

#endif
