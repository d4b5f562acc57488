/* launch_run.h - execution of a launch file on a device, with a report on a stream. */
#ifndef WS_LAUNCH_RUN_H
#define WS_LAUNCH_RUN_H

#include "cli/launch/launchfile.h"
#include "record/listeners.h"
#include "collect/simt/engine.h"
#include "metrics/store/store.h"

#include <stdio.h>

typedef struct ws_script_options {
    unsigned workers;        /* 0: all processors */
    uint64_t limit;          /* warp instructions per launch without a limit in the file; 0: unlimited */
    FILE *out;               /* receives the report, and output of kernels */
    ws_listeners *listeners; /* listeners to the launches; NULL: none */
    ws_store *store;         /* NULL: keep nothing; otherwise the listeners must collect metrics */
    int64_t store_run;
    ws_turns turns;
    struct ws_checker *checker;           /* checks the launches; NULL: no checks */
    const ws_launch_simulator *simulator; /* schedules the launches; NULL: the engine does */
} ws_script_options;

typedef struct ws_script_result {
    uint64_t launches, met, failed; /* launches; expectations met and failed */
    uint64_t errors;                /* launches that failed unexpectedly, by ws_check_is_error */
    uint64_t h2d_bytes, d2h_bytes;  /* copied after the last launch */
} ws_script_result;

/* Runs the steps in order. A failed expectation is counted, and the next step follows. An unexpected launch failure, an
 * unsuitable argument or a missing file ends the run with its status and message. Lost printf output of kernels is
 * reported on stderr. */
int ws_script_run(const ws_script *script, const ws_module *module, const ws_script_options *options,
                  ws_script_result *result);

#endif
