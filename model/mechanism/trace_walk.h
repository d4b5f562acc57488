/* trace_walk.h - iteration over traces, and over the launches of a trace. */
#ifndef WS_TRACE_WALK_H
#define WS_TRACE_WALK_H

#include "base/progress.h"
#include "model/mechanism/trace_files.h"

#include <stdbool.h>

typedef struct ws_trace_walk {
    const ws_trace_files *files;
    ws_progress *bar; /* shows the workload of each trace; NULL: not shown */
    bool whole;       /* a damaged trace is refused before it is visited */
    /* Visits an open trace; trace and workload are borrowed for the call. `done`: share of the traces before it. */
    int (*visit)(void *context, ws_trace *trace, const char *workload, double done);
    void *context;
} ws_trace_walk;

/* Opens, visits and closes each trace, up to the first failure, whose message then begins with the path. WS_EINPUT for
 * a damaged trace; otherwise fails as `visit`. */
int ws_trace_walk_run(const ws_trace_walk *walk);

/* Replays all launches of a trace in order. WS_EINPUT at the end if the trace is damaged after them; otherwise fails as
 * ws_trace_replay. */
int ws_trace_replay_all(ws_trace *trace, const ws_replay *how);

#endif
