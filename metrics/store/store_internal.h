/* store_internal.h - open results file and SQL helpers, shared by the files of the store. */
#ifndef WS_STORE_INTERNAL_H
#define WS_STORE_INTERNAL_H

#include "base/bytes.h"
#include "base/hush.h"
#include "metrics/store/store.h"

#include <sqlite3.h>
#include <sys/stat.h>

enum { WS_STORE_PARTS = 3, WS_STORE_FILES = 8, WS_STORE_IDLE = 32 };

typedef struct ws_store_file {
    int fd;
    struct stat about;
} ws_store_file;

/* What an open store keeps from one statement to the next (store_statement.c). */
typedef struct ws_store_session {
    sqlite3_stmt *idle[WS_STORE_IDLE]; /* prepared, of ws_store_take, the latest last */
    size_t idles;
    ws_hush hush; /* of the transaction that writes */
    bool writing;
    int64_t finished; /* run that this store is finishing: its launches need no check against their checksums */
    int64_t *family;  /* [ws_metrics()] numbers of their layouts in the file; 0: not known */
} ws_store_session;

struct ws_store {
    sqlite3 *db;
    char *path;
    ws_store_session *session;
    bool fractions;                     /* frames show histograms as fractions */
    int64_t chosen;                     /* the only run that is shown; 0: the runs of ws_store_prepare_runs */
    ws_store_file file[WS_STORE_FILES]; /* descriptors recorded by ws_store_watch_files */
    unsigned files;
    bool input, frozen; /* opened by ws_store_open_input; without locks: file[0].about is its state at that time */
    bool lost;          /* a recorded descriptor was lost: the store must neither write nor close */
    ws_store *next_left;
};

/* Opens a results file for reading. Writes nothing, neither to the file nor, if it has no log, to its folder. An older
 * format is converted in a temporary copy. Errors as ws_store_open. */
int ws_store_open_input(const char *path, ws_store **out);

/* Returns WS_EBUSY if an input read without locks has changed since it was opened. */
int ws_store_check_input(const ws_store *store);

/* Creates a results file with all tables and no rows from `file`, an empty file known only to this process. Leaves a
 * transaction open, for ws_store_end. The file may be left incomplete on failure. Messages name `path`. */
int ws_store_open_result(const char *path, const char *file, ws_store **out);

/* Replaces ws_store_close for a lost store. */
void ws_store_leave(ws_store *store);

/* Converts a result of SQLite, directly after its call, to a status, with a message that names the file. */
int ws_store_fail(const ws_store *store, int result);

/* Prepares a statement and binds its parameters. `types` has one letter per parameter: i int64_t, d double, t const
 * char * (NULL gives NULL), b const void * and size_t. Texts and blobs must stay valid until the caller finalizes the
 * statement. */
int ws_store_prepare(const ws_store *store, sqlite3_stmt **out, const char *sql, const char *types, ...);

/* Executes a statement without rows, with parameters as ws_store_prepare. ws_store_repeat keeps it prepared, as
 * ws_store_take. */
int ws_store_exec(const ws_store *store, const char *sql, const char *types, ...);
int ws_store_repeat(const ws_store *store, const char *sql, const char *types, ...);

/* The same for a statement that runs again and again: prepares it unless the store has kept it. The caller gives it
 * back with ws_store_put instead of finalizing it; ws_store_put accepts NULL. */
int ws_store_take(const ws_store *store, sqlite3_stmt **out, const char *sql, const char *types, ...);
void ws_store_put(const ws_store *store, sqlite3_stmt *statement);

/* Steps to the next row; sets *row to false after the last. */
int ws_store_step(const ws_store *store, sqlite3_stmt *statement, bool *row);

/* Begins a read transaction on a file with consistent parts. */
int ws_store_begin_reading(const ws_store *store);

/* Begins a transaction that writes, once no other process does. SIGXFSZ is blocked (base/hush.h) until ws_store_end, so
 * both must be called by one thread. */
int ws_store_begin_writing(const ws_store *store);

/* Ends a transaction: COMMIT if status is WS_OK, else ROLLBACK. Returns status, or the failure of the commit. */
int ws_store_end(const ws_store *store, int status);

/* Create and destroy what a store keeps between statements. ws_store_forget drops it: before the connection is closed.
 */
ws_store_session *ws_store_session_create(void);
void ws_store_session_destroy(ws_store_session *session);
void ws_store_forget(const ws_store *store);

/* Returns the text of a column; "" for NULL. Valid until the next step. */
const char *ws_store_text(sqlite3_stmt *statement, int column);

/* Write this process in the form stored in results files, and return whether such a text names another live process. */
enum { WS_OWNER_BYTES = 160 };
void ws_store_owner(char text[WS_OWNER_BYTES]);
bool ws_store_owner_lives_elsewhere(const char *text);

/* Writes the layout of a family's counters ("sop sum,par sum,...", edges of bins) as a 64-bit hash in hexadecimal. Rows
 * with another hash cannot be read. */
enum { WS_SIGNATURE_BYTES = 17 };
void ws_store_signature(const ws_metric *metric, char text[WS_SIGNATURE_BYTES]);

int64_t ws_store_checksum(const void *blob, size_t bytes);

/* Query of the checksums of a launch's counters; it does not read the counters. */
#define WS_STORE_SUMS_OF "SELECT family, checksum FROM counter WHERE launch = ?1"

