/* wst_replay.c - shows a launch of a trace file to sinks, on several threads, as a live run would.
 *
 * Threads take runs of blocks that begin where a chunk begins, each unpacks by itself; the fan-out puts the states
 * together in block order. */
#include "collect/trace/fanout.h"
#include "collect/wst/wst_file_internal.h"

#include "base/clock.h"
#include "base/status.h"
#include "base/thread.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGE_BYTES = 1024, PROGRESS_NS = 100 * 1000 * 1000 };

typedef struct job {
    ws_trace *trace;
    size_t number;
    const ws_launch *launch;
    ws_fanout *fanout;
    uint64_t *start; /* [starts] */
    size_t starts;
    _Atomic size_t next;
    _Atomic uint64_t blocks_done, warp_instructions, thread_instructions;
    _Atomic bool stop;
    pthread_mutex_t lock; /* guards status, message, running, and wakes who waits for the end */
    pthread_cond_t ended;
    unsigned running;
    int status;
    char message[MESSAGE_BYTES]; /* messages belong to threads; this one is for the caller */
} job;

static void fail(job *j, int status)
{
    pthread_mutex_lock(&j->lock);
    if (!j->status) {
        j->status = status;
        snprintf(j->message, sizeof j->message, "%s", ws_message());
    }
    pthread_mutex_unlock(&j->lock);
    atomic_store(&j->stop, true);
}

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
    for (uint64_t block = first; block < end && !status && !atomic_load(&j->stop);) {
        ws_trace_segment segment;
        status = ws_trace_cursor_next(cursor, &segment, &found);
        if (!status && !found)
            status = ws_fail(WS_EINPUT, "%s: launch %zu ends before block %" PRIu64, ws_trace_path(j->trace),
                             j->number + 1, block);
        if (!status)
            status = deliver(j, range, &segment, &begun);
        block += !status && segment.last;
    }
    const int closed = status || atomic_load(&j->stop) ? WS_OK : ws_range_close(range, end);
    return status ? status : closed;
}

static void work(job *j)
{
    ws_trace_cursor *cursor;
    int status = ws_trace_cursor_create(j->trace, j->number, &cursor);
    for (size_t i; !status && !atomic_load(&j->stop) && (i = atomic_fetch_add(&j->next, 1)) < j->starts;)
        status = run_part(j, cursor, j->start[i], i + 1 < j->starts ? j->start[i + 1] : j->launch->blocks);
    ws_trace_cursor_destroy(cursor);
    if (status)
        fail(j, status);
}

static void *worker(void *context)
{
    job *const j = context;
    work(j);
    pthread_mutex_lock(&j->lock);
    j->running--;
    pthread_cond_signal(&j->ended);
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

/* Waits for the workers, and lets the caller see how far they are. */
static void wait_for_all(job *j, const ws_replay *replay)
{
    pthread_mutex_lock(&j->lock);
    while (j->running) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PROGRESS_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&j->ended, &j->lock, &until);
        pthread_mutex_unlock(&j->lock);
        if (replay->progress && !atomic_load(&j->stop) &&
            replay->progress(replay->context, j->launch, atomic_load(&j->blocks_done),
                             atomic_load(&j->warp_instructions)))
            fail(j, ws_fail(WS_EINTERRUPTED, "%s: interrupted", j->launch->kernel));
        pthread_mutex_lock(&j->lock);
    }
    pthread_mutex_unlock(&j->lock);
}

static int run(job *j, const ws_replay *replay)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned workers = replay->workers ? replay->workers : online > 0 ? (unsigned)online : 1;
    pthread_t *const thread = calloc(workers, sizeof *thread);
    if (!thread)
        return ws_fail(WS_EMEM, "no memory to replay kernel %s", j->launch->kernel);
    unsigned started = 0;
    pthread_mutex_lock(&j->lock);
    for (; started < workers && started < j->starts; started++)
        if (ws_thread_start(&thread[started], worker, j))
            break;
    j->running = started;
    pthread_mutex_unlock(&j->lock);
    if (!started && j->starts)
        work(j);
    wait_for_all(j, replay);
    for (unsigned i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    return j->status ? ws_fail(j->status, "%s", j->message) : WS_OK;
}

static int collect(const job *j, const ws_replay *replay)
{
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
    job j = {.trace = trace, .number = i, .launch = &about->launch};
    int status = ws_fanout_create(replay->sinks, replay->sink_count, j.launch, &j.fanout);
    if (status)
        return status;
    pthread_mutex_init(&j.lock, NULL);
    pthread_cond_init(&j.ended, NULL);
    j.start = ws_wst_starts(trace, i, &j.starts);
    status = j.start ? run(&j, replay) : ws_fail(WS_EMEM, "no memory to replay kernel %s", j.launch->kernel);
    if (!status)
        status = collect(&j, replay);
    result->warp_instructions = atomic_load(&j.warp_instructions);
    result->thread_instructions = atomic_load(&j.thread_instructions);
    result->seconds = ws_clock_seconds_since(&begin);
    free(j.start);
    ws_fanout_destroy(j.fanout);
    pthread_cond_destroy(&j.ended);
    pthread_mutex_destroy(&j.lock);
    return status;
}
