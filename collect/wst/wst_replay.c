/* wst_replay.c - shows a launch of a trace file to sinks, on several threads, as a live run would.
 *
 * Threads take runs of blocks that begin where a chunk begins, each unpacks by itself; the fan-out puts the states
 * together in block order. */
#include "collect/trace/fanout.h"
#include "collect/wst/wst_file_internal.h"

#include "base/clock.h"
#include "base/crew.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct job {
    const ws_replay *replay;
    ws_crew crew;
    ws_trace *trace;
    size_t number;
    const ws_launch *launch;
    ws_fanout *fanout;
    uint64_t *start; /* of each task of the crew */
    _Atomic uint64_t blocks_done, warp_instructions, thread_instructions;
} job;

/* Parts of an access that spans several spaces hold disjoint lanes, and only the first has a count. */
static void count(job *j, const ws_batch *batch)
{
    uint64_t warp = 0, thread = 0;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        warp += ev->count;
        thread += (uint64_t)ws_popcount(ev->exec) * (ev->kind == WS_EVENT_MEMORY ? 1 : ev->count);
    }
    atomic_fetch_add_explicit(&j->warp_instructions, warp, memory_order_relaxed);
    atomic_fetch_add_explicit(&j->thread_instructions, thread, memory_order_relaxed);
}

static int deliver(job *j, ws_range *range, const ws_trace_segment *segment, bool *begun)
{
    const uint64_t block = segment->batch.block;
    int status = WS_OK;
    if (!*begun)
        status = ws_range_block_begin(range, block);
    *begun = true;
    if (!status && segment->batch.events)
        status = ws_range_events(range, &segment->batch);
    if (!status && segment->values)
        status = ws_range_values(range, block, segment->value, segment->values);
    count(j, &segment->batch);
    if (!status && segment->last) {
        status = ws_range_block_end(range, block);
        *begun = false;
        atomic_fetch_add(&j->blocks_done, 1);
    }
    return status;
}

/* The blocks [first, end) through a range of their own. */
static int run_part(job *j, ws_trace_cursor *cursor, uint64_t first, uint64_t end)
{
    ws_range *range;
    int status = ws_trace_cursor_seek(cursor, first);
    if (!status)
        status = ws_range_open(j->fanout, first, &range);
    if (status)
        return status;
    bool begun = false, found = true;
    for (uint64_t block = first; block < end && !status && !ws_crew_stopped(&j->crew);) {
        ws_trace_segment segment;
        status = ws_trace_cursor_next(cursor, &segment, &found);
        if (!status && !found)
            status = ws_fail(WS_EINPUT, "%s: launch %zu ends before block %" PRIu64, ws_trace_path(j->trace),
                             j->number + 1, block);
        if (!status)
            status = deliver(j, range, &segment, &begun);
        block += !status && segment.last;
    }
    const int closed = status || ws_crew_stopped(&j->crew) ? WS_OK : ws_range_close(range, end);
    return status ? status : closed;
}

static int work(ws_crew *crew)
{
    job *const j = crew->context;
    ws_trace_cursor *cursor;
    int status = ws_trace_cursor_create(j->trace, j->number, &cursor);
    for (size_t i; !status && ws_crew_next(crew, &i);)
        status = run_part(j, cursor, j->start[i], i + 1 < crew->tasks ? j->start[i + 1] : j->launch->blocks);
    ws_trace_cursor_destroy(cursor);
    return status;
}

static int show_progress(void *context)
{
    const job *const j = context;
    const ws_replay *const r = j->replay;
    return r->progress(r->context, j->launch, atomic_load(&j->blocks_done), atomic_load(&j->warp_instructions))
               ? ws_fail(WS_EINTERRUPTED, "%s: interrupted", j->launch->kernel)
               : WS_OK;
}

static int collect(const job *j)
{
    const ws_replay *const replay = j->replay;
    for (size_t i = 0; replay->collect && i < replay->sink_count; i++) {
        void *const state = ws_fanout_state(j->fanout, i);
        const int status = state ? replay->collect(replay->context, j->launch, i, state)
                                 : ws_fail(WS_EINPUT, "kernel %s: not all blocks were replayed", j->launch->kernel);
        if (status)
            return status;
    }
    return WS_OK;
}

static int fail_incomplete(const ws_trace *t, size_t i)
{
    const ws_trace_launch *const l = ws_trace_get(t, i);
    if (l->blocks)
        return ws_fail(WS_EINPUT,
                       "%s: launch %zu of the trace (%s) was cut short; its last good block is %" PRIu64 " of %" PRIu64,
                       ws_trace_path(t), i + 1, l->launch.kernel, l->blocks - 1, l->launch.blocks);
    return ws_fail(WS_EINPUT, "%s: launch %zu of the trace (%s) was cut short before its first block", ws_trace_path(t),
                   i + 1, l->launch.kernel);
}

int ws_trace_replay(ws_trace *trace, size_t i, const ws_replay *replay, ws_replay_result *result)
{
    const ws_trace_launch *const about = ws_trace_get(trace, i);
    const struct timespec begin = ws_clock_now();
    *result = (ws_replay_result){0};
    if (!about->complete)
        return fail_incomplete(trace, i);
    job j = {.replay = replay, .trace = trace, .number = i, .launch = &about->launch};
    j.crew = (ws_crew){
        .work = work, .progress = replay->progress ? show_progress : NULL, .context = &j, .workers = replay->workers};
    int status = ws_fanout_create(replay->sinks, replay->sink_count, j.launch, &j.fanout);
    if (status)
        return status;
    j.start = ws_wst_starts(trace, i, &j.crew.tasks);
    status = j.start ? ws_crew_run(&j.crew) : ws_fail(WS_EMEM, "no memory to replay kernel %s", j.launch->kernel);
    if (!status)
        status = collect(&j);
    result->warp_instructions = atomic_load(&j.warp_instructions);
    result->thread_instructions = atomic_load(&j.thread_instructions);
    result->seconds = ws_clock_seconds_since(&begin);
    free(j.start);
    ws_fanout_destroy(j.fanout);
    return status;
}
