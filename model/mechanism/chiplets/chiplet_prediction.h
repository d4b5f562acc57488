/* chiplet_prediction.h - predicted behaviour and cost of chiplets' L2s for the launches of a trace, under each policy.
 */
#ifndef WS_CHIPLET_PREDICTION_H
#define WS_CHIPLET_PREDICTION_H

#include "model/mechanism/chiplets/chiplet_energy.h"
#include "collect/wst/wst.h"

/* Sums of a policy over one or several launches, except the maxima. */
typedef struct ws_chiplet_sums {
    double launches, structures, written, structures_most; /* data structures of a launch; those written */
    double acquires, releases, everything; /* operations of chiplets; their maximum is two per chiplet and launch */
    double merged;                         /* data structures merged by the table */
    double dirty, dirty_most; /* lines written back by operations of launches; the most by one chiplet at once */
    double boundary_s, issue_s, traffic_s, time_s;
    ws_chiplet_counts n;
    ws_chiplet_energy energy;
} ws_chiplet_sums;

void ws_chiplet_sums_add(ws_chiplet_sums *into, const ws_chiplet_sums *from);

typedef struct ws_chiplet_launch {
    char *kernel; /* mangled */
    uint64_t number;
    ws_chiplet_sums policy[WS_CHIPLET_POLICIES];
} ws_chiplet_launch;

typedef struct ws_chiplet_prediction {
    ws_chiplet_launch *launch;
    size_t launches, room;
    ws_chiplet_sums end[WS_CHIPLET_POLICIES]; /* of the program: data still dirty, for its host */
    double footprint;                         /* requested lines */
} ws_chiplet_prediction;

/* Predicts a trace. `kernels`: chiplet_arguments.h. WS_ELIMIT for a launch with more accesses than are kept; WS_EINPUT,
 * WS_EMEM, and failures of reading traces. Free with ws_chiplet_prediction_fini, also after failures. */
int ws_chiplet_predict(ws_trace *trace, const ws_machine *machine, const ws_chiplet_kernels *kernels,
                       ws_chiplet_prediction *out);
void ws_chiplet_prediction_fini(ws_chiplet_prediction *prediction);

/* Counts from kernels alone, without accesses: operations and their costs, in the rows of the policies that have them.
 */
int ws_chiplet_count(const ws_machine *machine, const ws_chiplet_kernels *kernels, ws_chiplet_prediction *out);

#endif
