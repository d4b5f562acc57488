/* store_merge.h - merging of results files.
 *
 * A run is identified by its content: workload, scale, seed, selection, status, launches, counters, profiles, listings
 * and bounds. Times, processes, the command and the version of the program are not part of it. Runs with equal content
 * are duplicates: one is kept, the same in any order of the files.
 *
 * Runs of different files conflict if a launch that both have differs in a number that both know. They must have the
 * same command, workload, scale, seed and selection. Two such runs in one file are an earlier and a later run, not a
 * conflict.
 *
 * The result orders runs by workload, then by their order in the files. Runs that no file orders are sorted by how much
 * they measured. Frames therefore show the last run of each workload, or the one that measured most. The result is
 * byte-identical in any order of the files, unless `prefer` is given. */
#ifndef WS_STORE_MERGE_H
#define WS_STORE_MERGE_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rule for conflicts: fail, or keep the runs of the first or last file that has any run of that command. */
typedef enum ws_store_prefer { WS_STORE_PREFER_NONE, WS_STORE_PREFER_FIRST, WS_STORE_PREFER_LAST } ws_store_prefer;

typedef struct ws_store_merge {
    ws_store_prefer prefer;
    bool replace;                               /* replace an existing results file at `to`; else it is an error */
    void (*tell)(void *user, const char *line); /* receives conflicts and other messages for the user; NULL: silent */
    void *user;
    ws_progress *progress; /* started by the caller; NULL: none */
} ws_store_merge;

typedef struct ws_store_merged {
    uint64_t files, runs, launches; /* of the result: runs and launches */
    uint64_t duplicates;            /* duplicates of runs in earlier files */
    uint64_t conflicts;             /* runs that contradict another run */
    uint64_t left_out;              /* runs omitted by the rule for conflicts */
    uint64_t unfinished;            /* unfinished runs that do not count: omitted */
} ws_store_merged;

/* Merges `files` results files (at least 1) into a new one at `to`, which appears whole or not at all. Input files are
 * opened for reading and never written. Memory grows with the number of runs (about 200 bytes each), not of launches.
 *
 * Returns WS_OK; WS_EINPUT: conflicts (out->conflicts is their number, and each is passed to `tell`), an invalid or
 * damaged results file, or an existing `to`; WS_EVERSION; WS_ENOTFOUND: a missing file, or no run to merge; WS_EIO;
 * WS_EMEM; WS_EBUSY: an input changed during the merge; WS_EINTERRUPTED: ws_interrupted(). */
int ws_store_merge_files(const char *const *path, size_t files, const char *to, const ws_store_merge *how,
                         ws_store_merged *out);

#endif
