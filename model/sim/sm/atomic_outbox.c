/* atomic_outbox.c - see atomic_outbox.h. */
#include "model/sim/sm/atomic_outbox.h"

#include "collect/trace/update.h"

#include "base/bits.h"

#include <string.h>

enum { WORD = 64 };

uint32_t ws_update_code_of(const ws_atomic_access *a)
{
    return ws_update_code(a->op, a->number, a->is_signed, a->bytes);
}

void ws_partial_begin(ws_outbox *box, ws_partial_update *p, const ws_atomic_access *a)
{
    *p = (ws_partial_update){
        .block = a->block, .first = ++box->turn, .code = ws_update_code_of(a), .warp = a->warp, .order = a->order};
    ws_partial_add(p, a);
}

void ws_partial_add(ws_partial_update *p, const ws_atomic_access *a)
{
    p->words |= a->words;
    p->scope = a->scope > p->scope ? a->scope : p->scope;
    WS_EACH_LANE (word, a->words)
        p->count[word]++;
}

bool ws_outbox_put(ws_outbox *box, const ws_partial_update *p)
{
    if (box->waiting == WS_OUTBOX_WAITING)
        return false;
    box->waits[(box->at + box->waiting++) % WS_OUTBOX_WAITING] = *p;
    return true;
}

const ws_partial_update *ws_outbox_first(const ws_outbox *box)
{
    return box->waiting ? &box->waits[box->at] : NULL;
}

void ws_outbox_take(ws_outbox *box)
{
    memset(&box->waits[box->at], 0, sizeof *box->waits);
    box->at = (box->at + 1) % WS_OUTBOX_WAITING;
    box->waiting--;
}

bool ws_outbox_has_flight(const ws_outbox *box)
{
    return box->flights < WS_OUTBOX_FLIGHTS;
}

static unsigned free_flight(const ws_outbox *box)
{
    unsigned i = 0;
    while (box->flight[i] == UINT64_MAX)
        i++;
    return i * WORD + (unsigned)__builtin_ctzll(~box->flight[i]);
}

void ws_outbox_describe(const ws_outbox *box, const ws_partial_update *p, ws_atomic_sum *out)
{
    *out = (ws_atomic_sum){.block = p->block,
                           .words = p->words,
                           .code = p->code,
                           .warp = p->warp,
                           .id = (uint16_t)free_flight(box),
                           .order = p->order,
                           .scope = p->scope};
    memcpy(out->count, p->count, sizeof out->count);
}

void ws_outbox_left(ws_outbox *box, unsigned id, uint64_t first)
{
    box->flight[id / WORD] |= UINT64_C(1) << id % WORD;
    box->first[id] = first;
    box->flights++;
}

void ws_outbox_performed(const ws_atomic_buffer *b, unsigned id)
{
    ws_outbox *const box = b->state;
    box->flight[id / WORD] &= ~(UINT64_C(1) << id % WORD);
    box->flights--;
}

/* A fence is about what all warps of the SM did before it: what they did in front of a barrier, its warp knows of. */
uint64_t ws_outbox_until(ws_outbox *box, ws_atomic_point point, unsigned warp, uint8_t scope)
{
    if (point == WS_ATOMIC_CTA || (point == WS_ATOMIC_FENCE && scope == WS_SCOPE_CTA))
        return 0;
    if (point == WS_ATOMIC_LAUNCH)
        return UINT64_MAX;
    if (!box->asked[warp])
        box->asked[warp] = ++box->turn;
    return box->asked[warp];
}

bool ws_outbox_is_clear(const ws_outbox *box, uint64_t until)
{
    for (uint32_t i = 0; i < box->waiting; i++)
        if (box->waits[(box->at + i) % WS_OUTBOX_WAITING].first < until)
            return false;
    for (unsigned word = 0; box->flights && word < WS_OUTBOX_FLIGHTS / WORD; word++)
        for (uint64_t rest = box->flight[word]; rest; rest &= rest - 1)
            if (box->first[word * WORD + (unsigned)__builtin_ctzll(rest)] < until)
                return false;
    return true;
}

void ws_outbox_passed(ws_outbox *box, ws_atomic_point point, unsigned warp)
{
    if (point == WS_ATOMIC_FENCE)
        box->asked[warp] = 0;
}
