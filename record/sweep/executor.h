/* executor.h - where the points of a sweep run: a row of executors.def and a const ws_executor each.
 *
 * An executor gets points that are ready: none of them is done, none needs another one of them, no two have the same
 * key. It runs each by
 *
 *     warpscape sweep PLAN -o FOLDER --task FILE      FILE: keys of points, one a line; runs those of them that
 *                                                     are not done, also those that failed, on this machine by the
 *                                                     executor `local`; exits with 0 when all are done, with
 *                                                     2 when none can begin on this machine, else with 1
 *
 * somewhere else, or in this process by point_start() (point_run.h), as `local` does. Both leave FOLDER/points/KEY
 * behind, whole or not at all, which is the only way in which results come back: no pipe, no socket, no lock. A plan
 * whose files, or whose version of the program, are others on the machine of a task has other keys, and the task says
 * so and runs nothing.
 *
 * run() returns when each of its points has a status file, or cannot get one:
 *
 *   WS_OK            every point has its status, done or failed; a command that failed is no failure of the executor
 *   WS_EINTERRUPTED  ws_interrupted(): nothing of ours runs any more, or what does goes on by itself and is found again
 *                    by the next run() on the same folder (as jobs of a cluster are)
 *   WS_EIO ...       the executor cannot go on (no room, no cluster); the message says what to do
 *
 * It calls ws_sweep_ended() once for each point, when its folder is there, and ws_sweep_idle() at least a few times a
 * second while it waits: they keep the line of progress. Between two calls of run() the process may have been killed
 * with any signal: what an executor has to know again (numbers of jobs, which point is in which) it keeps in files of
 * its own, in FOLDER/NAME of the executor, readable, and written by base/output.h. A point without a status after its
 * job is gone (a node that died, a time limit) is run again; who repeats that without end says so, and how often is
 * the executor's own choice, written down there.
 *
 * Estimates for packing points into tasks and for limits come from ws_sweep_estimate(), from measured points first. */
#ifndef WS_EXECUTOR_H
#define WS_EXECUTOR_H

#include "record/sweep/sweep.h"

typedef struct ws_executor {
    const char *name;
    bool is_elsewhere; /* points run on other machines */
    /* point[points]: indices of the plan's points, in the order in which they should begin. */
    int (*run)(ws_sweep *sweep, const size_t *point, size_t points, const ws_sweep_request *request);
} ws_executor;

/* NULL: there is none of that name. The names, with NULL behind the last, are for options. */
const ws_executor *ws_executor_find(const char *name);
extern const char *const ws_executor_names[];

/* The folder of this point is there: it is read and counted. */
void ws_sweep_ended(ws_sweep *sweep, size_t point);
/* Nothing ended; `note`, or NULL, stands beside the numbers: "3 jobs wait". */
void ws_sweep_idle(ws_sweep *sweep, const char *note);

/* A line on standard error: what the executor met. */
void ws_sweep_say(ws_sweep *sweep, const char *text);

#define EXECUTOR(name) extern const ws_executor ws_executor_##name;
#include "record/sweep/executors.def"
#undef EXECUTOR

#endif
