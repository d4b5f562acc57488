/* store.h - the results file: one SQLite database, launches and their counters, safe to kill at any moment.
 *
 * A workload run is begun, launches are added one transaction each, and the run is finished. Runs stay, by number,
 * until they are removed; of each workload the last run that counts is shown, which is one that was done and measured
 * something. A run that was not finished (killed) does not count and goes when the workload is begun again. A run that
 * was begun as `partial` is worth something as far as it came: it counts when it ended badly or was never finished,
 * too. Several processes may use one file: writers wait for each other. An open store does not survive a fork: open it
 * in the child. While the file is open (and after a kill, until it is opened again) it has two companions, FILE-wal and
 * FILE-shm. */
#ifndef WS_STORE_H
#define WS_STORE_H

#include "base/frame.h"
#include "metrics/collector.h"
#include "metrics/instructions.h"

#include <stdbool.h>

typedef struct ws_store ws_store;

typedef enum ws_per { WS_PER_LAUNCH, WS_PER_KERNEL, WS_PER_WORKLOAD } ws_per;
extern const char *const ws_per_words[]; /* "launch" and so on; NULL behind the last */

/* Opens the file; create: make it when it is not there. WS_EIO with the reason (read-only directory, full disk),
 * WS_EINPUT when it is not a results file or damaged, WS_EVERSION, WS_ENOTFOUND. */
int ws_store_open(const char *path, bool create, ws_store **out);
void ws_store_close(ws_store *store);

/* For a store within a program that is not ours: remembers which descriptors it has open, once they are.
 * ws_store_check_files is WS_EIO from then on when one of them is another file's or closed, and nothing of the store
 * may be called any more but close. */
void ws_store_watch_files(ws_store *store);
int ws_store_check_files(ws_store *store);

typedef struct ws_store_run {
    const char *workload; /* "BFS", or the PTX file's base name */
    const char *scale;    /* "small", "" */
    uint64_t seed;
    const char *command;   /* provenance */
    bool partial;          /* launches count also when the run does not end well */
    const char *selection; /* which launches were to be measured, for provenance; NULL: all */
} ws_store_run;

int ws_store_begin(ws_store *store, const ws_store_run *run, int64_t *id);
/* Counters of every family of the collector, and what the launch itself says. seconds: engine time. */
int ws_store_add_launch(ws_store *store, int64_t id, const ws_launch *launch, double seconds,
                        uint64_t warp_instructions, uint64_t thread_instructions, const ws_collector *collector);

/* A launch with all that is known of it. */
typedef struct ws_store_launch {
    const ws_launch *launch;
    double seconds; /* engine time */
    uint64_t warp_instructions, thread_instructions;
    const ws_collector *collector; /* NULL: it ran and was not measured */
    const char *title;             /* the kernel's name as people read it; NULL: as launch->kernel */
    int64_t dynamic_shared;        /* bytes of launch->shared_bytes that the launch asked for; -1: not known */
    int64_t h2d, d2h, d2d, filled; /* bytes copied and filled since the launch before this one; -1: not known */
    int64_t process;
    int64_t stratum, slice; /* of a sampled run: see metrics/estimate.h. -1: none */
} ws_store_launch;

int ws_store_add(ws_store *store, int64_t id, const ws_store_launch *launch);

/* Bytes copied to the host after the last launch (they belong to it; to the last that was measured). */
int ws_store_add_copy(ws_store *store, int64_t id, uint64_t h2d_bytes, uint64_t d2h_bytes);
/* Sampled runs, before they are finished: works out the weights of measured launches, and the bound of each column
 * of the workload, as metrics/estimate.h says. `tolerance` is what was asked for; what came out becomes provenance.
 * Within the call, `worst` is a column whose bound is widest (a text that the caller frees), NULL when nothing had
 * to be estimated. */
typedef struct ws_store_estimate {
    uint64_t launches, measured, within, columns; /* within: columns whose bound is within the tolerance */
    double worst_bound;
    char *worst;
} ws_store_estimate;
int ws_store_weigh(ws_store *store, int64_t id, double tolerance, uint64_t seed, ws_store_estimate *out);

/* status: "done", or why it failed ("wrong result: ..."); wall seconds of the whole workload. A partial run counts
 * whatever its status is. A run that measured nothing and did not fail is WS_ENOTFOUND: its launches are kept until the
 * workload is run again; without launches it is dropped. */
int ws_store_finish(ws_store *store, int64_t id, const char *status, double seconds);

