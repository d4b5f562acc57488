/* source_replay.c - see source_replay.h. A warp does in its turn what it can: the rest of an instruction that was
 * refused, a fence, the next instruction. */
#include "model/sim/source_replay.h"

#include "base/status.h"
#include "model/sim/sm/atomic.h"
#include "model/sim/sm/decode.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

enum { BARRIERS = 17, REPORT_TURNS = 1 << 16 };

typedef struct warp {
    ws_touch *touch; /* of the instruction that was refused: from `at` on to `touches` */
    unsigned at, touches;
    uint32_t pc, left;        /* instructions of a run that are still to come, the next at pc */
    uint32_t whole, gathered; /* lanes that it has; those at a barrier that others come to on their own path */
    uint64_t until;           /* when to come again */
    uint16_t tag, index;      /* index: in its CTA */
    uint8_t kind, slot;
    bool poll, fence;
} warp;

typedef struct barrier {
    uint64_t arrived, waiting; /* warps */
    uint32_t expected;         /* 0: all of the CTA */
} barrier;

typedef struct cta {
    uint64_t warps; /* that have not ended; 0: free */
    barrier barrier[BARRIERS];
} cta;

typedef struct sm {
    uint64_t live, ready, late; /* late: ready again at its time, the first of them at `wake` */
    uint64_t wake;
    unsigned last; /* warp that had the turn before */
    warp warp[WS_SM_WARPS];
    cta *cta;
} sm;

typedef struct run {
    ws_coherence_replay *replay;
    ws_source *source;
    const ws_machine *machine;
    const ws_launch *launch;
    const ws_atomic_ops *atomics;
    ws_decoded *decoded;
    sm *sms;
    uint32_t residents, next_sm;
    uint64_t next_cta, ctas_left, now;
    bool freed; /* an SM has room that it had not */
    ws_source_replay_result result;
    ws_touch touch[WS_TOUCHES];
} run;

static uint64_t bit(unsigned n)
{
    return UINT64_C(1) << n;
}

/* --- CTAs --- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* CTAs that an SM holds. */
static int count_residents(const ws_machine *m, const ws_launch *launch, uint32_t *out)
{
    const uint32_t threads = launch->warps_per_block * WS_WARP, registers = launch->registers * threads;
    uint32_t n = least(m->sm_blocks, least(m->sm_threads, WS_SM_WARPS * WS_WARP) / threads);
    if (registers)
        n = least(n, m->sm_registers / registers);
    if (launch->shared_bytes)
        n = least(n, m->sm_shared / launch->shared_bytes);
    *out = n;
    return n ? WS_OK
             : ws_fail(WS_EINPUT,
                       "%s: a block of %u threads, %u registers a thread, %u bytes of shared memory fits no SM",
                       launch->kernel, launch->threads_per_block, launch->registers, launch->shared_bytes);
}

static int start_cta(run *r, uint32_t number, uint32_t slot)
{
    sm *const s = &r->sms[number];
    const uint32_t warps = r->launch->warps_per_block;
    const int rc = r->source->ops->begin(r->source, number * r->machine->sm_blocks + slot, r->next_cta);
    if (rc)
        return rc;
    memset(&s->cta[slot], 0, sizeof s->cta[slot]);
    for (uint32_t i = 0; i < warps; i++) {
        const unsigned n = slot * warps + i;
        const uint32_t threads = r->launch->threads_per_block - i * WS_WARP;
        s->warp[n] = (warp){.touch = s->warp[n].touch,
                            .whole = threads >= WS_WARP ? UINT32_MAX : (1u << threads) - 1,
                            .tag = s->warp[n].tag,
                            .index = (uint16_t)i,
                            .slot = (uint8_t)slot};
        s->cta[slot].warps |= bit(n);
    }
    s->live |= s->cta[slot].warps;
    s->ready |= s->cta[slot].warps;
    r->next_cta++;
    return WS_OK;
}

static int free_slot(const run *r, const sm *s)
{
    for (uint32_t slot = 0; slot < r->residents; slot++)
        if (!s->cta[slot].warps)
            return (int)slot;
    return -1;
}

/* A CTA to each SM in turn that has room, until none has. */
static int place_ctas(run *r)
{
    uint32_t full = 0;
    r->freed = false;
    while (full < ws_machine_sms(r->machine) && r->next_cta < r->source->ctas) {
        const uint32_t number = r->next_sm;
        r->next_sm = (number + 1) % ws_machine_sms(r->machine);
        const int slot = free_slot(r, &r->sms[number]);
        full = slot < 0 ? full + 1 : 0;
        const int rc = slot < 0 ? WS_OK : start_cta(r, number, (uint32_t)slot);
        if (rc)
            return rc;
    }
    return WS_OK;
}

