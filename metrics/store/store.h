/* store.h - the results file: one SQLite database, launches and their counters, safe to kill at any moment.
 *
 * A workload run is begun, launches are added one transaction each, and the run is finished. A run that was not
 * finished (killed) is not shown in frames and is replaced when the workload is begun again; a finished one is replaced
 * only when its successor finishes. Several processes may use one file: writers wait for each other. An open store does
 * not survive a fork: open it in the child. While the file is open (and after a kill, until it is opened again) it has
 * two companions, FILE-wal and FILE-shm. */
#ifndef WS_STORE_H
#define WS_STORE_H

#include "base/frame.h"
#include "metrics/collector.h"

#include <stdbool.h>

typedef struct ws_store ws_store;

typedef enum ws_per { WS_PER_LAUNCH, WS_PER_KERNEL, WS_PER_WORKLOAD } ws_per;

/* Opens the file; create: make it when it is not there. WS_EIO with the reason (read-only directory, full disk),
 * WS_EINPUT when it is not a results file or damaged, WS_EVERSION, WS_ENOTFOUND. */
int ws_store_open(const char *path, bool create, ws_store **out);
void ws_store_close(ws_store *store);

typedef struct ws_store_run {
    const char *workload; /* "BFS", or the PTX file's base name */
    const char *scale;    /* "small", "" */
    uint64_t seed;
    const char *command;  /* provenance */
} ws_store_run;

int ws_store_begin(ws_store *store, const ws_store_run *run, int64_t *id);
/* Counters of every family of the collector. seconds: engine time. */
int ws_store_add_launch(ws_store *store, int64_t id, const ws_launch *launch, double seconds, uint64_t warp_instructions,
                        uint64_t thread_instructions, const ws_collector *collector);
/* Bytes copied to the host after the last launch (they belong to it). */
int ws_store_add_copy(ws_store *store, int64_t id, uint64_t h2d_bytes, uint64_t d2h_bytes);
/* status: "done", or why it failed ("wrong result: ..."); wall seconds of the whole workload. */
int ws_store_finish(ws_store *store, int64_t id, const char *status, double seconds);

/* *done = 1 when a finished run with status "done" of this workload, scale and seed is there (for --resume). */
int ws_store_is_done(ws_store *store, const char *workload, const char *scale, uint64_t seed, int *done);

/* The frame of all finished runs, rows in order of workload, kernel (first launch first), launch; set "study",
 * "modern" or "all" (NULL). Columns of a family that was not measured for a row are NaN.
 * Labels: workload; workload,kernel; workload,kernel,launch. time: adds column `seconds` (not reproducible) in front. */
int ws_store_frame(ws_store *store, ws_per per, const char *set, bool time, ws_frame **out);

/* A launch of a finished run with status "done" that has a profile. */
typedef struct ws_store_profile {
    const char *workload, *scale, *seed, *kernel;
    uint64_t sequence;
    const void *data; /* as ws_collector_set_profile got it */
    size_t length;
} ws_store_profile;

/* Shows all of them in order of workload and launch, until `see` returns other than WS_OK, which is returned. Launches
 * without a profile are counted in *missing. WS_EINPUT when the file is damaged. */
int ws_store_profiles(ws_store *store, int (*see)(void *user, const ws_store_profile *profile), void *user,
                      uint64_t *missing);

#endif
