/* store_internal.h - what the files of the store share: the open file, and SQL in one line. */
#ifndef WS_STORE_INTERNAL_H
#define WS_STORE_INTERNAL_H

#include "base/hush.h"
#include "metrics/store/store.h"

#include <sqlite3.h>
#include <sys/stat.h>

enum { WS_STORE_PARTS = 3, WS_STORE_FILES = 8 };

typedef struct ws_store_file {
    int fd;
    struct stat about;
} ws_store_file;

struct ws_store {
    sqlite3 *db;
    char *path;
    bool fractions;                     /* frames show histograms so */
    int64_t chosen;                     /* the one run that is shown; 0: those that ws_store_prepare_runs says */
    ws_store_file file[WS_STORE_FILES]; /* that ws_store_watch_files found open */
    unsigned files;
    bool input, frozen; /* opened by ws_store_open_input; without locks: file[0].about is its state then */
    bool lost;          /* some of them are not ours any more: nothing may be written or closed */
    ws_store *next_left;
};

/* Opens a results file to read it, and writes nothing: neither to the file nor, when it has no log, beside it. An older
 * format is brought up in a temporary copy. Errors as of ws_store_open. */
int ws_store_open_input(const char *path, ws_store **out);

/* WS_EBUSY when an input that is read without locks has changed since it was opened. */
int ws_store_check_input(const ws_store *store);

/* Makes a results file with all tables and no rows out of `file`, an empty one that this process alone knows, within a
 * transaction that ws_store_end ends. Nothing keeps the file whole when that fails. Messages name `path`. */
int ws_store_open_result(const char *path, const char *file, ws_store **out);

/* Instead of closing one that was lost. */
void ws_store_leave(ws_store *store);

/* Translates SQLite's result, after the call that gave it, to ours, with a message that names the file. */
int ws_store_fail(const ws_store *store, int result);

/* Prepares a statement and binds its parameters: `types` has a letter for each of them - i int64_t, d double,
 * t const char * (NULL gives NULL), b const void * and size_t. Texts and blobs have to stay until the statement is
 * finalized, which is the caller's to do. */
int ws_store_prepare(const ws_store *store, sqlite3_stmt **out, const char *sql, const char *types, ...);

/* The same, for a statement without rows, to its end. */
int ws_store_exec(const ws_store *store, const char *sql, const char *types, ...);

/* Steps to the next row: *row tells whether there was one. */
int ws_store_step(const ws_store *store, sqlite3_stmt *statement, bool *row);

/* Begins a transaction that reads, of a file whose parts go together. */
int ws_store_begin_reading(const ws_store *store);

/* Ends a transaction: COMMIT when status is WS_OK, else ROLLBACK; returns status, or the failure of the commit. */
int ws_store_end(const ws_store *store, int status);

/* The text of a column; "" for NULL. Valid until the next step. */
const char *ws_store_text(sqlite3_stmt *statement, int column);

/* This process, as the results file writes it down; and whether the process of such a text is another
 * one that lives. */
enum { WS_OWNER_BYTES = 160 };
void ws_store_owner(char text[WS_OWNER_BYTES]);
bool ws_store_owner_lives_elsewhere(const char *text);

/* How the counters of a family are laid out ("sop sum,par sum,...", edges of bins) as a 64-bit hash in hexadecimal:
 * rows with another one cannot be read. */
enum { WS_SIGNATURE_BYTES = 17 };
void ws_store_signature(const ws_metric *metric, char text[WS_SIGNATURE_BYTES]);

/* Of counters as little-endian doubles. Decoding a damaged blob is WS_EINPUT. */
int64_t ws_store_checksum(const void *blob, size_t bytes);
int ws_store_decode(const ws_store *store, const void *blob, size_t bytes, int64_t checksum, size_t n, double *counter);

/* Everything about a run that frames show, beside the counters of its launches, as one number. */
int ws_store_run_checksum(const ws_store *store, int64_t run, int64_t *checksum);

