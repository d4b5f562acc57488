/* sm_wait.c - which warps are in a loop in which they only wait for others, since when, and what do they look at?
 *
 * A warp is in such a loop (collect/trace/waits.h) from the issue of its first instruction there to that of its next one elsewhere. Nothing here is called
 * for kernels without such loops. */
#include "model/sim/sm_internal.h"

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

void sm_wait_issued(ws_sm *sm, unsigned number, uint32_t pc)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    const uint16_t loop = sm->shared->wait_loop[pc];
    if (loop != w->wait_loop || !loop)
        enter_loop(s, w, loop);
    const ws_instr *const in = &sm->shared->launch->instr[pc];
    if (!loop || w->kind != WS_EVENT_MEMORY || w->continued || !w->exec || !ws_instr_looks(in))
        return;
    s->counts.looks++;
    w->polled_pc = pc;
    w->polled = sm->address[(size_t)number * ADDRESSES + (unsigned)__builtin_ctz(w->exec)];
}

void sm_wait_ended(ws_sm *sm, unsigned number)
{
    enter_loop(sm->s, &sm->s->warp[number], 0);
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