/* --- Barriers and ends --- */

static void check_barrier(sm *s, const cta *of, barrier *b)
{
    if (!b->arrived)
        return;
    if (b->expected ? (uint32_t)__builtin_popcountll(b->arrived) < b->expected : (of->warps & ~b->arrived) != 0)
        return;
    s->ready |= b->waiting & s->live;
    *b = (barrier){0};
}

static void reach_barrier(run *r, sm *s, unsigned n, const ws_step *step)
{
    warp *const w = &s->warp[n];
    if (step->detail == UINT32_MAX || !step->exec)
        return;
    w->gathered |= step->active;
    if (step->depth && (w->whole & ~w->gathered))
        return;
    w->gathered = 0;
    cta *const of = &s->cta[w->slot];
    barrier *const b = &of->barrier[(step->detail & 0xff) % BARRIERS];
    b->expected = step->detail >> 8;
    b->arrived |= bit(n);
    if (!r->launch->instr[step->pc].arrival) {
        b->waiting |= bit(n);
        s->ready &= ~bit(n);
    }
    check_barrier(s, of, b);
}

static void end_warp(run *r, uint32_t number, unsigned n)
{
    sm *const s = &r->sms[number];
    cta *const of = &s->cta[s->warp[n].slot];
    s->live &= ~bit(n);
    s->ready &= ~bit(n);
    of->warps &= ~bit(n);
    for (unsigned i = 0; i < BARRIERS; i++)
        check_barrier(s, of, &of->barrier[i]);
    if (of->warps)
        return;
    r->source->ops->end(r->source, number * r->machine->sm_blocks + s->warp[n].slot);
    r->ctas_left--;
    r->freed = true;
}

/* --- Accesses --- */

/* The warp comes again when what it waits for may have ended. */
static void come_later(run *r, uint32_t number, unsigned n, bool fence)
{
    sm *const s = &r->sms[number];
    uint64_t until = ws_coherence_replay_next_time(r->replay);
    if (fence) {
        const uint64_t visible = ws_coherence_replay_fence_time(r->replay, number, n);
        until = visible > r->now && visible < until ? visible : until;
    }
    if (until == WS_COHERENCE_NEVER || until <= r->now)
        until = r->now + 1;
    s->warp[n].until = until;
    s->wake = s->late && s->wake < until ? s->wake : until;
    s->ready &= ~bit(n);
    s->late |= bit(n);
    r->result.waits++;
}

static void wake_up(sm *s, uint64_t now)
{
    uint64_t wake = UINT64_MAX;
    for (uint64_t rest = s->late; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        if (s->warp[n].until <= now) {
            s->late &= ~bit(n);
            s->ready |= bit(n);
        } else if (s->warp[n].until < wake)
            wake = s->warp[n].until;
    }
    s->wake = wake;
}

static int try_fence(run *r, uint32_t number, unsigned n)
{
    warp *const w = &r->sms[number].warp[n];
    ws_request request;
    memset(&request, 0, offsetof(ws_request, data));
    request.kind = WS_REQUEST_FENCE;
    request.order = r->launch->instr[w->pc].order;
    request.scope = r->launch->instr[w->pc].scope;
    request.warp = (uint16_t)n;
    request.tag = ++w->tag;
    const int rc = ws_coherence_replay_request(r->replay, number, &request, r->now);
    w->fence = rc > 0;
    if (rc > 0)
        come_later(r, number, n, true);
    return rc < 0 ? rc : WS_OK;
}

/* Offers touches from the first that was not taken; those that are refused are kept for the next turn. */
static int offer(run *r, uint32_t number, unsigned n, const ws_touch *touch, unsigned from, unsigned touches)
{
    warp *const w = &r->sms[number].warp[n];
    ws_request request;
    memset(&request, 0, offsetof(ws_request, data));
    request.kind = w->kind;
    request.poll = w->poll;
    request.order = r->launch->instr[w->pc].order;
    request.scope = r->launch->instr[w->pc].scope;
    request.warp = (uint16_t)n;
    request.tag = w->tag;
    for (; from < touches; from++) {
        request.mask = touch[from].words;
        request.block = touch[from].block;
        const int rc = ws_coherence_replay_request(r->replay, number, &request, r->now);
        if (rc < 0)
            return rc;
        if (rc > 0)
            break;
        r->result.accesses++;
    }
    w->at = from;
    w->touches = touches;
    if (from == touches)
        return WS_OK;
    if (!w->touch && !(w->touch = malloc(WS_TOUCHES * sizeof *w->touch)))
        return ws_fail(WS_EMEM, "%s: no memory for a replay", r->launch->kernel);
    if (w->touch != touch)
        memcpy(w->touch, touch, touches * sizeof *touch);
    come_later(r, number, n, false);
    return WS_OK;
}

