/* trace_walk.c - see trace_walk.h. */
#include "model/mechanism/trace_walk.h"

#include "base/status.h"

#include <stdlib.h>

static int refuse_damage(const ws_trace *trace)
{
    return ws_trace_damage(trace) ? ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace)) : WS_OK;
}

static int visit(const ws_trace_walk *walk, const char *path, double done)
{
    ws_trace *trace;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    char *const workload = ws_trace_workload(trace);
    if (workload && walk->bar)
        ws_progress_show(walk->bar, workload, done);
    status = !workload ? WS_EMEM : walk->whole ? refuse_damage(trace) : WS_OK;
    if (!status)
        status = walk->visit(walk->context, trace, workload, done);
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_trace_close(trace);
    free(workload);
    return status;
}

int ws_trace_walk_run(const ws_trace_walk *walk)
{
    const ws_trace_files *const files = walk->files;
    int status = WS_OK;
    for (size_t i = 0; i < files->count && !status; i++)
        status = visit(walk, files->path[i], (double)i / (double)files->count);
    return status;
}

int ws_trace_replay_all(ws_trace *trace, const ws_replay *how)
{
    ws_replay_result done;
    int status = WS_OK;
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++)
        status = ws_trace_replay(trace, i, how, &done);
    return status ? status : refuse_damage(trace);
}