/* Takes back an unfinished run, with all of its launches; what an earlier run of the workload left stays. */
int ws_store_drop(ws_store *store, int64_t id);

/* From now on frames, launches and profiles are those of this run alone, whatever became of it. WS_ENOTFOUND. */
int ws_store_choose(ws_store *store, int64_t run);

/* From now on frames hold histograms as fractions, not as counts. */
void ws_store_show_fractions(ws_store *store);

/* Shows all runs in order of their numbers, until `see` returns other than WS_OK, which is returned. */
typedef struct ws_store_about {
    int64_t number;
    const char *workload, *scale, *seed, *command;
    const char *status; /* "done", why it failed, "in progress", "not finished" */
    const char *selection;
    int64_t launches, measured;
    bool shown; /* by frames, when none is chosen */
} ws_store_about;
int ws_store_runs(ws_store *store, int (*see)(void *user, const ws_store_about *run), void *user);

/* Whether any launch of the run was measured. */
int ws_store_measured(const ws_store *store, int64_t run, bool *any);

/* Removes them with all of their launches, or none of them: WS_ENOTFOUND, WS_EBUSY when one is in progress. */
int ws_store_remove(ws_store *store, const int64_t *runs, size_t n);

/* Shows the launches of all runs that frames show, measured or not, in order of workload and launch, until `see`
 * returns other than WS_OK, which is returned. */
typedef struct ws_store_row {
    const char *workload, *kernel, *title; /* title: kernel when there is none */
    int64_t sequence, process;
    int64_t grid[3], block[3];
    int64_t registers, shared_bytes, dynamic_shared, local_bytes; /* -1: not known */
    int64_t h2d, d2h, d2d, filled;                                /* -1: not known */
    int64_t warp_instructions, thread_instructions, stratum;
    double seconds, weight;
    bool measured;
    int64_t parent; /* sequence number of the launch whose kernel launched it; -1: the host did */
} ws_store_row;
int ws_store_launches(ws_store *store, int (*see)(void *user, const ws_store_row *row), void *user);

/* The bounds of sampled workloads: columns of the set as in ws_store_frame, one row a workload, NaN where nothing is
 * known. WS_ENOTFOUND when no workload of the file was sampled. */
int ws_store_bounds(ws_store *store, const char *set, ws_frame **out);

/* *done = 1 when the last finished run of run->workload is of this scale, seed and command, with status "done" (for
 * --resume). */
int ws_store_is_done(ws_store *store, const ws_store_run *run, int *done);

/* The frame of all finished runs, rows in order of workload, kernel (first launch first), launch; set "study",
 * "modern" or "all" (NULL). Columns of a family that was not measured for a row are NaN. Labels: workload;
 * workload,kernel; workload,kernel,launch. time: adds column `seconds` (not reproducible) in front. */
int ws_store_frame(ws_store *store, ws_per per, const char *set, bool time, ws_frame **out);

/* What the instructions of a kernel did in all measured launches of a run that frames show. */
typedef struct ws_store_listing {
    const char *workload, *kernel, *title;
    int64_t run;
    ws_reader code, counts; /* for ws_listing_read; valid within the call */
} ws_store_listing;

/* Shows all of them in order of workload and of kernels' first launches, until `see` returns other than WS_OK, which is
 * returned. WS_EINPUT when the file is damaged. */
int ws_store_listings(ws_store *store, int (*see)(void *user, const ws_store_listing *listing), void *user);

/* A source file of the run's kernels, with a number that says what was in it when the program ran; *known: whether that
 * was noted. */
int ws_store_note_source(ws_store *store, int64_t run, const char *file, uint64_t fingerprint);
int ws_store_source(ws_store *store, int64_t run, const char *file, uint64_t *fingerprint, bool *known);

/* A launch of a finished run with status "done" that has a profile. */
typedef struct ws_store_profile {
    const char *workload, *scale, *seed, *kernel;
    uint64_t sequence;
    const void *data; /* as ws_collector_set_profile got it */
    size_t length;
} ws_store_profile;

/* Shows all of them in order of workload and launch, until `see` returns other than WS_OK, which is returned. Launches
 * without a profile are counted in *missing. WS_ENOTFOUND when no launch has one, with what to do; WS_EINPUT when the
 * file is damaged. */
int ws_store_profiles(ws_store *store, int (*see)(void *user, const ws_store_profile *profile), void *user,
                      uint64_t *missing);

#endif