/* As in the cycle simulator: lanes side by side. */
static unsigned touch_local(run *r, uint32_t number, unsigned n, const ws_step *step, unsigned bytes)
{
    const uint64_t warps = (uint64_t)ws_machine_sms(r->machine) * WS_SM_WARPS;
    return ws_coalesce_local(step->address, step->exec, bytes, r->machine->l1_line, warps * WS_WARP,
                             (uint64_t)number * WS_SM_WARPS + n, r->touch);
}

static int access_memory(run *r, uint32_t number, unsigned n, const ws_step *step)
{
    const ws_instr *const instr = &r->launch->instr[step->pc];
    warp *const w = &r->sms[number].warp[n];
    const unsigned bytes = step->texel ? step->texel : instr->bytes;
    if (!step->exec || (step->space != WS_SPACE_GLOBAL && step->space != WS_SPACE_LOCAL))
        return WS_OK;
    const bool atomic = instr->access == WS_ACCESS_ATOMIC || instr->access == WS_ACCESS_REDUCE;
    w->kind = atomic ? WS_REQUEST_ATOMIC : instr->access == WS_ACCESS_STORE ? WS_REQUEST_STORE : WS_REQUEST_LOAD;
    w->poll = w->kind == WS_REQUEST_LOAD && r->decoded[step->pc].poll;
    w->tag++;
    const unsigned touches = step->space == WS_SPACE_LOCAL ? touch_local(r, number, n, step, bytes)
                             : atomic
                                 ? r->atomics->split(step->address, step->exec, bytes, r->machine->l1_line, r->touch)
                                 : ws_coalesce(step->address, step->exec, bytes, r->machine->l1_line, r->touch);
    return offer(r, number, n, r->touch, 0, touches);
}

/* --- Turns --- */

static int take_step(run *r, uint32_t number, unsigned n)
{
    sm *const s = &r->sms[number];
    warp *const w = &s->warp[n];
    ws_step step;
    bool found;
    int rc = r->source->ops->next(r->source, number * r->machine->sm_blocks + w->slot, w->index, &step, &found);
    if (rc)
        return rc;
    if (!found) {
        end_warp(r, number, n);
        return WS_OK;
    }
    r->result.instructions += step.count;
    w->pc = step.pc;
    w->left = step.count > 1 ? step.count - 1u : 0;
    if (step.kind == WS_EVENT_MEMORY)
        rc = access_memory(r, number, n, &step);
    else if (step.kind == WS_EVENT_BARRIER)
        reach_barrier(r, s, n, &step);
    w->fence = rc == WS_OK && r->decoded[step.pc].fence;
    return rc;
}

/* One instruction of the warp. Of one that is refused its fence, if it is one, comes in a later turn. */
static int take_turn(run *r, uint32_t number, unsigned n)
{
    warp *const w = &r->sms[number].warp[n];
    int rc = WS_OK;
    if (w->at < w->touches)
        rc = offer(r, number, n, w->touch, w->at, w->touches);
    else if (!w->fence && w->left) {
        w->left--;
        w->pc++;
        w->fence = r->decoded[w->pc].fence;
    } else if (!w->fence)
        rc = take_step(r, number, n);
    if (rc == WS_OK && w->fence && w->at == w->touches)
        rc = try_fence(r, number, n);
    return rc;
}

/* The next of the warps behind the one before. */
static unsigned choose(const sm *s)
{
    const uint64_t behind = s->last < WS_SM_WARPS - 1 ? s->ready >> (s->last + 1) << (s->last + 1) : 0;
    return (unsigned)__builtin_ctzll(behind ? behind : s->ready);
}

/* Nobody can go on now: to the first time at which somebody can. */
static int skip(run *r)
{
    uint64_t next = ws_coherence_replay_next_time(r->replay);
    for (uint32_t number = 0; number < ws_machine_sms(r->machine); number++)
        if (r->sms[number].late && r->sms[number].wake < next)
            next = r->sms[number].wake;
    if (next == WS_COHERENCE_NEVER)
        return ws_fail(WS_EVERIFY, "%s: after %llu instructions all warps wait at barriers that others never reach",
                       r->launch->kernel, (unsigned long long)r->result.instructions);
    r->now = next > r->now ? next : r->now + 1;
    return ws_coherence_replay_advance(r->replay, r->now);
}

