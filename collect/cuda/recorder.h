/* recorder.h - who listens to the launches of a captured program.
 *
 * The driver API knows how to run programs; what becomes of the events is decided by the implementation of this
 * interface, which is linked in (record/record.c: metric families and the results file, told by environment
 * variables). */
#ifndef WS_RECORDER_H
#define WS_RECORDER_H

#include "collect/simt/engine.h"

typedef struct ws_recorder ws_recorder;

/* Bytes copied and filled since the last launch. */
typedef struct ws_copied {
    uint64_t h2d, d2h, d2d, filled;
} ws_copied;

/* What the environment says about running, as far as the device needs it. */
typedef struct ws_recorder_options {
    unsigned workers;           /* 0: the engine's default */
    ws_copied *copied;          /* where the driver counts bytes; NULL: wherever it likes */
    bool pages;                 /* ws_device_options.pages */
    ws_bounds bounds;           /* of all launches */
    struct ws_checker *checker; /* of what launches do, and of what is left behind; lives as long as the recorder. NULL:
                                   nothing is checked */
    bool goes_on; /* a launch that ran and could not be recorded is said and counted, and is the program's no less */
} ws_recorder_options;

/* Called once, by cuInit. *out is NULL when nothing is to be recorded; that is no failure. */
int ws_recorder_open(ws_recorder **out, ws_recorder_options *options);

/* Before a launch: fills sinks, limits and callbacks (`stray` is one that talks, too) of *run, and may give it another
 * sequence number. */
int ws_recorder_before(ws_recorder *recorder, const ws_kernel *kernel, ws_run *run);

/* After a launch, with the bytes that were copied before it; status: how it went. Returns status, or the failure to
 * record a launch that went well. */
int ws_recorder_after(ws_recorder *recorder, const ws_run_result *result, const ws_copied *copied, int status);

/* The process ends: bytes copied after the last launch, and the exit status. Frees the recorder; accepts NULL. */
int ws_recorder_close(ws_recorder *recorder, const ws_copied *copied, int exit_status);

#endif
