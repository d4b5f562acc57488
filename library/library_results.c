/* library_results.c - results files, and runs that are measured into them, for programs that link with the library. */
#include "library/library_recorder_internal.h"

#include "base/clock.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ reading */

int warpscape_results_open(const char *path, warpscape_results **out)
{
    ws_store *store = NULL;
    const int status = ws_store_open(path, false, &store);
    *out = (warpscape_results *)store;
    return status;
}

void warpscape_results_close(warpscape_results *results)
{
    ws_store_close((ws_store *)results);
}

int warpscape_results_frame(warpscape_results *results, warpscape_per per, const char *set, warpscape_frame **out)
{
    static const ws_per ours[] = {WS_PER_LAUNCH, WS_PER_KERNEL, WS_PER_WORKLOAD};
    ws_frame *frame = NULL;
    *out = NULL;
    if ((unsigned)per >= sizeof ours / sizeof *ours)
        return ws_fail(WS_EINPUT, "a frame has a row per launch, kernel or workload: 0 to 2, not %d", (int)per);
    const int status = ws_store_frame((ws_store *)results, ours[per], set, false, &frame);
    *out = library_frame_as(frame);
    return status;
}

/* ------------------------------------------------------------------------------------------------ writing */

static void destroy(warpscape_recorder *r)
{
    ws_listeners_close(&r->listeners, 0, 0);
    ws_store_close(r->store);
    free(r);
}

int warpscape_recorder_open(const char *results_path, const char *workload, warpscape_recorder **out)
{
    const ws_listeners_options who = {.metrics = true, .instructions = true};
    const ws_store_run about = {.workload = workload, .scale = "", .command = "libwarpscape " WS_VERSION};
    *out = NULL;
    warpscape_recorder *const r = calloc(1, sizeof *r);
    if (!r)
        return ws_fail(WS_EMEM, "no memory for a recorder");
    r->begin = ws_clock_now();
    int status = *workload ? ws_listeners_open(&r->listeners, &who) : ws_fail(WS_EINPUT, "a workload needs a name");
    if (status == WS_OK)
        status = ws_store_open(results_path, true, &r->store);
    if (status == WS_OK)
        status = ws_store_begin(r->store, &about, &r->run);
    if (status != WS_OK) {
        destroy(r);
        return status;
    }
    *out = r;
    return WS_OK;
}

int warpscape_recorder_close(warpscape_recorder *recorder, const char *failure)
{
    if (!recorder)
        return WS_OK;
    int status =
        recorder->d2h_bytes ? ws_store_add_copy(recorder->store, recorder->run, 0, recorder->d2h_bytes) : WS_OK;
    if (status == WS_OK)
        status = ws_store_finish(recorder->store, recorder->run, failure ? failure : "done",
                                 ws_clock_seconds_since(&recorder->begin));
    destroy(recorder);
    return status;
}

int library_record(warpscape_recorder *r, const ws_launch *launch, const library_ran *ran)
{
    int status = ws_store_add_launch(r->store, r->run, launch, ran->seconds, ran->warp_instructions,
                                     ran->thread_instructions, r->listeners.collector);
    if (status == WS_OK)
        status = ws_listeners_note_sources(&r->listeners, r->store, r->run);
    r->launches++;
    return status;
}

static int replay_launch(warpscape_recorder *r, ws_trace *trace, size_t i)
{
    const ws_replay how = {.sinks = r->listeners.sink,
                           .sink_count = r->listeners.n,
                           .collect = ws_listeners_collect,
                           .context = &r->listeners};
    ws_replay_result result;
    const int status = ws_trace_replay(trace, i, &how, &result);
    ws_launch launch = ws_trace_get(trace, i)->launch;
    launch.sequence += r->before;
    const library_ran ran = {result.seconds, result.warp_instructions, result.thread_instructions};
    return status == WS_OK ? library_record(r, &launch, &ran) : status;
}

int warpscape_recorder_replay(warpscape_recorder *recorder, const char *trace_path)
{
    ws_trace *trace = NULL;
    uint64_t h2d, d2h;
    int status = ws_trace_open(trace_path, &trace);
    recorder->before = recorder->launches;
    recorder->listeners.sources.trace = trace;
    for (size_t i = 0; status == WS_OK && i < ws_trace_launches(trace); i++)
        status = replay_launch(recorder, trace, i);
    if (status == WS_OK && ws_trace_damage(trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    if (status == WS_OK) {
        ws_trace_copied(trace, &h2d, &d2h);
        if (h2d || d2h)
            status = ws_store_add_copy(recorder->store, recorder->run, h2d, d2h);
    }
    recorder->listeners.sources.trace = NULL;
    ws_trace_close(trace);
    return status;
}
