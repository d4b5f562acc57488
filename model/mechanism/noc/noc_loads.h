/* noc_loads.h - loads for `model noc`: patterns, what a simulation's networks carried, what profiles say of workloads.
 */
#ifndef WS_NOC_LOADS_H
#define WS_NOC_LOADS_H

#include "base/frame.h"
#include "model/mechanism/noc/noc_variant.h"
#include "model/mechanism/work_rows.h"

/* Of a row, one after the other: kept of the rows of cases (ws_work_rows). */
typedef struct ws_noc_loads {
    ws_noc_load *load;
    size_t loads, room;
} ws_noc_loads;
void ws_noc_cases_free(ws_work_rows *cases);

/* `bytes` of answers a network cycle, a request for each, to memory or from any node to any. WS_EMEM. */
int ws_noc_add_pattern(ws_work_rows *cases, const ws_machine *machine, const char *name, bool uniform, double bytes);

/* The frames of `sim --traffic` (model/sim/network/traffic.h), a case for each workload. Reads are what they say, other
 * messages that carry data are taken as a line each, the rest as headers. WS_EINPUT for a frame without these columns,
 * with nodes that the machine does not have, or from several chips. */
int ws_noc_add_traffic(ws_work_rows *cases, const ws_machine *machine, const char *path);

/* A case for each workload of a results file that has profiles: packets, bytes and time of closed forms of coherence,
 * spread evenly. Messages are taken to be headers and headers with a line, so many of each that packets and bytes are
 * right. Notes go to `notes`. */
int ws_noc_add_profiles(ws_work_rows *cases, const ws_machine *machine, const char *db, ws_frame *notes);

#endif
