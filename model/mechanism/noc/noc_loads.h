/* noc_loads.h - loads of `model noc`: patterns, traffic of simulations, and profiles of workloads. */
#ifndef WS_NOC_LOADS_H
#define WS_NOC_LOADS_H

#include "base/frame.h"
#include "model/mechanism/noc/noc_variant.h"
#include "model/mechanism/work_rows.h"

/* Successive loads of a row: the kept data of the rows of cases (ws_work_rows). */
typedef struct ws_noc_loads {
    ws_noc_load *load;
    size_t loads, room;
} ws_noc_loads;
void ws_noc_cases_free(ws_work_rows *cases);

/* Adds a pattern of `bytes` of answers per network cycle, with a request for each: to memory, or uniform between all
 * nodes. WS_EMEM. */
int ws_noc_add_pattern(ws_work_rows *cases, const ws_machine *machine, const char *name, bool uniform, double bytes);

/* Adds a case for each workload of frames of `sim --traffic` (model/sim/network/traffic.h). Reads are used directly,
 * other messages with data count as a line each, the rest as headers. WS_EINPUT for a frame without these columns, with
 * nodes that the machine does not have, or from several chips. */
int ws_noc_add_traffic(ws_work_rows *cases, const ws_machine *machine, const char *path);

/* Adds a case for each workload of a results file with profiles: packets, bytes and time of closed forms of coherence,
 * uniformly distributed. Messages are split into headers and headers with a line so that packets and bytes match. Notes
 * go to `notes`. */
int ws_noc_add_profiles(ws_work_rows *cases, const ws_machine *machine, const char *db, ws_frame *notes);

#endif