/* Appends the stored form of n counters to `blob`, and sets *checksum, which depends on their values alone. On failure,
 * blob->failed is set. ws_store_decode and ws_store_check_counters return WS_EINPUT for a damaged blob; the latter
 * takes the number of counters from the file. */
void ws_store_encode(const double *counter, size_t n, ws_bytes *blob, int64_t *checksum);
int ws_store_decode(const ws_store *store, const void *blob, size_t bytes, int64_t checksum, size_t n, double *counter);
int ws_store_check_counters(const ws_store *store, const void *blob, size_t bytes, int64_t checksum, int64_t counters);

/* Computes one checksum over everything that frames show about a run, except the counters of its launches. */
int ws_store_run_checksum(const ws_store *store, int64_t run, int64_t *checksum);

/* Prepares a query of the runs that frames may show: for each workload the last run that counts and later failed runs,
 * or the chosen run. The caller finalizes it. Columns: id, workload, scale, seed, command, version, status, checksum,
 * partial, selection, sampling. */
int ws_store_prepare_runs(const ws_store *store, sqlite3_stmt **out);

/* Sets *counts to whether an unfinished run counts up to its last launch, and measured a launch. */
int ws_store_unfinished_counts(const ws_store *store, int64_t run, bool *counts);

/* Finishes or removes a run whose process is gone. Call within a transaction. */
int ws_store_end_abandoned(const ws_store *store, int64_t run);

/* Steps to the next run whose launches are shown; sets *row to false after the last. Fails for a damaged run. */
int ws_store_next_shown(const ws_store *store, sqlite3_stmt *runs, bool *row);

/* Value of a column, by its type: t text, i number, n number that may be unknown, d real. */
typedef struct ws_store_value {
    const char *text;
    int64_t number;
    double real;
    bool known;
} ws_store_value;

/* Columns of a launch that its checksum covers, in order, with their types; and the checksums of its families. */
#define WS_STORE_LAUNCH_COLUMNS \
    "sequence, kernel, title, seconds, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, shared_bytes," \
    " local_bytes, const_bytes, warp_instructions, thread_instructions, dynamic_shared, h2d, d2h, d2d, filled," \
    " process, measured, stratum, slice, parent"
#define WS_STORE_LAUNCH_TYPES "nttdnnnnnnnnnnnnnnnnnnnnnn"
enum { WS_STORE_LAUNCH_VALUES = sizeof WS_STORE_LAUNCH_TYPES - 1 };
typedef struct ws_store_sum {
    const char *name;
    int64_t checksum;
} ws_store_sum;

/* Returns the checksum of a launch that is about to be written, as ws_store_seal computes it of one that is there.
 * Sorts the sums by name. profile: its checksum; NULL: none. */
int64_t ws_store_launch_checksum(const ws_store_value value[WS_STORE_LAUNCH_VALUES], ws_store_sum *sums, size_t n,
                                 const int64_t *profile);

/* Stores the checksum of a launch, over its row, counters and profile. Call within the transaction that changed one of
 * them. */
int ws_store_seal(const ws_store *store, int64_t launch);

/* Returns WS_EINPUT if a launch of the run does not match its checksum. */
int ws_store_check_launches(const ws_store *store, int64_t run);

/* Return WS_EINPUT if a finished run does not match its checksum, or if parts of the file contradict each other. */
int ws_store_check_run(const ws_store *store, int64_t run, int64_t checksum);
int ws_store_check_file(const ws_store *store);

/* Returns WS_EINPUT if the file has a table, index, view or trigger that this program does not create, or a computed
 * one. */
int ws_store_check_schema(const ws_store *store);

/* Sets *found to whether the file has a table that is created on demand: "profile", "listing", "source". */
int ws_store_has_table(const ws_store *store, const char *name, bool *found);

/* Statements that create such tables. */
extern const char ws_store_profile_table[], ws_store_listing_table[], ws_store_source_table[];

/* Sets *id to the number of a family's layout in the file, which is added if missing. Call within a transaction. */
int ws_store_family(const ws_store *store, const char *name, int64_t counters, const char *signature, int64_t *id);

/* Adds the launch's counts of instructions, if any, to its run. Call within a transaction. */
int ws_store_add_listing(const ws_store *store, int64_t run, const ws_store_launch *launch);

/* Adds the collector's profile, if any, to the launch with that id. Call within a transaction. */
int ws_store_add_profile(const ws_store *store, int64_t launch, const ws_collector *collector);

/* Create the frames of all columns of one run, per kernel and per workload, and its listings (with workload ""). Call
 * within a transaction. The caller frees the frames, also after a failure. */
int ws_store_frames_of(const ws_store *store, int64_t run, ws_frame **kernels, ws_frame **workload);
int ws_store_listings_of(const ws_store *store, int64_t run, int (*see)(void *user, const ws_store_listing *listing),
                         void *user);

/* Creates the views and tables for programs that read the file with SQL, updates those of other versions, and fills
 * them for ended runs. On failure (no space, another writer, damage) they stay unchanged until the next attempt;
 * results do not depend on them. Call outside of transactions. */
void ws_store_make_views(const ws_store *store);

/* The two steps of ws_store_make_views, for filling a file within one transaction: the tables and views without rows,
 * and the rows of an ended run. */
int ws_store_make_kept(const ws_store *store);
int ws_store_keep_run(const ws_store *store, int64_t run);

/* Tables of such rows, with the run as their first column. *is: whether the rows of a run are complete and of this
 * version. ws_store_note_kept records that they are, or the reason if not. */
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
