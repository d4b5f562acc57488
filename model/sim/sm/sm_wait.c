/* sm_wait.c - which warps are in a loop in which they only wait for others, since when, and what do they look at?
 *
 * A warp is in such a loop (collect/trace/waits.h) from the issue of its first instruction there to that of its next
 * one elsewhere. It synchronizes from the first fence, atomic or look since it last worked to the next instruction by
 * which it does, if there was a loop between: so arrivals, fences, and what follows a loop are of it, as a clock has
 * them that is read around a barrier. That it does is known when it comes into the loop; what went before is counted
 * then. Nothing here is called for kernels without such loops. */
#include "model/sim/sm/sm_internal.h"

#include "collect/trace/waits.h"

static void begin_wait(state *s, sm_warp *w)
{
    s->counts.waits++;
    w->polled_pc = NONE;
    s->waiting_ctas += !s->cta[w->cta].waiting++;
}

static void end_wait(state *s, const sm_warp *w)
{
    s->waiting_ctas -= !--s->cta[w->cta].waiting;
}

static void enter_loop(state *s, sm_warp *w, uint16_t loop)
{
    if (w->wait_loop)
        end_wait(s, w);
    w->wait_loop = loop;
    if (loop)
        begin_wait(s, w);
    s->passed_at = s->now;
}

/* Is it a way to talk to other warps, in a loop or not? */
static bool talks(const ws_instr *in)
{
    const bool atomic =
        in->space != WS_SPACE_SHARED && (in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE);
    return in->fence || atomic || ws_instr_looks(in);
}

/* Cycles of a CTA count once, however many of its warps synchronize. */
static void begin_sync(state *s, sm_warp *w)
{
    sm_cta *const cta = &s->cta[w->cta];
    const uint64_t talks = w->talks_since == WS_NEVER ? s->now : w->talks_since,
                   since = talks > cta->synced_until ? talks : cta->synced_until;
    w->syncs = true;
    s->counts.syncs++;
    if (!cta->syncing++) {
        s->syncing_ctas++;
        cta->syncs_since = s->now;
    }
    if (since >= cta->syncs_since)
        return;
    s->counts.sync_cycles += cta->syncs_since - since;
    cta->syncs_since = since;
}

static void end_sync(state *s, sm_warp *w)
{
    sm_cta *const cta = &s->cta[w->cta];
    w->talks_since = WS_NEVER;
    if (!w->syncs)
        return;
    w->syncs = false;
    if (--cta->syncing)
        return;
    cta->synced_until = s->now;
    s->syncing_ctas--;
}

static void follow_sync(state *s, sm_warp *w, const ws_instr *in)
{
    if (ws_instr_works(in))
        end_sync(s, w);
    else if (w->talks_since == WS_NEVER && talks(in))
        w->talks_since = s->now;
}

void sm_wait_issued(ws_sm *sm, unsigned number, uint32_t pc)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    const uint16_t loop = sm->shared->wait_loop[pc];
    if (loop != w->wait_loop || !loop)
        enter_loop(s, w, loop);
    const ws_instr *const in = &sm->shared->launch->instr[pc];
    follow_sync(s, w, in);
    if (loop && !w->syncs)
        begin_sync(s, w);
    if (!loop || w->kind != WS_EVENT_MEMORY || w->continued || !w->exec || !ws_instr_looks(in))
        return;
    s->counts.looks++;
    w->polled_pc = pc;
    w->polled = sm->address[(size_t)number * ADDRESSES + (unsigned)__builtin_ctz(w->exec)];
}

void sm_wait_ended(ws_sm *sm, unsigned number)
{
    enter_loop(sm->s, &sm->s->warp[number], 0);
    end_sync(sm->s, &sm->s->warp[number]);
}

uint64_t ws_sm_passed_at(const ws_sm *sm)
{
    return sm->s->passed_at;
}

bool ws_sm_wait(const ws_sm *sm, uint32_t slot, ws_sm_waiting_warp *out)
{
    const state *const s = sm->s;
    const sm_warp *const w = &s->warp[slot];
    if (slot >= sm->warps || !(s->live & bit(slot)) || !w->wait_loop)
        return false;
    *out = (ws_sm_waiting_warp){.block = s->cta[w->cta].number, .pc = w->polled_pc, .address = w->polled};
    return true;
}
