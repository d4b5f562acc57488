/* update_stream.h - order in which SMs process the records of a log of CTAs, with a known placement.
 *
 * A warp executes an instruction per step, in parallel for all CTAs of an SM. A CTA begins when the one in its slot has
 * ended. This is the order of warps in turn on a machine without latencies, so it only approximates that of a
 * simulation. */
#ifndef WS_UPDATE_STREAM_H
#define WS_UPDATE_STREAM_H

#include "model/mechanism/atomics/update_log.h"
#include "model/placement/placement.h"

/* Record of the log with its position. */
typedef struct ws_update_step {
    uint64_t time;
    uint32_t sm, rank; /* rank: of its CTA in the launch, in the order of starts */
    uint32_t record;
    uint16_t warp;
} ws_update_step;

/* Orders all records, fewer than 2^32, by time, SM, CTA and warp; the caller frees *out. Uses sms, places, sm and order
 * of the placement. WS_EMEM. */
int ws_update_order(const ws_update_log *log, const ws_placement *placement, ws_update_step **out);

#endif
