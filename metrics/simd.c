/* simd.c - how many lanes of a warp do useful work?
 *
 * The study's activity factor and SIMD parallelism are in evaluation.c. */
#include "metrics/family.h"

#include "base/status.h"

#include <stdlib.h>

enum { BINS = 8 }; /* of four lane counts each */

#define GROUP "simd"
#define COUNTERS(ONE, MANY) \
    ONE(warp_instr, SUM) \
    ONE(exec_lanes, SUM) \
    ONE(active_lanes, SUM) \
    ONE(thread_lanes, SUM) \
    ONE(full_instr, SUM) \
    ONE(guarded_active, SUM) \
    ONE(guarded_exec, SUM) \
    MANY(lanes, SUM, BINS)
#define COLUMNS(ONE, MANY) \
    ONE(efficiency, "ratio", "Lanes that executed, over 32 lanes of every warp instruction; exact.", .brief = true) \
    ONE(divergence_efficiency, "ratio", \
        "Active lanes over lanes that have a thread: what divergence and early exit " \
        "cost, without what partly filled warps cost; exact.") \
    ONE(predication_efficiency, "ratio", \
        "Lanes that executed over active lanes, of guarded instructions that are no " \
        "branches; 1 when there is none; exact.") \
    ONE(full, "ratio", "Share of warp instructions with 32 active lanes; exact.") \
    MANY(lanes, BINS, "ratio", "Share of warp instructions with 1-4, 5-8, ... 29-32 active lanes; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    uint64_t with[WS_WARP + 1]; /* instructions with that many lanes */
    uint32_t *guarded;          /* [instrs + 1] guarded instructions before this pc, branches not counted */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->guarded = calloc(launch->instrs + 1, sizeof *s->guarded);
    if (!s->guarded)
        return ws_fail(WS_EMEM, "no memory for the simd metrics");
    for (size_t pc = 0; pc < launch->instrs; pc++)
        s->guarded[pc + 1] = s->guarded[pc] + (launch->instr[pc].guarded && launch->instr[pc].cls != WS_CLASS_BRANCH);
    return WS_OK;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_INSTRUCTION (ev, batch) {
        const unsigned active = ws_mask_lanes(ev->active);
        const uint64_t exec = ws_event_threads(ev);
        s->warp_instr += ev->count;
        s->exec_lanes += exec;
        s->with[active] += ev->count;
        s->thread_lanes += (uint64_t)ev->count * ws_mask_lanes(ws_warp_lanes(launch, ev->warp));
        /* A part of an access that spans spaces has no count: its lanes' guard was counted with the first part. */
        const unsigned run = ws_event_lane_runs(ev);
        const uint64_t guarded = s->guarded[ev->pc + run] - s->guarded[ev->pc];
        if (guarded) {
            s->guarded_active += guarded * active * (ev->count != 0);
            s->guarded_exec += guarded * ws_mask_lanes(ev->exec);
        }
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    for (unsigned i = 0; i <= WS_WARP; i++)
        a->with[i] += b->with[i];
    return WS_OK;
}

static void fini(void *p)
{
    free(((state *)p)->guarded);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, s->counts, counter);
    c->full_instr = (double)s->with[WS_WARP];
    c->guarded_active = ws_told(launch, c->guarded_active);
    c->guarded_exec = ws_told(launch, c->guarded_exec);
    for (unsigned lanes = 1; lanes <= WS_WARP; lanes++) {
        c->active_lanes += (double)(lanes * s->with[lanes]);
        c->lanes[(lanes - 1) / (WS_WARP / BINS)] += (double)s->with[lanes];
    }
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    v->efficiency = ws_ratio(c->exec_lanes, WS_WARP * c->warp_instr, 0);
    v->divergence_efficiency = ws_ratio(c->active_lanes, c->thread_lanes, 0);
    v->predication_efficiency = ws_ratio(c->guarded_exec, c->guarded_active, 1);
    v->full = ws_ratio(c->full_instr, c->warp_instr, 0);
    ws_fractions(c->lanes, BINS, v->lanes);
}

const ws_metric ws_metric_simd = WS_FAMILY("modern", "How many lanes of a warp do useful work?",
                                           .wants = WS_WANT_INSTRUCTIONS, .init = init, .fini = fini);
