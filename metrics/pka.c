/* pka.c - the twelve numbers that Principal Kernel Analysis clusters kernels by, without a GPU.
 *
 * C. Avalos Baddouh, M. Khairy, R. Green, M. Payer, T. Rogers, "Principal Kernel Analysis: A Tractable Methodology to
 * Simulate Scaled GPU Workloads", MICRO 2021, profiles them with hardware counters: three in 32-byte sectors
 * ("coalesced"), six in lanes ("thread"), and atomics, instructions, divergence efficiency and blocks. They are totals,
 * as theirs; the other families hold the rates. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesced.h"

#define GROUP "pka"
#define COUNTERS(ONE, MANY) \
    ONE(sectors_global_load, SUM) \
    ONE(sectors_global_store, SUM) \
    ONE(sectors_local_load, SUM) \
    ONE(global_load, SUM) \
    ONE(global_store, SUM) \
    ONE(local_load, SUM) \
    ONE(shared_load, SUM) \
    ONE(shared_store, SUM) \
    ONE(global_atomic, SUM) \
    ONE(thread_instr, SUM) \
    ONE(active_lanes, SUM) \
    ONE(warp_instr, SUM) \
    ONE(blocks, SUM)
#define COLUMNS(ONE, MANY) \
    ONE(coalesced_global_loads, "sectors", "32-byte sectors of global loads, counted per warp access; exact.") \
    ONE(coalesced_global_stores, "sectors", "32-byte sectors of global stores, counted per warp access; exact.") \
    ONE(coalesced_local_loads, "sectors", "32-byte sectors of local loads, words of lanes interleaved; exact.") \
    ONE(thread_global_loads, "instr", "Global loads, counted per lane; exact.") \
    ONE(thread_global_stores, "instr", "Global stores, counted per lane; exact.") \
    ONE(thread_local_loads, "instr", "Local loads, counted per lane; exact.") \
    ONE(thread_shared_loads, "instr", "Shared loads, counted per lane; exact.") \
    ONE(thread_shared_stores, "instr", "Shared stores, counted per lane; exact.") \
    ONE(thread_global_atomics, "instr", "Global atomics and reductions, counted per lane; exact.") \
    ONE(instructions, "instr", "Thread instructions; exact.") \
    ONE(divergence_efficiency, "lanes", "Active lanes of a warp instruction, 32 without divergence; exact.") \
    ONE(thread_blocks, "blocks", "Thread blocks launched; exact.", .brief = true)
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    uint64_t lanes[WS_SPACES][WS_ACCESS_REDUCE + 1];
} state;

static uint64_t sectors_of(const ws_batch *batch, const ws_event *ev, const ws_instr *in)
{
    uint64_t own[WS_COALESCE_MAX];
    unsigned n;
    ws_coalesced_sectors(batch, ev, in, own, &n);
    return n;
}

static void see_access(state *s, const ws_instr *in, const ws_batch *batch, const ws_event *ev)
{
    uint64_t block[WS_COALESCE_MAX];
    s->lanes[ev->space][in->access] += ws_mask_lanes(ev->exec);
    if (ev->space == WS_SPACE_GLOBAL && in->access == WS_ACCESS_LOAD)
        s->sectors_global_load += sectors_of(batch, ev, in);
    else if (ev->space == WS_SPACE_GLOBAL && in->access == WS_ACCESS_STORE)
        s->sectors_global_store += sectors_of(batch, ev, in);
    else if (ev->space == WS_SPACE_LOCAL && in->access == WS_ACCESS_LOAD)
        s->sectors_local_load +=
            ws_coalesce_local_blocks(WS_ADDRESSES(batch, ev), ev->exec, in->bytes, WS_SECTOR_SHIFT, block);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_INSTRUCTION (ev, batch) {
        s->warp_instr += ev->count;
        s->thread_instr += ws_event_threads(ev);
        s->active_lanes += (uint64_t)ev->count * ws_mask_lanes(ev->active);
        if (ev->kind == WS_EVENT_MEMORY)
            see_access(s, &launch->instr[ev->pc], batch, ev);
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    for (unsigned space = 0; space < WS_SPACES; space++)
        for (unsigned access = 0; access <= WS_ACCESS_REDUCE; access++)
            a->lanes[space][access] += b->lanes[space][access];
    return WS_OK;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, s->counts, counter);
    c->global_load = (double)s->lanes[WS_SPACE_GLOBAL][WS_ACCESS_LOAD];
    c->global_store = (double)s->lanes[WS_SPACE_GLOBAL][WS_ACCESS_STORE];
    c->local_load = (double)s->lanes[WS_SPACE_LOCAL][WS_ACCESS_LOAD];
    c->shared_load = (double)s->lanes[WS_SPACE_SHARED][WS_ACCESS_LOAD];
    c->shared_store = (double)s->lanes[WS_SPACE_SHARED][WS_ACCESS_STORE];
    c->global_atomic =
        (double)(s->lanes[WS_SPACE_GLOBAL][WS_ACCESS_ATOMIC] + s->lanes[WS_SPACE_GLOBAL][WS_ACCESS_REDUCE]);
    c->blocks = (double)launch->blocks;
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    *(columns *)value = (columns){
        .coalesced_global_loads = c->sectors_global_load,
        .coalesced_global_stores = c->sectors_global_store,
        .coalesced_local_loads = c->sectors_local_load,
        .thread_global_loads = c->global_load,
        .thread_global_stores = c->global_store,
        .thread_local_loads = c->local_load,
        .thread_shared_loads = c->shared_load,
        .thread_shared_stores = c->shared_store,
        .thread_global_atomics = c->global_atomic,
        .instructions = c->thread_instr,
        .divergence_efficiency = ws_ratio(c->active_lanes, c->warp_instr, 0),
        .thread_blocks = c->blocks,
    };
}

const ws_metric ws_metric_pka =
    WS_FAMILY("modern", "What would Principal Kernel Analysis see?", .wants = WS_WANT_INSTRUCTIONS);
