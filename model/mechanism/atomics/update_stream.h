/* update_stream.h - in which order do SMs do what a log of CTAs has, when it is known which SM has each?
 *
 * A warp does an instruction a step, those of all CTAs of an SM side by side; a CTA begins when the one whose place it
 * takes has ended. That is the order of warps in turn on a machine without latencies, so it is no more than a guess at
 * a simulation's. */
#ifndef WS_UPDATE_STREAM_H
#define WS_UPDATE_STREAM_H

#include "model/mechanism/atomics/update_log.h"
#include "model/placement/placement.h"

/* A record of the log in its place. */
typedef struct ws_update_step {
    uint64_t time;
    uint32_t sm, rank; /* rank: of its CTA among those of the launch, as they start */
    uint32_t record;
    uint16_t warp;
} ws_update_step;

/* All records, less than 2^32, in the order of time, SM, CTA, warp; the caller frees *out. Of the placement sms,
 * places, sm and order are read. WS_EMEM. */
int ws_update_order(const ws_update_log *log, const ws_placement *placement, ws_update_step **out);

#endif
