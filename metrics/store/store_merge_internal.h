/* store_merge_internal.h - content of runs, and copying of runs, for merging. */
#ifndef WS_STORE_MERGE_INTERNAL_H
#define WS_STORE_MERGE_INTERNAL_H

#include "metrics/store/store_internal.h"

#include <xxhash.h>

typedef struct ws_store_content {
    XXH128_hash_t identity;   /* of what was asked for: workload, scale, seed, selection, command */
    XXH128_hash_t hash;       /* of what was asked for, without the command, and of what came out */
    XXH128_hash_t provenance; /* of what differs between runs of equal content, and of the run's checksum */
    bool done;                /* it ended well */
    bool readable;            /* this version knows the layout of all counters of families that it knows */
    uint64_t launches, measured, counters, warp_instructions;
} ws_store_content;

/* A layout of counters in an open file. */
typedef struct ws_store_layout {
    int64_t id;
    uint64_t hash; /* of name, counters and signature */
    bool readable;
    int64_t copy; /* its number in the result; 0: not yet */
} ws_store_layout;

/* An input: the open file, within a transaction that reads, its layouts, and statements that copying has prepared. */
enum { WS_STORE_COPIED = 7 + WS_STORE_KEPT_TABLES };
typedef struct ws_store_input {
    ws_store *store;
    ws_store_layout *layout; /* in order of id */
    size_t layouts, room;
    bool prepared, same_kept; /* same_kept: tables for SQL are those of this version */
    sqlite3_stmt *select[WS_STORE_COPIED];
} ws_store_input;

/* Opens it; errors as of ws_store_open_input. Closing one of zeros does nothing; *check: WS_OK and
 * WS_EINPUT become WS_EBUSY when the file has changed meanwhile. */
int ws_store_input_open(const char *path, ws_store_input *out);
void ws_store_input_close(ws_store_input *source, int *check);

/* WS_EINPUT when there is none of that number. */
int ws_store_input_find(const ws_store_input *source, int64_t family, ws_store_layout **out);

/* *ended: whether the run has a status. WS_EINPUT when it or its launches are not what their checksums were made from;
 * WS_EBUSY when it is not there any more, or not that of this provenance. */
int ws_store_check_input_run(const ws_store_input *input, int64_t run, XXH128_hash_t provenance, bool *ended);

/* Reads the content of a run, by the checksums of its parts; data is not looked at. */
int ws_store_read_content(const ws_store_input *source, int64_t run, ws_store_content *out);

/* The first difference of two runs of the same command, as text to be freed: "launch 3 (`k`): lanes is 31 and 30". It
 * is a number of a launch that both runs have and know, or, with `whole`, a launch that only one of them has. NULL:
 * none. */
int ws_store_difference(const ws_store *a, int64_t run_a, const ws_store *b, int64_t run_b, bool whole, char **text);

/* What copies runs from one open file into another. `step` is called after each launch; what it returns ends the copy
 * unless it is WS_OK. */
typedef struct ws_store_copier ws_store_copier;
int ws_store_copier_create(const ws_store *to, int (*step)(void *user), void *user, ws_store_copier **out);
void ws_store_copier_destroy(ws_store_copier *copier);

/* Copies a run, which ws_store_check_input_run has seen, with all that belongs to it, and compares the checksums of its
 * data; one that has not ended ends. Within a transaction of the target. */
int ws_store_copy_run(ws_store_copier *copier, ws_store_input *from, int64_t run, bool ended);

#endif