/* Runs that frames may show: of each workload the last that counts, and those after it that failed; or the one that was
 * chosen. Finalize it. Columns: id, workload, scale, seed, command, version, status, checksum, partial, selection,
 * sampling. */
int ws_store_prepare_runs(const ws_store *store, sqlite3_stmt **out);

/* *counts: whether a run that was never finished is worth something as far as it came, and measured something. */
int ws_store_unfinished_counts(const ws_store *store, int64_t run, bool *counts);

/* What becomes of a run whose process is gone. Within a transaction. */
int ws_store_end_abandoned(const ws_store *store, int64_t run);

/* Steps to the next one of these whose launches are shown: *row tells whether there was one. Fails when one is damaged.
 */
int ws_store_next_shown(const ws_store *store, sqlite3_stmt *runs, bool *row);

/* Writes down the checksum of a launch, over its row, counters and profile; within the transaction that changed one of
 * them. */
int ws_store_seal(const ws_store *store, int64_t launch);

/* WS_EINPUT when a launch of a run is not what its checksum was made from. */
int ws_store_check_launches(const ws_store *store, int64_t run);

/* WS_EINPUT when a finished run is not what its checksum was made from, or when the file's parts
 * contradict each other. */
int ws_store_check_run(const ws_store *store, int64_t run, int64_t checksum);
int ws_store_check_file(const ws_store *store);

/* WS_EINPUT when the file has a table, index, view or trigger that this program does not make, or one that computes
 * something. */
int ws_store_check_schema(const ws_store *store);

/* Whether the file has a table that is made when it is first needed: "profile", "listing", "source". */
int ws_store_has_table(const ws_store *store, const char *name, bool *found);

/* Statements that make such a table. */
extern const char ws_store_profile_table[], ws_store_listing_table[], ws_store_source_table[];

/* The number of a family's layout in the file, which is added when it is not there; within a transaction. */
int ws_store_family(const ws_store *store, const char *name, int64_t counters, const char *signature, int64_t *id);

/* What the launch says of its instructions, if anything, added to its run; within a transaction. */
int ws_store_add_listing(const ws_store *store, int64_t run, const ws_store_launch *launch);

/* The collector's profile, if it has one, for the launch with that id; within a transaction. */
int ws_store_add_profile(const ws_store *store, int64_t launch, const ws_collector *collector);

/* The frame of all columns of one run, and its listings (with workload ""); within a transaction. The caller frees
 * *out. */
int ws_store_frame_of(const ws_store *store, int64_t run, ws_per per, ws_frame **out);
int ws_store_listings_of(const ws_store *store, int64_t run, int (*see)(void *user, const ws_store_listing *listing),
                         void *user);

/* Views and tables for programs that read the file with SQL: makes them, brings those of other versions up, and fills
 * them for runs that have ended. What fails (no room, another writer, damage) leaves them as they were, for the next
 * time; results do not hang on them. Outside of transactions. */
void ws_store_make_views(const ws_store *store);

/* The two steps of it, for who fills a file within one transaction: the tables and views, without rows; and the rows of
 * a run that has ended. */
int ws_store_make_kept(const ws_store *store);
int ws_store_keep_run(const ws_store *store, int64_t run);

/* Tables of such rows, whose first column is the run. *is: whether those of a run are all there as this version makes
 * them. Notes that they are, or why not (reason). */
enum {
    WS_STORE_KEPT_INSTRUCTIONS,
#define KEPT(name, per, features) WS_STORE_KEPT_##name,
#include "metrics/store/store_kept.def"
#undef KEPT
    WS_STORE_KEPT_TABLES
};
const char *ws_store_kept_table(size_t i);
int64_t ws_store_kept_mark(void); /* of this version */
int ws_store_is_kept(const ws_store *store, int64_t run, int64_t mark, bool *is);
int ws_store_note_kept(const ws_store *store, int64_t run, int64_t mark, const char *reason);

#endif
