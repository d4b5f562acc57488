/* stepper.c - one launch step by step, see stepper.h.
 *
 * A slot is a block with a range of the sinks to itself. Blocks that end are used again; there is one worker, whose
 * buffers hold the events of the last step. */
#include "collect/simt/stepper.h"

#include "base/clock.h"
#include "collect/simt/simt_internal.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_BETWEEN_LOOKS = 4096, PROGRESS_NANOSECONDS = 100000000 };

struct ws_stepper {
    launch launch;
    worker worker;
    block **slot; /* [slots] NULL where free */
    uint32_t slots;
    int status;     /* of the first call that failed */
    uint32_t steps; /* since the clock was looked at */
    struct timespec reported;
};

int ws_stepper_create(ws_kernel *kernel, const ws_run *run, ws_stepper **out)
{
    *out = NULL;
    ws_stepper *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for a launch");
    int status = engine_open_launch(&s->launch, kernel, run);
    if (status) {
        free(s);
        return status;
    }
    s->launch.workers = 1;
    s->launch.wants |= WS_WANT_INSTRUCTIONS;
    s->reported = ws_clock_now();
    if (!launch_worker_init(&s->worker, &s->launch, 0))
        return ws_stepper_close(s, ws_fail(WS_EMEM, "no memory for a worker"), NULL);
    *out = s;
    return WS_OK;
}

const ws_launch *ws_stepper_launch(const ws_stepper *stepper)
{
    return &stepper->launch.facts;
}

bool ws_stepper_is_cooperative(const ws_stepper *stepper)
{
    return stepper->launch.run->cooperative;
}

void ws_stepper_set_clock(ws_stepper *stepper, const ws_stepper_clock *clock)
{
    stepper->launch.clock = clock;
}

void ws_stepper_set_watch(ws_stepper *stepper, const ws_stepper_watch *watch)
{
    stepper->launch.watch = watch;
}

static int stopped(const ws_stepper *s)
{
    return ws_fail(s->status, "%s", s->launch.message ? s->launch.message : ws_phrase(s->status));
}

/* The launch cannot go on; the message is kept for the calls that follow. */
static int stop(ws_stepper *s, int status, const char *message)
{
    s->status = status;
    free(s->launch.message);
    s->launch.message = strdup(message);
    return stopped(s);
}

static int block_stopped(ws_stepper *s, const block *b)
{
    return stop(s, b->status, b->fault ? b->fault : ws_phrase(b->status));
}

/* ---- slots ---- */

static int make_slots(ws_stepper *s, uint32_t slots)
{
    block **const more = realloc(s->slot, slots * sizeof(block *));
    if (!more)
        return stop(s, WS_EMEM, "no memory for a block");
    s->slot = more;
    for (; s->slots < slots; s->slots++)
        s->slot[s->slots] = NULL;
    return WS_OK;
}

static block *take_block(ws_stepper *s)
{
    block *const b = s->worker.spare;
    if (!b)
        return block_create(&s->launch, &s->worker);
    s->worker.spare = b->next;
    return b;
}

/* Gives the block a range of its own, since others may run in between. */
static int attach(ws_stepper *s, block *b)
{
    b->range = NULL;
    if (!s->launch.fanout)
        return WS_OK;
    const int status = ws_range_open(s->launch.fanout, b->index, &b->range);
    return status ? status : ws_range_block_begin(b->range, b->index);
}

int ws_stepper_begin(ws_stepper *s, uint32_t slot, uint64_t index)
{
    if (s->status)
        return stopped(s);
    if (index >= s->launch.facts.blocks || (slot < s->slots && s->slot[slot]))
        return stop(s, WS_EVERIFY, "a simulator starts a block that does not exist, or where another one runs");
    if (slot >= s->slots && make_slots(s, slot + 1))
        return s->status;
    block *const b = take_block(s);
    if (!b)
        return stop(s, WS_EMEM, "no memory for a block");
    s->slot[slot] = b;
    b->index = index;
    b->worker = &s->worker;
    b->event = s->worker.event;
    b->address = s->worker.address;
    b->scratch = s->worker.scratch;
    b->stepped = true;
    b->told = 0;
    const int status = attach(s, b);
    if (status)
        return stop(s, status, ws_message());
    return block_start(b, index) ? block_stopped(s, b) : WS_OK;
}

void ws_stepper_end(ws_stepper *s, uint32_t slot)
{
    block *const b = slot < s->slots ? s->slot[slot] : NULL;
    if (!b)
        return;
    s->slot[slot] = NULL; /* a range that is still open is incomplete: the fan-out frees it */
    b->next = s->worker.spare;
    s->worker.spare = b;
}

/* All warps have ended. */
static int finish_block(ws_stepper *s, block *b)
{
    s->launch.done++;
    if (!b->range)
        return WS_OK;
    int status = ws_range_block_end(b->range, b->index);
    if (!status)
        status = ws_range_close(b->range, b->index + 1);
    b->range = NULL;
    return status ? stop(s, status, ws_message()) : WS_OK;
}

