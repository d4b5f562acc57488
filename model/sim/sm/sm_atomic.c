/* sm_atomic.c - the buffer of atomics beside the L1: what it keeps, and when that leaves.
 *
 * What leaves takes the turn of the load/store unit, one access a cycle, and has tags behind those of instructions. */
#include "model/sim/sm/sm_internal.h"

#include "base/status.h"
#include "collect/trace/update.h"
#include "model/machine/machine.h"

#include <string.h>

void sm_atomic_wake(ws_sm *sm)
{
    state *const s = sm->s;
    const uint64_t next = sm->shared->atomics->next_time(&sm->buffer, s->now);
    s->buffer_retry = next == WS_COHERENCE_NEVER ? WS_NEVER : next > s->now ? next : s->now + 1;
}

ws_atomic_answer sm_atomic_offer(ws_sm *sm, const access *a, const ws_touch *t)
{
    state *const s = sm->s;
    const ws_instr *const instr = &sm->shared->launch->instr[a->pc];
    const ws_atomic_access about = {.block = t->block,
                                    .now = s->now,
                                    .words = t->words,
                                    .warp = a->warp,
                                    .kind = a->kind,
                                    .bytes = instr->bytes,
                                    .returns = instr->access != WS_ACCESS_REDUCE,
                                    .is_update = a->kind == WS_REQUEST_ATOMIC && sm->shared->decoded[a->pc].update,
                                    .op = instr->atomic,
                                    .number = instr->number,
                                    .is_signed = instr->is_signed,
                                    .order = instr->order,
                                    .scope = instr->scope};
    const ws_atomic_answer answer = sm->shared->atomics->offer(&sm->buffer, &about);
    if (answer == WS_ATOMIC_PASS)
        return answer;
    sm_atomic_wake(sm);
    if (answer == WS_ATOMIC_WAIT) {
        if (s->refused_since == WS_NEVER)
            s->refused_since = s->now;
        s->refused_by = WS_REFUSED;
        s->memory_retry = s->now + 1;
    }
    return answer;
}

uint32_t sm_atomic_code(const ws_sm *sm, const access *a)
{
    const ws_instr *const instr = &sm->shared->launch->instr[a->pc];
    const bool is_update =
        a->kind == WS_REQUEST_ATOMIC && a->space == WS_SPACE_GLOBAL && sm->shared->decoded[a->pc].update;
    return is_update ? ws_update_code(instr->atomic, instr->number, instr->is_signed, instr->bytes) : 0;
}

bool sm_atomic_reach(ws_sm *sm, ws_atomic_point point, unsigned warp, uint8_t scope)
{
    const bool passed = sm->shared->atomics->reach(&sm->buffer, point, warp, scope);
    if (!passed)
        sm_atomic_wake(sm);
    return passed;
}

/* The L1 gets it as an access of the warp. *taken false: it refused. */
static int send_sum(ws_sm *sm, const ws_atomic_sum *sum, bool *taken)
{
    ws_request request;
    memset(&request, 0, offsetof(ws_request, data));
    memcpy(request.data, sum->count, sizeof sum->count);
    request.kind = WS_REQUEST_ATOMIC;
    request.summed = true;
    request.update = sum->code;
    request.order = sum->order;
    request.scope = sum->scope;
    request.warp = sum->warp;
    request.tag = (uint16_t)(sm->shared->machine->sm_memory_tags + sum->id);
    request.mask = sum->words;
    request.block = sum->block;
    const int status = sm_ask(sm, WS_SM_DATA, &request);
    *taken = status == WS_OK;
    return status < 0 ? status : sm->failed;
}

int sm_atomic_run(ws_sm *sm)
{
    state *const s = sm->s;
    const ws_atomic_ops *const ops = sm->shared->atomics;
    ws_atomic_sum sum;
    if (!ops->leaving(&sm->buffer, s->now, &sum)) {
        sm_atomic_wake(sm);
        return WS_OK;
    }
    s->buffer_retry = s->now + 1;
    if (s->out.count + sm->messages_kept > sm->shared->machine->port_packets) {
        s->counts.port_stalls++;
        return WS_OK;
    }
    bool taken = false;
    const int status = send_sum(sm, &sum, &taken);
    if (status || !taken)
        return status;
    ops->left(&sm->buffer, &sum);
    sm_atomic_wake(sm);
    if (s->memory_retry <= s->now)
        s->memory_retry = s->now + 1;
    return sm_try_fences(sm);
}
