/* run_program.h - a CUDA program as its build left it, run with our libraries in front of the vendor's. */
#ifndef WS_RUN_PROGRAM_H
#define WS_RUN_PROGRAM_H

#include "collect/simt/engine.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_program_request {
    char **argv;         /* the program and its arguments, ends with NULL */
    const char *name;    /* of the workload; NULL: the program's */
    const char *db;      /* the results file; it is made when it is not there */
    const char *set;     /* of metrics */
    const char *kernels; /* see selection.h; NULL: all */
    const char *launches;
    const char *trace;      /* folder that takes trace files; it is made when it is not there. NULL: none */
    bool values;            /* with values in them */
    bool profile;           /* with profiles for models */
    bool lines;             /* with what each instruction did */
    double sample;          /* tolerance; 0: every launch is measured */
    uint64_t seed;          /* of the sample */
    uint64_t workers;       /* 0: as many as there are processors */
    uint64_t device_memory; /* GiB; 0: the default */
    ws_turns turns;         /* when warps let others run */
    unsigned checks;        /* bits of ws_check */
    uint64_t check_exit;    /* exit status of a program that ended well, where they found something; 0: its own */
    ws_bounds bounds;       /* what becomes of accesses outside allocations */
    ws_alignment alignment; /* ... and of misaligned loads and stores */
    bool quiet;
} ws_program_request;

/* Runs it to its end. *exit_status is what this process should exit with: the program's own, 128 + N when signal N
 * ended it, 127 when there is no such program, 126 when it cannot be run here. What there is to say has been said on
 * stderr, but for a failure of ours, which is returned. *run is the number of the run that has its launches, 0 when
 * none was measured. */
int ws_program_run(const ws_program_request *request, int *exit_status, int64_t *run);

#endif
