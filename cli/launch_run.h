/* launch_run.h - does what a launch file says, on a device, and reports on a stream. */
#ifndef WS_LAUNCH_RUN_H
#define WS_LAUNCH_RUN_H

#include "cli/launchfile.h"
#include "collect/simt/engine.h"
#include "metrics/store/store.h"

#include <stdio.h>

typedef struct ws_script_options {
    unsigned workers;      /* 0: all processors */
    uint64_t limit;        /* warp instructions of a launch that names no limit itself; 0: none */
    FILE *out;             /* the report, and what kernels print */
    const ws_sink *const *sinks; /* who listens to the launches, and who is told of their merged states: see ws_run */
    size_t sink_count;
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state);
    void *context;
    ws_store *store;         /* NULL: keep nothing. Else context has to be the ws_collector whose sinks these are */
    int64_t store_run;
} ws_script_options;

typedef struct ws_script_result {
    uint64_t launches, met, failed; /* launches; expectations that were met, and that were not */
} ws_script_result;

/* Runs the steps in their order. An expectation that is not met is counted and the next step follows; a launch that
 * fails unexpectedly, an argument that does not fit, or a missing file ends the run with its status and message. */
int ws_script_run(const ws_script *script, const ws_module *module, const ws_script_options *options,
                  ws_script_result *result);

#endif
