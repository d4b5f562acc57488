/* store_merge_internal.h - content of runs, and copying of runs, for merging. */
#ifndef WS_STORE_MERGE_INTERNAL_H
#define WS_STORE_MERGE_INTERNAL_H

#include "metrics/store/store_internal.h"

#include <xxhash.h>

typedef struct ws_store_content {
    XXH128_hash_t identity; /* hash of the request: workload, scale, seed, selection, command */
    XXH128_hash_t hash;     /* hash of the request without the command, and of the results */
    XXH128_hash_t
        provenance; /* hash of the parts that differ between runs of equal content, and of the run's checksum */
    bool done;      /* ended successfully */
    bool readable;  /* this version knows the layout of all counters of families that it knows */
    uint64_t launches, measured, counters, warp_instructions;
} ws_store_content;

/* Layout of counters in an open file. */
typedef struct ws_store_layout {
    int64_t id, counters;
    uint64_t hash; /* of name and signature */
    bool readable;
    int64_t copy; /* its number in the result; 0: not copied yet */
} ws_store_layout;

/* Input file, open within a read transaction, with its layouts and the prepared statements for copying. */
enum { WS_STORE_COPIED = 7 + WS_STORE_KEPT_TABLES };
typedef struct ws_store_input {
    ws_store *store;
    ws_store_layout *layout; /* in order of id */
    size_t layouts, room;
    bool prepared, same_kept; /* same_kept: tables for SQL are of this version */
    sqlite3_stmt *select[WS_STORE_COPIED];
} ws_store_input;

/* Opens an input, with the errors of ws_store_open_input. Closing a zeroed one does nothing. If the file has changed
 * since, closing turns a *check of WS_OK or WS_EINPUT into WS_EBUSY. */
int ws_store_input_open(const char *path, ws_store_input *out);
void ws_store_input_close(ws_store_input *source, int *check);

/* Finds a layout by number. Returns WS_EINPUT if it is missing. */
int ws_store_input_find(const ws_store_input *source, int64_t family, ws_store_layout **out);

/* Sets *ended to whether the run has a status. Returns WS_EINPUT if the run or its launches do not match their
 * checksums. Returns WS_EBUSY if the run is gone, or has another provenance. */
int ws_store_check_input_run(const ws_store_input *input, int64_t run, XXH128_hash_t provenance, bool *ended);

/* Reads the content of a run from the checksums of its parts, without reading data. */
int ws_store_read_content(const ws_store_input *source, int64_t run, ws_store_content *out);

/* Sets *text to the first difference of two runs of the same command, or NULL: "launch 3 (`k`): lanes is 31 and 30".
 * The caller frees it. A difference is a number of a launch that both runs have and know, or, with `whole`, a launch
 * that only one run has. */
int ws_store_difference(const ws_store *a, int64_t run_a, const ws_store *b, int64_t run_b, bool whole, char **text);

/* Copier of runs from an open file to another. `step` is called after each launch; a status other than WS_OK ends the
 * copy. */
typedef struct ws_store_copier ws_store_copier;
int ws_store_copier_create(const ws_store *to, int (*step)(void *user), void *user, ws_store_copier **out);
void ws_store_copier_destroy(ws_store_copier *copier);

/* Copies a run that passed ws_store_check_input_run, with all its data, and compares the checksums. An unfinished run
 * is given a status. Call within a transaction of the target. */
int ws_store_copy_run(ws_store_copier *copier, ws_store_input *from, int64_t run, bool ended);

#endif
