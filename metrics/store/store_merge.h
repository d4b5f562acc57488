/* store_merge.h - merging of results files.
 *
 * A run is known by its content: workload, scale, seed, selection, status, launches, counters, profiles, listings and
 * bounds. Times, processes, the command and the version of the program are not part of it. Runs with equal content are
 * duplicates: one is kept, the same whatever the order of the files.
 *
 * Two runs of different files are in conflict when they are of the same command, workload, scale, seed and selection,
 * and a launch that both have differs in a number that both know. A run that one of the files holds beside the other is
 * an earlier or later one of it, not a conflict.
 *
 * In the result, runs are ordered by workload; runs of a workload as the files order them; runs that no file orders by
 * how much they measured. So frames show of each workload the last run, or the one that measured most. The result is
 * the same, byte for byte, whatever the order of the files, unless `prefer` is given. */
#ifndef WS_STORE_MERGE_H
#define WS_STORE_MERGE_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rule for conflicts: an error; or the runs of the first, or last, of the files that have any of that command. */
typedef enum ws_store_prefer { WS_STORE_PREFER_NONE, WS_STORE_PREFER_FIRST, WS_STORE_PREFER_LAST } ws_store_prefer;

typedef struct ws_store_merge {
    ws_store_prefer prefer;
    bool replace;                               /* a results file that is at `to` already; else that is an error */
    void (*tell)(void *user, const char *line); /* conflicts, and what the user should know; NULL: silent */
    void *user;
    ws_progress *progress; /* begun by the caller; NULL: none */
} ws_store_merge;

typedef struct ws_store_merged {
    uint64_t files, runs, launches; /* of the result: runs and launches */
    uint64_t duplicates;            /* runs that were there already */
    uint64_t conflicts;             /* runs that another one contradicts */
    uint64_t left_out;              /* runs that the rule for conflicts leaves out */
    uint64_t unfinished;            /* runs that never ended and do not count: left out */
} ws_store_merged;

/* Merges `files` results files (1 at least) into a new one at `to`, which appears whole or not at all. The inputs are
 * opened to be read, and never written. Memory grows with the number of runs (some 200 bytes each), not of launches.
 *
 * Results: WS_OK; WS_EINPUT: conflicts (out->conflicts is their number, each is told), an input is no results file or
 * damaged, or `to` exists; WS_EVERSION, WS_ENOTFOUND (a file, or there is no run to merge),
 * WS_EIO, WS_EMEM; WS_EBUSY: an input changed meanwhile; WS_EINTERRUPTED: ws_interrupted(). */
int ws_store_merge_files(const char *const *path, size_t files, const char *to, const ws_store_merge *how,
                         ws_store_merged *out);

#endif
