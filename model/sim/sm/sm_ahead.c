/* sm_ahead.c - warps that run ahead of their own accesses, under race detection: which results lie in spare registers,
 * and what has to be computed again?
 *
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4.
 * A load that begins while earlier accesses of its warp are under way may turn out to be too old for its place. From
 * there on results of the warp go to spare registers: those that come from such a load are speculative, the others
 * temporary. In the order of the warp they are kept when the loads before them are; of a load that was refuted only it
 * and what came from it are done again. Each warp has a list of them. Nothing here is called for machines without spare
 * registers. */
#include "model/sim/sm/sm_internal.h"
#include "model/machine/machine.h"

static renamed *item_of(const ws_sm *sm, uint32_t index)
{
    return index == NONE ? NULL : &sm->renamed[index];
}

static renamed *next_of(const ws_sm *sm, const renamed *item)
{
    return item_of(sm, item->next);
}

static renamed *first_of(const ws_sm *sm, const sm_warp *w)
{
    return item_of(sm, w->ahead_first);
}

static bool writes(const ws_decoded *d, uint16_t reg)
{
    for (unsigned i = 0; i < d->dsts; i++)
        if (d->dst[i] == reg)
            return true;
    return false;
}

/* Who gave the register the value that it has before `end` (NULL: the end of the list)? NULL: nobody in the list. */
static const renamed *writer_of(const ws_sm *sm, const sm_warp *w, uint16_t reg, const renamed *end)
{
    const renamed *last = NULL;
    for (const renamed *i = first_of(sm, w); i && i != end; i = next_of(sm, i))
        if (writes(&sm->shared->decoded[i->pc], reg))
            last = i;
    return last;
}

/* Does it read something that may be wrong? */
static bool reads_speculative(const ws_sm *sm, const sm_warp *w, const ws_decoded *d, const renamed *end)
{
    for (unsigned i = 0; i < d->srcs; i++) {
        const renamed *const writer = writer_of(sm, w, d->src[i], end);
        if (writer && writer->speculative)
            return true;
    }
    return false;
}

static bool reads_again(const ws_sm *sm, const sm_warp *w, const ws_decoded *d, const renamed *end)
{
    for (unsigned i = 0; i < d->srcs; i++) {
        const renamed *const writer = writer_of(sm, w, d->src[i], end);
        if (writer && writer->again)
            return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------ issue */

static bool has_under_way(const ws_under_way *u)
{
    return u->loads || u->stores || u->atomics;
}

bool sm_ahead_loads(const ws_sm *sm, const sm_warp *w)
{
    return w->kind == WS_EVENT_MEMORY && sm_is_shared_between_warps(w->space) &&
           sm_request_kind(&sm->shared->launch->instr[w->pc]) == WS_REQUEST_LOAD;
}

bool sm_ahead_renames(const ws_sm *sm, const sm_warp *w)
{
    return w->ahead_first != NONE || (sm_ahead_loads(sm, w) && has_under_way(&w->under_way));
}

static uint32_t registers_of(const ws_sm *sm, const sm_warp *w, const ws_decoded *d)
{
    return d->dsts ? d->dsts : sm_ahead_loads(sm, w);
}

/* Those of the register file that no block has, as far as the table of renamed registers reaches. */
static uint32_t spare_registers(const ws_sm *sm)
{
    const uint32_t used = sm->s->resident * sm->shared->cta_registers,
                   unused = (sm->shared->machine->sm_registers - used) / WS_WARP;
    return unused < sm->shared->ahead && !sm->shared->endless ? unused : sm->shared->ahead;
}

/* What cannot be done again waits until what it reads is sure; what others can see, until all is. */
static bool must_be_sure(const ws_sm *sm, const sm_warp *w, const ws_decoded *d)
{
    if (w->kind == WS_EVENT_BARRIER)
        return true;
    if (w->kind == WS_EVENT_MEMORY && sm->shared->launch->instr[w->pc].surface)
        return true;
    return w->kind != WS_EVENT_RUN && reads_speculative(sm, w, d, NULL);
}

static void stop_waiting(state *s, unsigned number)
{
    if (s->spare_wanted & bit(number))
        s->counts.spare_waits += s->now - s->warp[number].spare_since;
    s->spare_wanted &= ~bit(number);
}

bool sm_ahead_must_wait(ws_sm *sm, unsigned number, const ws_decoded *d)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    if (!sm_ahead_renames(sm, w)) {
        stop_waiting(s, number);
        return false;
    }
    if (w->ahead_first != NONE && must_be_sure(sm, w, d)) {
        sm_block_warp(sm, number, WAIT_ORDER);
        return true;
    }
    if (s->spare_used + registers_of(sm, w, d) <= spare_registers(sm)) {
        stop_waiting(s, number);
        return false;
    }
    if (!(s->spare_wanted & bit(number)))
        w->spare_since = s->now;
    s->spare_wanted |= bit(number);
    sm_block_warp(sm, number, WAIT_ORDER);
    return true;
}

void sm_ahead_issued(ws_sm *sm, unsigned number, const ws_decoded *d, uint32_t tag)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    const bool load = sm_ahead_loads(sm, w);
    const uint32_t registers = registers_of(sm, w, d);
    s->activity.race_reads[WS_ACTIVITY_RENAMING] += d->srcs;
    if (!registers)
        return;
    const uint32_t index = s->spare_free;
    renamed *const item = &sm->renamed[index];
    s->spare_free = item->next;
    s->spare_used += registers;
    *item = (renamed){.pc = w->pc,
                      .exec = w->exec,
                      .next = NONE,
                      .tag = load ? tag : NONE,
                      .registers = (uint8_t)registers,
                      .open = load,
                      .repeatable = w->kind == WS_EVENT_RUN,
                      .speculative = load || reads_speculative(sm, w, d, NULL)};
    if (w->ahead_first == NONE)
        w->ahead_first = index;
    else
        sm->renamed[w->ahead_last].next = index;
    w->ahead_last = index;
    s->activity.race_writes[WS_ACTIVITY_RENAMING] += registers;
    s->counts.renamed += registers;
    if (load)
        sm->access[tag].ahead = true;
}

