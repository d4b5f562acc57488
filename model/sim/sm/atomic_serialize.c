/* atomic_serialize.c - updates are done at the SM and forwarded at once: what is left of a local atomic buffer when it
 * keeps nothing.
 *
 * The lanes of an instruction that update one word are combined, and the instruction is done when its updates have left
 * for L2, so what this gains over `serial` is serialization alone, and what `lab` gains over this is coalescing (P.
 * Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, chapter 3, which splits the gain so
 * without saying how; this reading is ours). */
#include "model/sim/sm/atomic_internal.h"

#include "collect/trace/update.h"
#include "model/sim/sm/atomic_outbox.h"

static size_t state_size(const uint64_t *values)
{
    (void)values;
    return sizeof(ws_outbox);
}

static bool reach(const ws_atomic_buffer *b, ws_atomic_point point, unsigned warp, uint8_t scope)
{
    ws_outbox *const box = b->state;
    const uint64_t until = ws_outbox_until(box, point, warp, scope);
    if (!ws_outbox_is_clear(box, until))
        return false;
    ws_outbox_passed(box, point, warp);
    return true;
}

static ws_atomic_answer offer(const ws_atomic_buffer *b, const ws_atomic_access *a)
{
    ws_outbox *const box = b->state;
    if (ws_update_is_ordered(a->order, a->scope) && !reach(b, WS_ATOMIC_FENCE, a->warp, a->scope))
        return WS_ATOMIC_WAIT;
    if (!a->is_update)
        return WS_ATOMIC_PASS;
    ws_partial_update p;
    ws_partial_begin(box, &p, a);
    if (!ws_outbox_put(box, &p))
        return WS_ATOMIC_WAIT;
    b->counts->update_misses++;
    b->counts->update_evictions++;
    return WS_ATOMIC_KEPT;
}

static bool leaving(const ws_atomic_buffer *b, uint64_t now, ws_atomic_sum *out)
{
    const ws_outbox *const box = b->state;
    const ws_partial_update *const first = ws_outbox_first(box);
    (void)now;
    if (!first || !ws_outbox_has_flight(box))
        return false;
    ws_outbox_describe(box, first, out);
    return true;
}

static void left(const ws_atomic_buffer *b, const ws_atomic_sum *sum)
{
    ws_outbox *const box = b->state;
    ws_outbox_left(box, sum->id, ws_outbox_first(box)->first);
    ws_outbox_take(box);
    b->counts->update_messages++;
}

static uint64_t next_time(const ws_atomic_buffer *b, uint64_t now)
{
    const ws_outbox *const box = b->state;
    return box->waiting && ws_outbox_has_flight(box) ? now : WS_COHERENCE_NEVER;
}

static uint32_t waiting(const ws_atomic_buffer *b)
{
    const ws_outbox *const box = b->state;
    return box->waiting + box->flights;
}

const ws_atomic_ops ws_atomic_serialize = {
    .split = ws_coalesce,
    .state_size = state_size,
    .most_in_flight = WS_OUTBOX_FLIGHTS,
    .offer = offer,
    .leaving = leaving,
    .left = left,
    .performed = ws_outbox_performed,
    .reach = reach,
    .next_time = next_time,
    .waiting = waiting,
};