/* A turn of all SMs. */
static int turn_of_all(run *r)
{
    bool moved = false;
    for (uint32_t number = 0; number < ws_machine_sms(r->machine); number++) {
        sm *const s = &r->sms[number];
        if (s->late && s->wake <= r->now)
            wake_up(s, r->now);
        if (!s->ready)
            continue;
        moved = true;
        s->last = choose(s);
        const int rc = take_turn(r, number, s->last);
        if (rc)
            return rc;
    }
    if (!moved)
        return skip(r);
    r->now++;
    return WS_OK;
}

/* Stores whose warps have ended wait on. */
static int drain(run *r)
{
    for (uint64_t next; (next = ws_coherence_replay_next_time(r->replay)) != WS_COHERENCE_NEVER;) {
        r->now = next > r->now ? next : r->now + 1;
        const int rc = ws_coherence_replay_advance(r->replay, r->now);
        if (rc)
            return rc;
    }
    return ws_coherence_replay_flush(r->replay, r->now);
}

static int run_all(run *r, const ws_source_replay_options *options)
{
    r->ctas_left = r->source->ctas;
    r->freed = true;
    for (uint64_t turns = 0; r->ctas_left; turns++) {
        int rc = r->freed ? place_ctas(r) : WS_OK;
        if (rc == WS_OK)
            rc = turn_of_all(r);
        if (rc)
            return rc;
        if (options->progress && turns % REPORT_TURNS == 0 &&
            options->progress(options->context, r->result.instructions))
            return ws_fail(WS_EINTERRUPTED, "%s: interrupted", r->launch->kernel);
    }
    return drain(r);
}

static int prepare(run *r)
{
    const ws_machine *const m = r->machine;
    uint32_t registers;
    uint64_t values[WS_ATOMIC_OPTIONS];
    const ws_atomic_kind *const rule = ws_atomic_of(m, values);
    r->atomics = ws_atomic_ops_of(rule);
    if (r->atomics->state_size || rule->in_l1)
        return ws_fail(WS_EUNSUPPORTED,
                       "[sm] atomics: %s keeps operations back for a time, which a replay without time cannot follow; "
                       "serial and combined keep none",
                       m->sm_atomics->name);
    const int rc = count_residents(m, r->launch, &r->residents);
    if (rc)
        return rc;
    r->decoded = calloc(r->launch->instrs + 1, sizeof *r->decoded);
    r->sms = calloc(ws_machine_sms(m), sizeof *r->sms);
    if (!r->decoded || !r->sms)
        return ws_fail(WS_EMEM, "%s: no memory for a replay", r->launch->kernel);
    for (uint32_t number = 0; number < ws_machine_sms(m); number++)
        if (!(r->sms[number].cta = calloc(m->sm_blocks, sizeof(cta))))
            return ws_fail(WS_EMEM, "%s: no memory for a replay", r->launch->kernel);
    return ws_decode_launch(r->launch, m, r->decoded, &registers);
}

static void end_all(run *r)
{
    for (uint32_t number = 0; r->sms && number < ws_machine_sms(r->machine); number++) {
        sm *const s = &r->sms[number];
        for (uint32_t slot = 0; s->cta && slot < r->residents; slot++)
            if (s->cta[slot].warps)
                r->source->ops->end(r->source, number * r->machine->sm_blocks + slot);
        for (unsigned n = 0; n < WS_SM_WARPS; n++)
            free(s->warp[n].touch);
        free(s->cta);
    }
    free(r->sms);
    free(r->decoded);
    free(r);
}

int ws_source_replay(ws_coherence_replay *replay, ws_source *source, const ws_source_replay_options *options,
                     uint64_t *now, ws_source_replay_result *result)
{
    *result = (ws_source_replay_result){0};
    run *const r = calloc(1, sizeof *r);
    if (!r)
        return ws_fail(WS_EMEM, "no memory for a replay");
    r->replay = replay;
    r->source = source;
    r->machine = options->machine;
    r->launch = source->launch;
    r->now = *now;
    int rc = prepare(r);
    if (rc == WS_OK)
        rc = run_all(r, options);
    r->result.turns = r->now - *now;
    *result = r->result;
    *now = r->now;
    end_all(r);
    return rc;
}
