/* chiplet_prediction.h - what L2s of chiplets would do with the launches of a trace, under each policy, and what that
 * costs. */
#ifndef WS_CHIPLET_PREDICTION_H
#define WS_CHIPLET_PREDICTION_H

#include "model/mechanism/chiplets/chiplet_energy.h"
#include "collect/wst/wst.h"

/* What a policy does in a launch, or in several: sums, but for those of the most. */
typedef struct ws_chiplet_sums {
    double launches, structures, written, structures_most; /* data structures of a launch; of these written */
    double acquires, releases, everything; /* operations of chiplets; as many as two for each chiplet and launch are */
    double merged;                         /* data structures that the table put together */
    double dirty, dirty_most;              /* lines that launches' operations wrote back; by one chiplet at once */
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
    ws_chiplet_sums end[WS_CHIPLET_POLICIES]; /* of the program: what is still dirty, for its host */
    double footprint;                         /* lines that were asked for */
} ws_chiplet_prediction;

/* `kernels`: chiplet_arguments.h. WS_ELIMIT for a launch with more accesses than are kept; WS_EINPUT, WS_EMEM, and what
 * reading traces gives. Free with ws_chiplet_prediction_fini, after failures, too. */
int ws_chiplet_predict(ws_trace *trace, const ws_machine *machine, const ws_chiplet_kernels *kernels,
                       ws_chiplet_prediction *out);
void ws_chiplet_prediction_fini(ws_chiplet_prediction *prediction);

/* Of kernels alone, without accesses: operations and their costs, in the rows of the policies that have such. */
int ws_chiplet_count(const ws_machine *machine, const ws_chiplet_kernels *kernels, ws_chiplet_prediction *out);

#endif
