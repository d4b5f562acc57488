/* phases.c - how much of a launch is spent on bringing data to shared memory, on computing, and on writing results
 * back?
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, chapter 5, says of programs that
 * gain from reuse between kernels that they load data to shared memory, compute, and write back, and has no rule for
 * where a phase ends. Here, for each warp, as it goes:
 *
 * - to load is all from a load of global memory to the last store to shared memory (or asynchronous copy to it) before
 * something else begins;
 * - to write back is all from a store to global memory, or an atomic there, to before the next load or barrier;
 * - to compute is the rest. A load of shared memory, a barrier and a store to global memory end a phase of loading; a
 * barrier that comes after stores to shared memory belongs to it.
 *
 * Operations for each byte of global memory are mix_ops_per_global_byte. */
#include "metrics/family.h"

#include "base/status.h"

#include <stdlib.h>

#define GROUP "phases"
#define COUNTERS(ONE, MANY) \
    ONE(warp_instr, SUM) \
    ONE(load, SUM) \
    ONE(write, SUM)
#define COLUMNS(ONE, MANY) \
    ONE(load, "ratio", \
        "Share of warp instructions from loads of global memory to the stores to shared memory that follow them, and " \
        "barriers behind these; exact.") \
    ONE(compute, "ratio", \
        "Share of warp instructions that neither bring data to shared memory nor write results back; exact.") \
    ONE(write, "ratio", \
        "Share of warp instructions from stores to global memory, or atomics there, to before the next load or " \
        "barrier; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* What a warp of the thread block that runs is at. Loading: `open` instructions since the load of global memory, or
 * since the last store to shared memory, are not known to be of the phase yet. */
typedef struct progress {
    uint64_t open;
    enum { COMPUTING, LOADING, WRITING } at;
    bool stored; /* to shared memory, since the phase of loading began */
} progress;

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    progress *warp; /* [warps] */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->warp = calloc(launch->warps_per_block + 1u, sizeof *s->warp);
    return s->warp ? WS_OK : ws_fail(WS_EMEM, "no memory for the phases of warps");
}

static void begin(progress *w, int at)
{
    *w = (progress){.at = at};
}

/* Instructions that begin or end no phase. */
static void go_on(state *s, progress *w, uint64_t count)
{
    w->open += w->at == LOADING ? count : 0;
    s->write += w->at == WRITING ? count : 0;
}

static void see_barrier(state *s, progress *w, uint64_t count)
{
    if (w->at == LOADING && w->stored)
        s->load += w->open + count;
    begin(w, COMPUTING);
}

static void see_global(state *s, progress *w, bool loads, uint64_t count)
{
    if (!loads) {
        if (w->at != WRITING)
            begin(w, WRITING);
    } else if (w->at != LOADING)
        begin(w, LOADING);
    go_on(s, w, count);
}

/* A load of shared memory is of what computes, in whatever phase the warp was. */
static void see_shared(state *s, progress *w, bool loads, uint64_t count)
{
    if (loads) {
        begin(w, COMPUTING);
        return;
    }
    go_on(s, w, count);
    if (w->at != LOADING)
        return;
    s->load += w->open;
    w->open = 0;
    w->stored = true;
}

/* Atomics on shared memory neither load nor write back: they are of the phase that the warp is in. */
static void see_memory(state *s, progress *w, const ws_event *ev, const ws_instr *in)
{
    const bool loads = in->access == WS_ACCESS_LOAD, stores = in->access == WS_ACCESS_STORE;
    const bool shared = ev->space == WS_SPACE_SHARED,
               copy = shared && in->copy; /* which has a part in global memory, too */
    if (ev->space == WS_SPACE_GLOBAL || (ev->space == WS_SPACE_TEXTURE && loads) || (copy && stores))
        see_global(s, w, loads, ev->count);
    else if (shared && (loads || stores))
        see_shared(s, w, loads && !copy, ev->count);
    else
        go_on(s, w, ev->count);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_EVENT (ev, batch) {
        progress *const w = &s->warp[ev->warp];
        s->warp_instr += ev->count;
        if (ev->kind == WS_EVENT_BARRIER)
            see_barrier(s, w, ev->count);
        else if (ev->kind == WS_EVENT_MEMORY)
            see_memory(s, w, ev, &launch->instr[ev->pc]);
        else
            go_on(s, w, ev->count);
    }
    return WS_OK;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)block;
    for (uint32_t i = 0; i < launch->warps_per_block; i++)
        s->warp[i] = (progress){.at = COMPUTING};
    return WS_OK;
}

WS_FAMILY_MERGE

static void fini(void *p)
{
    free(((state *)p)->warp);
}

WS_FAMILY_FINISH

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    *v = (columns){
        .load = ws_ratio(c->load, c->warp_instr, NAN),
        .compute = ws_ratio(c->warp_instr - c->load - c->write, c->warp_instr, NAN),
        .write = ws_ratio(c->write, c->warp_instr, NAN),
    };
}

const ws_metric ws_metric_phases = WS_FAMILY(
    "synchronization",
    "How much of a launch is spent on bringing data to shared memory, on computing, and on writing results back?",
    .wants = WS_WANT_INSTRUCTIONS, .init = init, .block_end = block_end, .fini = fini);
