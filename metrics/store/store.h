/* store.h - results file: an SQLite database of launches and their counters, safe to kill at any moment.
 *
 * A workload run is begun, launches are added in one transaction each, and the run is finished. Runs are numbered, and
 * stay until they are removed. Frames show the last run of each workload that counts: one that is done and measured a
 * launch. An unfinished run (killed) does not count, and is removed when the workload is begun again. A run begun as
 * `partial` is useful up to any point: it also counts when it failed or was never finished.
 *
 * Several processes may use one file: writers wait for each other. An open store does not survive a fork; open it in
 * the child. While the file is open (and after a kill, until it is opened again), it has two companions, FILE-wal and
 * FILE-shm. */
#ifndef WS_STORE_H
#define WS_STORE_H

#include "base/frame.h"
#include "metrics/collector.h"
#include "metrics/instructions.h"

#include <stdbool.h>

typedef struct ws_store ws_store;

typedef enum ws_per { WS_PER_LAUNCH, WS_PER_KERNEL, WS_PER_WORKLOAD } ws_per;
extern const char *const ws_per_words[]; /* "launch" and so on; NULL after the last */

/* Opens the file; create: create it if it is missing. Returns WS_EIO with the reason (read-only directory, full disk),
 * WS_EINPUT if it is damaged or not a results file, WS_EVERSION, or WS_ENOTFOUND. */
int ws_store_open(const char *path, bool create, ws_store **out);
void ws_store_close(ws_store *store);

/* Protect a store within a foreign program. ws_store_watch_files records the descriptors of the open store.
 * ws_store_check_files returns WS_EIO once one of them is closed or belongs to another file. Afterwards only
 * ws_store_close may be called. */
void ws_store_watch_files(ws_store *store);
int ws_store_check_files(ws_store *store);

typedef struct ws_store_run {
    const char *workload; /* "BFS", or the base name of the PTX file */
    const char *scale;    /* "small", "" */
    uint64_t seed;
    const char *command;   /* provenance */
    bool partial;          /* launches also count if the run fails or is not finished */
    const char *selection; /* launches selected for measurement, for provenance; NULL: all */
} ws_store_run;

int ws_store_begin(ws_store *store, const ws_store_run *run, int64_t *id);
/* Adds a launch: the counters of every family of the collector, and the facts of the launch. seconds: engine time. */
int ws_store_add_launch(ws_store *store, int64_t id, const ws_launch *launch, double seconds,
                        uint64_t warp_instructions, uint64_t thread_instructions, const ws_collector *collector);

/* Launch with all known facts. */
typedef struct ws_store_launch {
    const ws_launch *launch;
    double seconds; /* engine time */
    uint64_t warp_instructions, thread_instructions;
    const ws_collector *collector; /* NULL: it ran without being measured */
    const char *title;             /* demangled name of the kernel; NULL: as launch->kernel */
    int64_t dynamic_shared;        /* requested bytes of launch->shared_bytes; -1: not known */
    int64_t h2d, d2h, d2d, filled; /* bytes copied and filled since the previous launch; -1: not known */
    int64_t process;
    int64_t stratum, slice; /* of a sampled run: see metrics/estimate.h. -1: none */
} ws_store_launch;

int ws_store_add(ws_store *store, int64_t id, const ws_store_launch *launch);

/* Adds bytes copied to the host after the last launch; they count for the last measured launch. */
int ws_store_add_copy(ws_store *store, int64_t id, uint64_t h2d_bytes, uint64_t d2h_bytes);
/* Computes, for a sampled run before it is finished, the weights of measured launches and the bound of each column of
 * the workload (metrics/estimate.h). `tolerance` is the requested one; the results become provenance. `worst` is a
 * column with the widest bound, a text that the caller frees, or NULL without estimates. */
typedef struct ws_store_estimate {
    uint64_t launches, measured, within, columns; /* within: columns whose bound is within the tolerance */
    double worst_bound;
    char *worst;
} ws_store_estimate;
int ws_store_weigh(ws_store *store, int64_t id, double tolerance, uint64_t seed, ws_store_estimate *out);

/* Finishes a run. status: "done", or the reason of the failure ("wrong result: ..."); seconds: wall time of the whole
 * workload. A partial run counts with any status. Returns WS_ENOTFOUND for a run that measured nothing and did not
 * fail. Its launches are kept until the workload is run again; without launches it is dropped. */
int ws_store_finish(ws_store *store, int64_t id, const char *status, double seconds);

/* Removes an unfinished run with all of its launches; earlier runs of the workload stay. */
int ws_store_drop(ws_store *store, int64_t id);

