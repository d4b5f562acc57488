/* launch_run.h - does what a launch file says, on a device, and reports on a stream. */
#ifndef WS_LAUNCH_RUN_H
#define WS_LAUNCH_RUN_H

#include "cli/launch/launchfile.h"
#include "record/listeners.h"
#include "collect/simt/engine.h"
#include "metrics/store/store.h"

#include <stdio.h>

typedef struct ws_script_options {
    unsigned workers;        /* 0: all processors */
    uint64_t limit;          /* warp instructions of a launch that names no limit itself; 0: none */
    FILE *out;               /* the report, and what kernels print */
    ws_listeners *listeners; /* to the launches; NULL: nobody */
    ws_store *store;         /* NULL: keep nothing. Else the listeners have to collect metrics */
    int64_t store_run;
    ws_turns turns;
    struct ws_checker *checker;           /* of what launches do; NULL: nothing is checked */
    const ws_launch_simulator *simulator; /* runs the launches; NULL: the engine does */
} ws_script_options;

typedef struct ws_script_result {
    uint64_t launches, met, failed; /* launches; expectations that were met, and that were not */
    uint64_t errors;                /* launches that failed unexpectedly, by ws_check_is_error */
    uint64_t h2d_bytes, d2h_bytes;  /* copied after the last launch */
} ws_script_result;

/* Runs the steps in their order. An expectation that is not met is counted and the next step follows; a launch that
 * fails unexpectedly, an argument that does not fit, or a missing file ends the run with its status and message. What
 * of the kernels' printf was lost is said on stderr. */
int ws_script_run(const ws_script *script, const ws_module *module, const ws_script_options *options,
                  ws_script_result *result);

#endif