/* ------------------------------------------------------------------------------------------------ what is sure */

/* What lies before the first load that is not settled is kept, and its registers are free. */
static void keep(ws_sm *sm, unsigned number)
{
    state *const s = sm->s;
    sm_warp *const w = &s->warp[number];
    bool freed = false;
    for (renamed *item; (item = first_of(sm, w)) && !item->open; freed = true) {
        const uint32_t index = w->ahead_first;
        s->activity.race_writes[WS_ACTIVITY_RENAMING] += item->registers;
        s->spare_used -= item->registers;
        w->ahead_first = item->next;
        item->next = s->spare_free;
        s->spare_free = index;
    }
    for (renamed *item = first_of(sm, w); item; item = next_of(sm, item))
        item->speculative = item->open || reads_speculative(sm, w, &sm->shared->decoded[item->pc], item);
    for (uint64_t rest = freed ? s->spare_wanted : 0; rest; rest &= rest - 1) {
        stop_waiting(s, (unsigned)__builtin_ctzll(rest));
        sm_unblock_warp(sm, (unsigned)__builtin_ctzll(rest), WAIT_ORDER);
    }
}

/* The results that came from the load are computed again; how many? */
static uint32_t mark_again(ws_sm *sm, const sm_warp *w, renamed *load)
{
    uint32_t marked = 0;
    load->again = true;
    for (renamed *item = next_of(sm, load); item; item = next_of(sm, item)) {
        item->again |= item->repeatable && reads_again(sm, w, &sm->shared->decoded[item->pc], item);
        marked += item->again;
    }
    load->again = false; /* it has asked again by itself */
    return marked;
}

void sm_ahead_settled(ws_sm *sm, uint32_t tag)
{
    state *const s = sm->s;
    const access *const a = &sm->access[tag];
    sm_warp *const w = &s->warp[a->warp];
    renamed *item = first_of(sm, w);
    while (item->tag != tag)
        item = next_of(sm, item);
    item->open = false;
    item->tag = NONE;
    s->counts.reexecuted += a->refuted;
    if (a->refuted && mark_again(sm, w, item)) {
        w->again_at = w->again ? w->again_at : s->now; /* those of another load may be under way */
        w->again = true;
        if (w->ended)
            sm_unblock_warp(sm, a->warp, WAIT_ORDER);
    }
    if (!w->again)
        keep(sm, a->warp);
}

renamed *sm_ahead_again(const ws_sm *sm, unsigned number)
{
    renamed *item = first_of(sm, &sm->s->warp[number]);
    while (item && !item->again)
        item = next_of(sm, item);
    return item;
}

void sm_ahead_repeated(ws_sm *sm, unsigned number)
{
    sm_warp *const w = &sm->s->warp[number];
    if (!w->again || w->again_at > sm->s->now)
        return;
    sm_unblock_warp(sm, number, WAIT_DEPENDENCY);
    if (sm_ahead_again(sm, number))
        return;
    w->again = false;
    keep(sm, number);
    if (!w->fencing)
        sm_unblock_warp(sm, number, WAIT_ORDER);
    sm_try_to_end(sm, number);
}