/* Restricts frames, launches and profiles to this run, whatever its status. Returns WS_ENOTFOUND if it is missing. */
int ws_store_choose(ws_store *store, int64_t run);

/* Opens an existing file as ws_store_open, and chooses the run unless it is 0. On failure, *out is NULL. */
int ws_store_open_run(const char *path, int64_t run, ws_store **out);

/* Makes frames show histograms as fractions, not as counts. */
void ws_store_show_fractions(ws_store *store);

/* Passes all runs to `see`, by number, until it returns a status other than WS_OK, which is returned. */
typedef struct ws_store_about {
    int64_t number;
    const char *workload, *scale, *seed, *command;
    const char *status; /* "done", the reason of the failure, "in progress", "not finished" */
    const char *selection;
    int64_t launches, measured;
    bool shown; /* shown by frames if no run is chosen */
} ws_store_about;
int ws_store_runs(ws_store *store, int (*see)(void *user, const ws_store_about *run), void *user);

/* Sets *any to whether any launch of the run was measured. */
int ws_store_measured(const ws_store *store, int64_t run, bool *any);

/* Removes all listed runs with their launches, or none. Returns WS_ENOTFOUND, or WS_EBUSY if one is in progress. */
int ws_store_remove(ws_store *store, const int64_t *runs, size_t n);

/* Passes the launches of all shown runs to `see`, measured or not, in order of workload and launch. Stops when `see`
 * returns a status other than WS_OK, which is returned. */
typedef struct ws_store_row {
    const char *workload, *kernel, *title; /* title: `kernel` if the launch has none */
    int64_t sequence, process;
    int64_t grid[3], block[3];
    int64_t registers, shared_bytes, dynamic_shared, local_bytes; /* -1: not known */
    int64_t h2d, d2h, d2d, filled;                                /* -1: not known */
    int64_t warp_instructions, thread_instructions, stratum;
    double seconds, weight;
    bool measured;
    int64_t parent; /* sequence number of the launch whose kernel launched it; -1: launched by the host */
} ws_store_row;
int ws_store_launches(ws_store *store, int (*see)(void *user, const ws_store_row *row), void *user);

/* Creates a frame of the bounds of sampled workloads: columns of the set as in ws_store_frame, one row per workload,
 * NaN for unknown bounds. Returns WS_ENOTFOUND if the file has no sampled workload. */
int ws_store_bounds(ws_store *store, const char *set, ws_frame **out);

/* Sets *done to 1 if the last finished run of run->workload has this scale, seed and command, and status "done" (for
 * --resume). */
int ws_store_is_done(ws_store *store, const ws_store_run *run, int *done);

/* Creates the frame of all finished runs, with rows in order of workload, kernel (by first launch) and launch; set
 * "study", "modern" or "all" (NULL). Columns of families that were not measured for a row are NaN. Labels: workload;
 * workload,kernel; workload,kernel,launch. time: adds column `seconds` (not reproducible) in front. */
int ws_store_frame(ws_store *store, ws_per per, const char *set, bool time, ws_frame **out);

/* Counts of the instructions of a kernel, over all measured launches of a shown run. */
typedef struct ws_store_listing {
    const char *workload, *kernel, *title;
    int64_t run;
    ws_reader code, counts; /* for ws_listing_read; valid during the call */
} ws_store_listing;

/* Passes all listings to `see`, in order of workload and first launch of the kernel. Stops when `see` returns a status
 * other than WS_OK, which is returned. Returns WS_EINPUT for a damaged file. */
int ws_store_listings(ws_store *store, int (*see)(void *user, const ws_store_listing *listing), void *user);

/* Store and look up the fingerprint of a source file of the run's kernels, taken when the program ran. *known: whether
 * it is stored. */
int ws_store_note_source(ws_store *store, int64_t run, const char *file, uint64_t fingerprint);
int ws_store_source(ws_store *store, int64_t run, const char *file, uint64_t *fingerprint, bool *known);

/* Launch with a profile, of a finished run with status "done". */
typedef struct ws_store_profile {
    const char *workload, *scale, *seed, *kernel;
    uint64_t sequence;
    const void *data; /* as passed to ws_collector_set_profile */
    size_t length;
} ws_store_profile;

/* Passes all profiles to `see`, in order of workload and launch, until it returns a status other than WS_OK, which is
 * returned. *missing is the number of launches without a profile. Returns WS_ENOTFOUND, with advice, if no launch has
 * one; WS_EINPUT for a damaged file. */
int ws_store_profiles(ws_store *store, int (*see)(void *user, const ws_store_profile *profile), void *user,
                      uint64_t *missing);

#endif
