/* sim_suite.h - the built-in workloads live on a simulated machine, each as a process of its own. */
#ifndef WS_SIM_SUITE_H
#define WS_SIM_SUITE_H

#include "base/frame.h"
#include "model/machine/machine_choice.h"
#include "record/start/suite.h"
#include "model/activity.h"
#include "model/sample/launch_list.h"

typedef struct ws_sim_suite_request {
    ws_machine_choice machine;
    const bool *wanted; /* [WS_SUITE_MOST]; none marked: all but those of the groups of studies */
    size_t scale;       /* index of ws_suite_scales */
    uint64_t seed;
    bool check, quiet;     /* quiet: no line for a workload whose result is right */
    const char *shape;     /* as WARPSCAPE_SIMULATE_SHAPE; NULL: PTX as it is */
    uint64_t max_cycles;   /* of each launch; 0: no limit */
    uint64_t livelock;     /* cycles of a launch in which warps only wait in loops, that end it; 0: none do */
    const char *sizes;     /* NAME=N,... of the workloads' --size; NULL: those of the scale */
    const char *arguments; /* a file of what launches use on which chip, of one workload; NULL: */
    int (*measure)(void *context, const char *trace,
                   const char *file); /* each workload runs in the engine before, and this turns its trace into such a
                                         file. NULL: nobody knows */
    void *context;
    ws_activity_report
        *activity; /* to which what the parts of the machine did in each launch is added; NULL: nobody wants to know */
    const ws_launch_list *list; /* simulate only these launches, and none marked: of workloads that it has; NULL: all */
} ws_sim_suite_request;

/* A line on stderr for each workload. *out has the rows of all launches and a total of each workload that has several,
 * also when it fails: WS_EVERIFY when a workload did, the others being done; WS_EINTERRUPTED. The caller frees it. */
int ws_sim_suite_run(const ws_sim_suite_request *request, ws_frame **out);

#endif
