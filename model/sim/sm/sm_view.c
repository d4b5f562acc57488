/* sm_view.c - the SM as its schedulers see it. Everything is looked up when it is asked for. */
#include "model/sim/sm/sm_internal.h"
#include "model/machine/machine.h"

static ws_warp_facts look_at_warp(const void *of, unsigned number)
{
    const ws_sm *const sm = of;
    const state *const s = sm->s;
    const sm_warp *const w = &s->warp[number];
    return (ws_warp_facts){
        .instr = w->has_step ? &sm->shared->launch->instr[w->pc] : NULL,
        .pc = w->pc,
        .active = w->active,
        .exec = w->exec,
        .order = w->order,
        .cta = s->cta[w->cta].number,
        .index = w->index,
        .misses = w->misses,
        .outstanding = w->outstanding,
        .accesses = w->accesses,
        .data_load = w->has_step && sm_is_data_load(sm, w),
        .waits_memory = (s->blocked[WAIT_MEMORY] | s->blocked[WAIT_ORDER]) >> number & 1,
        .waits_others = s->blocked[WAIT_BARRIER] >> number & 1,
    };
}

static uint32_t rank_of(const void *of, unsigned number)
{
    return ((const ws_sm *)of)->s->warp[number].rank;
}

static ws_sm_facts look_at_sm(const void *of)
{
    const ws_sm *const sm = of;
    const state *const s = sm->s;
    const ws_machine *const m = sm->shared->machine;
    const uint32_t reads = ws_sm_reads(sm);
    return (ws_sm_facts){
        .now = s->now,
        .live = s->live,
        .warps = s->resident_warps,
        .ctas = s->resident,
        .mshrs = m->l1_mshrs,
        .mshrs_free = reads < m->l1_mshrs ? m->l1_mshrs - reads : 0,
        .lines = m->l1_sets * m->l1_ways,
        .queue = sm->stage_room,
        .queue_used = s->queue_count,
        .tags = m->sm_memory_tags,
        .tags_used = s->tags_used,
        .refused = s->refused_since != WS_NEVER,
    };
}

ws_sm_view sm_view_of(const ws_sm *sm)
{
    return (ws_sm_view){.of = sm, .warp = look_at_warp, .rank = rank_of, .sm = look_at_sm};
}
