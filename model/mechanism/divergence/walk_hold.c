/* walk_hold.c - which loads wait, under schedulers that hold some back.
 *
 * SWL and CCWS: Rogers, O'Connor, Aamodt, "Cache-Conscious Wavefront Scheduling", 2012. OAWS: B. Wang, "Mitigating GPU
 * Memory Divergence for Data-Intensive Applications", Auburn 2015, chapter 5. The rules are those of the simulator's
 * schedulers; what is on its way through the load/store unit has its MSHRs here already, so no forecast is kept for it.
 */
#include "model/mechanism/divergence/walk_internal.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { PERCENT = 100 };

uint32_t walk_rank(const walk_warps *w, uint32_t slot)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < w->slots; i++)
        rank += w->order[i] < w->order[slot];
    return rank;
}

int walk_hold_begin(walk_hold *h, const ws_walk_scheduler *how, size_t pcs)
{
    const ws_fcw fcw = h->fcw; /* goes on from launch to launch */
    walk_hold_fini(h);
    *h = (walk_hold){.how = how, .fcw = fcw, .pcs = pcs};
    h->pc = calloc(pcs + 1, sizeof *h->pc);
    return h->pc ? WS_OK : ws_fail(WS_EMEM, "no memory for the loads of a launch");
}

void walk_hold_fini(walk_hold *h)
{
    free(h->pc);
    h->pc = NULL;
}

void walk_hold_start(walk_hold *h, uint32_t slot)
{
    h->score[slot] = h->since[slot] = 0;
    memset(h->tag[slot], 0, sizeof h->tag[slot]);
}

/* ------------------------------------------------------------------------------------------------ SWL */

static bool among_oldest(const walk_warps *w, uint32_t slot, uint32_t first, uint32_t step, uint32_t limit)
{
    uint32_t older = 0;
    for (uint32_t i = first; i < w->slots; i += step)
        older += w->order[i] < w->order[slot] && !w->waits[i];
    return older < limit;
}

/* ------------------------------------------------------------------------------------------------ CCWS */

static uint64_t score_of(const walk_hold *h, uint32_t slot, uint64_t now)
{
    const uint64_t past = now > h->since[slot] ? now - h->since[slot] : 0;
    return h->score[slot] > h->how->base + past ? h->score[slot] - past : h->how->base;
}

static uint64_t bound_of(const walk_hold *h, const walk_warps *w)
{
    uint64_t live = 0;
    for (uint32_t i = 0; i < w->slots; i++)
        live += w->order[i] != WS_WALK_NEVER;
    return live * h->how->base;
}

static bool keeps_within(const walk_hold *h, const walk_warps *w, uint32_t slot, uint64_t now)
{
    const uint64_t own = score_of(h, slot, now);
    uint64_t before = 0;
    for (uint32_t i = 0; i < w->slots; i++) {
        const uint64_t score = i == slot || w->order[i] == WS_WALK_NEVER ? 0 : score_of(h, i, now);
        if (score > own || (score == own && w->order[i] < w->order[slot]))
            before += score;
    }
    return !before || before + own <= bound_of(h, w);
}

void walk_hold_evicted(void *context, uint32_t owner, uint64_t block)
{
    walk_hold *const h = context;
    unsigned oldest = block % (WALK_TAGS / WALK_TAG_WAYS) * WALK_TAG_WAYS;
    for (unsigned i = oldest, first = oldest; i < first + WALK_TAG_WAYS; i++) {
        if (h->tag[owner][i].put && h->tag[owner][i].block == block)
            return;
        if (h->tag[owner][i].put < h->tag[owner][oldest].put)
            oldest = i;
    }
    h->tag[owner][oldest].block = block;
    h->tag[owner][oldest].put = ++h->clock;
}

void walk_hold_missed(walk_hold *h, const walk_warps *w, uint32_t slot, uint64_t block, uint64_t now)
{
    if (h->how->hold != WS_WALK_LOCALITY)
        return;
    for (unsigned i = 0; i < WALK_TAGS; i++) {
        if (!h->tag[slot][i].put || h->tag[slot][i].block != block)
            continue;
        h->tag[slot][i].put = 0;
        h->found++;
        const uint64_t had = score_of(h, slot, now);
        const uint64_t lost = h->found * h->how->throttle * bound_of(h, w) / (h->issued ? h->issued : 1);
        h->score[slot] = lost > had ? lost : had;
        h->since[slot] = now;
        return;
    }
}

/* ------------------------------------------------------------------------------------------------ OAWS */

/* MSHRs that the load is taken to need. */
static double forecast(const walk_hold *h, const walk_warps *w, uint32_t slot, uint32_t pc, uint32_t lanes,
                       uint32_t mshrs)
{
    const walk_pc *const seen = &h->pc[pc];
    double needs = lanes;
    if (h->how->hold == WS_WALK_OCCLUSION) {
        needs = (double)lanes * h->how->percent / PERCENT;
    } else {
        const uint32_t rank = walk_rank(w, slot);
        if (rank < ws_fcw_warps(&h->fcw, &h->how->rule))
            needs = (double)lanes * (double)seen->misses / (double)seen->touches + rank;
    }
    const uint32_t most = h->how->most < mshrs ? h->how->most : mshrs;
    return needs < most ? needs : most;
}

void walk_hold_loaded(walk_hold *h, const walk_warps *w, uint32_t slot, uint32_t pc, uint32_t touches, uint32_t hits,
                      uint32_t misses)
{
    if (ws_load_class_of(touches) != WS_LOAD_DIVERGENT)
        return;
    h->pc[pc].touches += touches;
    h->pc[pc].misses += misses;
    if (h->how->hold == WS_WALK_LEARNED || h->how->hold == WS_WALK_PROTECTED)
        ws_fcw_learn(&h->fcw, &h->how->rule, walk_rank(w, slot), hits == touches);
}

bool walk_hold_admits(const walk_hold *h, const walk_warps *w, uint32_t slot, uint32_t pc, uint32_t lanes, uint64_t now,
                      uint32_t free_mshrs, uint32_t mshrs)
{
    switch (h->how->hold) {
    case WS_WALK_LIMIT:
        return h->how->together ? among_oldest(w, slot, 0, 1, h->how->limit)
                                : among_oldest(w, slot, slot % w->schedulers, w->schedulers, h->how->limit);
    case WS_WALK_PROTECTED:
        return (!h->how->all && !h->pc[pc].touches) ||
               among_oldest(w, slot, 0, 1, ws_fcw_warps(&h->fcw, &h->how->rule));
    case WS_WALK_LOCALITY:
        return keeps_within(h, w, slot, now);
    case WS_WALK_OCCLUSION:
    case WS_WALK_LEARNED:
        return !h->pc[pc].touches || forecast(h, w, slot, pc, lanes, mshrs) <= free_mshrs;
    default:
        return true;
    }
}
