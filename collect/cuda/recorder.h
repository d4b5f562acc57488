/* recorder.h - interface between the CUDA driver API and the recorder of a captured program's launches.
 *
 * The driver API runs programs; the linked implementation of this interface handles the events (record/record.c: metric
 * families and the results file, configured by environment variables). */
#ifndef WS_RECORDER_H
#define WS_RECORDER_H

#include "collect/simt/engine.h"

typedef struct ws_recorder ws_recorder;

/* Bytes copied and filled since the last launch. */
typedef struct ws_copied {
    uint64_t h2d, d2h, d2d, filled;
} ws_copied;

/* Settings from the environment that the device needs. */
typedef struct ws_recorder_options {
    unsigned workers;  /* 0: the engine's default */
    ws_copied *copied; /* the driver counts bytes here; NULL: in a counter of its choice */
    bool pages;        /* ws_device_options.pages */
    ws_bounds bounds;  /* for all launches, also: */
    ws_alignment alignment;
    struct ws_checker *checker; /* checks launches and leaks; lives as long as the recorder. NULL: no checks */
    bool goes_on; /* a launch that ran but could not be recorded is reported and counted, and does not fail the program
                   */
} ws_recorder_options;

/* Called once, by cuInit. Sets *out to NULL if recording is disabled, which is not a failure. */
int ws_recorder_open(ws_recorder **out, ws_recorder_options *options);

/* Called before a launch. Fills sinks, limits and callbacks of *run, including `stray` and `misaligned`, and may change
 * its sequence number. */
int ws_recorder_before(ws_recorder *recorder, const ws_kernel *kernel, ws_run *run);

/* Called after a launch with status `status`, with the bytes copied before it. Returns status, or the failure to record
 * a successful launch. */
int ws_recorder_after(ws_recorder *recorder, const ws_run_result *result, const ws_copied *copied, int status);

/* Called at process exit, with the bytes copied after the last launch and the exit status. Frees the recorder; accepts
 * NULL. */
int ws_recorder_close(ws_recorder *recorder, const ws_copied *copied, int exit_status);

#endif
