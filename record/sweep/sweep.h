/* sweep.h - a sweep: the points of a plan, the folder that keeps what they gave, and what is left to do.
 *
 *     FOLDER/plan.ini            a copy of the plan, with its path in the first line
 *     FOLDER/frame.csv           the frame of all points, which `warpscape sweep` writes at its end
 *     FOLDER/results.db          the results files of all points, merged, where their commands have {db}
 *     FOLDER/points/KEY/command  what was run, readable
 *                       out.csv  what it printed; NAME.csv, NAME: its outputs; results.db: {db}
 *                       log      what it said on standard error
 *                       status   of settings: state = done|failed, exit, signal, seconds, cpu_seconds, peak_bytes,
 * host, version, when
 *            points/KEY.checkpoint/   of `sim`, while the point is not done; shared by all that run it
 *
 * A point's folder is written under another name (points/.KEY.HOST.PID) and renamed once it is whole, so a folder
 * points/KEY is there whole or not at all, whatever is killed; no locks are needed, and processes of many machines may
 * work on one folder. A point that is done is never run again: another input, program or version has another key. */
#ifndef WS_SWEEP_H
#define WS_SWEEP_H

#include "base/frame.h"
#include "record/plan/sweep_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_point_state { WS_POINT_MISSING, WS_POINT_DONE, WS_POINT_FAILED } ws_point_state;

typedef struct ws_point_result {
    ws_point_state state;
    int exit, signal;            /* exit: -1 when a signal ended it */
    double seconds, cpu_seconds; /* NaN while it is missing, as are bytes */
    double peak_bytes;           /* of memory, of the largest of its processes */
    double disk_bytes;           /* of its folder */
} ws_point_result;

typedef struct ws_sweep ws_sweep;

/* How a folder is opened. */
typedef enum ws_sweep_use {
    WS_SWEEP_READ, /* reads what is done; in a folder that is not there nothing is */
    WS_SWEEP_PART  /* reads nothing, for a task of a few points out of very many: these are looked at */
} ws_sweep_use;

/* Opens the folder of a plan whose points are laid out, which the sweep borrows; makes nothing. WS_EMEM. The caller
 * frees it with ws_sweep_close. */
int ws_sweep_open(const ws_plan *plan, const char *folder, ws_sweep_use use, ws_sweep **out);
/* Makes the folder, where it is not there, and keeps a copy of the plan in it. WS_EIO, WS_EINPUT. */
int ws_sweep_make(ws_sweep *sweep);
void ws_sweep_close(ws_sweep *sweep); /* accepts NULL */

const ws_plan *ws_sweep_plan(const ws_sweep *sweep);
const char *ws_sweep_folder(const ws_sweep *sweep); /* an absolute path, once the folder is there */

/* What is known of a point; `look` reads its status file again and returns that. Points with the same key have the same
 * result, and `first` is the first of them: the one to run. */
const ws_point_result *ws_sweep_result(const ws_sweep *sweep, size_t point);
const ws_point_result *ws_sweep_look(ws_sweep *sweep, size_t point);
size_t ws_sweep_first(const ws_sweep *sweep, size_t point);

/* What the folder of the point says now; nothing is counted. */
ws_point_state ws_sweep_state_now(const ws_sweep *sweep, size_t point);

/* The point of that key; SIZE_MAX: the plan has none. */
size_t ws_sweep_find(const ws_sweep *sweep, const char *key);

/* What a point is expected to take: means, and the greatest peak, of those of its block that are done, else
 * what the plan says, else NaN. */
typedef struct ws_point_estimate {
    double seconds, cpu_seconds, peak_bytes, disk_bytes;
    size_t measured; /* points of the block that are done; 0: the plan's own numbers */
} ws_point_estimate;
ws_point_estimate ws_sweep_estimate(const ws_sweep *sweep, size_t block);

/* The last line of the log of a point that failed, or what ended it. */
void ws_sweep_last_line(const ws_sweep *sweep, size_t point, char *text, size_t size);

/* Marks in wanted[points] also what the marked ones need. */
void ws_sweep_want_needed(const ws_sweep *sweep, bool *wanted);

/* Reads how a point and those that it needs stand. */
void ws_sweep_look_at_needed(ws_sweep *sweep, size_t point);

/* Which points to run, and how. */
struct ws_executor;
typedef struct ws_sweep_request {
    const bool *wanted; /* [points] */
    bool retry;         /* also those that failed */
    const struct ws_executor *executor;
    uint32_t jobs;       /* cores that points keep busy at a time; 0: as the executor sees fit */
    const char *program; /* words for a shell that start this program where points run; NULL: its own path */
} ws_sweep_request;

typedef struct ws_sweep_tally {
    size_t points, done, failed, missing; /* of those wanted */
} ws_sweep_tally;

/* Runs what is missing, stage by stage: points that others need come first. WS_OK when all that could be run was, with
 * points that failed among them: *tally says how many. WS_EINTERRUPTED after Ctrl-C; WS_EIO when the folder cannot be
 * written any more, a full disk or quota: what was done by then is kept in both cases, and the same call goes on. */
int ws_sweep_run(ws_sweep *sweep, const ws_sweep_request *request, ws_sweep_tally *tally);

void ws_sweep_count(const ws_sweep *sweep, const bool *wanted, ws_sweep_tally *tally);

/* Removes what killed processes of this machine left in the folder, and checkpoints of points that are done. Called by
 * ws_sweep_run. */
void ws_sweep_clean(const ws_sweep *sweep);

/* Merges the results files of all points that are done ({db}) into FOLDER/results.db, which is replaced; nothing where
 * there are none. Conflicts are told line by line, and WS_EINPUT then: points of one command, workload, scale and seed
 * differ in their numbers. Other errors as of ws_store_merge_files. */
int ws_sweep_merge(const ws_sweep *sweep, void (*tell)(void *user, const char *line), void *user);

/* One frame of all wanted points that are done: labels of all axes (and `points` for blocks, where there are several),
 * further labels of axes, labels of the rows of points of which all rows are taken (row.NAME, where an axis is called
 * so); columns of what points print, then NAME.COLUMN of further frames. `point.rows` is the number of rows that the
 * frame of a point had, `point.exit` its exit status, where the block allows another one than 0. WS_EINPUT for a file
 * of a point that is no frame, or another unit of the same column, with its path. The caller frees it. */
int ws_sweep_frame(const ws_sweep *sweep, const bool *wanted, ws_frame **out);

#endif