/* ---- steps ---- */

ws_warp_state ws_stepper_warp(const ws_stepper *s, uint32_t slot, uint32_t warp_index)
{
    switch (s->slot[slot]->warp[warp_index].state) {
    case WARP_READY:
        return WS_WARP_READY;
    case WARP_BARRIER:
        return WS_WARP_WAITS;
    default:
        return WS_WARP_ENDED;
    }
}

static int report_progress(ws_stepper *s)
{
    struct timespec now;
    const ws_run *const run = s->launch.run;
    s->steps = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t passed = (now.tv_sec - s->reported.tv_sec) * 1000000000LL + now.tv_nsec - s->reported.tv_nsec;
    if (passed < PROGRESS_NANOSECONDS)
        return WS_OK;
    s->reported = now;
    return run->progress(run->context, &s->launch.facts, s->launch.done, s->worker.warp_instructions)
               ? stop(s, WS_EINTERRUPTED, "interrupted")
               : WS_OK;
}

static int check_limits(ws_stepper *s)
{
    const ws_run *const run = s->launch.run;
    if (run->max_instructions && s->worker.warp_instructions > run->max_instructions) {
        ws_fail(WS_ELIMIT, "kernel %s: more than %llu warp instructions", s->launch.facts.kernel,
                (unsigned long long)run->max_instructions);
        return stop(s, WS_ELIMIT, ws_message());
    }
    return run->progress && ++s->steps >= STEPS_BETWEEN_LOOKS ? report_progress(s) : WS_OK;
}

/* A warp has stopped: the block may have ended, or nobody is left who could open the barriers. */
static int look_around(ws_stepper *s, block *b)
{
    if (!b->live_warps)
        return finish_block(s, b);
    for (uint32_t i = 0; i < b->warps; i++)
        if (b->warp[i].state == WARP_READY)
            return WS_OK;
    block_deadlock(b);
    return block_stopped(s, b);
}

static int miscounted(ws_stepper *s, const block *b, uint32_t warp_index)
{
    ws_fail(WS_EVERIFY,
            "kernel %s: block (%u,%u,%u): a simulator lets warp %u go on, which waits at a barrier that is not "
            "complete",
            s->launch.facts.kernel, b->ctaid[0], b->ctaid[1], b->ctaid[2], warp_index);
    return stop(s, WS_EVERIFY, ws_message());
}

/* A step that only changes paths, or only ends a slice, is none for the caller. */
static int advance(ws_stepper *s, block *b, warp *w)
{
    const uint64_t before = w->instructions;
    do {
        warp_step(w);
        if (w->state == WARP_FAULT && !b->status)
            block_fail(b, WS_EFAULT, "kernel %s: a warp failed", s->launch.facts.kernel);
        if (b->status)
            return block_stopped(s, b);
    } while (w->state == WARP_READY && w->instructions == before);
    if (b->range && !block_flush(b))
        return block_stopped(s, b);
    const int status = check_limits(s);
    return status || w->state == WARP_READY ? status : look_around(s, b);
}

int ws_stepper_step(ws_stepper *s, uint32_t slot, uint32_t warp_index, ws_batch *batch)
{
    *batch = (ws_batch){0};
    if (s->status)
        return stopped(s);
    block *const b = slot < s->slots ? s->slot[slot] : NULL;
    if (!b || warp_index >= b->warps)
        return stop(s, WS_EVERIFY, "a simulator moves a warp that is not there");
    warp *const w = &b->warp[warp_index];
    b->events = b->addresses = b->told = 0;
    if (w->state == WARP_BARRIER)
        return miscounted(s, b, warp_index);
    const int status = w->state == WARP_DONE ? WS_OK : advance(s, b, w);
    *batch = (ws_batch){.block = b->index, .event = b->event, .events = b->events, .address = b->address};
    return status;
}

uint64_t ws_stepper_failed_swaps(const ws_stepper *s)
{
    return s->worker.failed_swaps;
}

/* ---- end ---- */

int ws_stepper_close(ws_stepper *s, int status, ws_run_result *result)
{
    if (!s)
        return status;
    launch *const l = &s->launch;
    if (!status && s->status)
        status = stopped(s);
    if (!status && l->done < l->facts.blocks)
        status = ws_fail(WS_EVERIFY, "kernel %s: a simulator left after %llu of %llu blocks", l->facts.kernel,
                         (unsigned long long)l->done, (unsigned long long)l->facts.blocks);
    if (result)
        *result = (ws_run_result){.warp_instructions = s->worker.warp_instructions,
                                  .thread_instructions = s->worker.thread_instructions,
                                  .seconds = ws_clock_thread_seconds() - l->begin,
                                  .blocks_done = l->done,
                                  .device_bytes = s->worker.device_bytes,
                                  .device_waits = s->worker.device_waits};
    for (uint32_t i = 0; i < s->slots; i++)
        block_destroy(s->slot[i]);
    launch_worker_fini(&s->worker);
    status = engine_close_launch(l, status, result);
    free(s->slot);
    free(s);
    return status;
}
