/* load_report.h - the load instructions of simulated launches, one row each: `sim --loads`. */
#ifndef WS_LOAD_REPORT_H
#define WS_LOAD_REPORT_H

#include "base/frame.h"
#include "model/sim/sim.h"

typedef struct ws_load_report ws_load_report;

ws_load_report *ws_load_report_create(void);         /* NULL: no memory */
void ws_load_report_destroy(ws_load_report *report); /* accepts NULL */

/* The loads of the launch that `sim`, which watches loads, runs or has run to its end. `launch`: its number, from 1 on.
 * WS_EMEM. */
int ws_load_report_add(ws_load_report *report, const char *workload, const ws_launch *what, size_t launch,
                       const ws_sim *sim);

/* Labels workload, kernel, launch, pc (number of the instruction in the kernel, from 0); columns of load_columns.def.
 * Loads that no warp executed have no row. The caller frees it with ws_frame_destroy. WS_EMEM. */
int ws_load_report_frame(const ws_load_report *report, ws_frame **out);

#endif
