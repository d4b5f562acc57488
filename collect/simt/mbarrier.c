/* mbarrier.c - barrier objects in shared memory: threads and bytes that have to arrive before a phase ends.
 *
 * What the 64 bits hold is the implementation's own (PTX ISA, "mbarrier contents"): how many arrivals and how many
 * bytes are missing, how many arrivals a phase has, and the parity of the phase. A state that an arrival returns is the
 * word as it was before.
 *
 * Of an object that mbarrier.inval ended, the phase is left. Who still polls it, since it ended before he looked, gets
 * his answer, and what else is done to it does nothing: programs end objects too early, and GPUs go on. The launch
 * notes it. */
#include "collect/simt/async_internal.h"

#include <string.h>

enum {
    COUNT_BITS = 20,
    MOST_COUNT = (1 << COUNT_BITS) - 1, /* of arrivals, and of bytes in both directions; PTX ISA */
    BYTES_SHIFT = 2 * COUNT_BITS,
    PHASE_SHIFT = 61,
    MARK_SHIFT = 62,
    MARK = 2,      /* in the top bits of an object: no program's zeros, addresses or small numbers have it */
    MARK_ENDED = 3 /* of one that is no more */
};

typedef struct object {
    uint32_t missing, expected;
    int64_t bytes; /* that are expected and did not come */
    bool phase;
} object;

static uint64_t word_of(const object *o)
{
    return (uint64_t)o->missing | (uint64_t)o->expected << COUNT_BITS |
           ((uint64_t)o->bytes & ((1u << (COUNT_BITS + 1)) - 1)) << BYTES_SHIFT | (uint64_t)o->phase << PHASE_SHIFT |
           (uint64_t)MARK << MARK_SHIFT;
}

static object object_of(uint64_t word)
{
    const uint32_t bytes = (uint32_t)(word >> BYTES_SHIFT) & ((1u << (COUNT_BITS + 1)) - 1);
    return (object){.missing = (uint32_t)word & MOST_COUNT,
                    .expected = (uint32_t)(word >> COUNT_BITS) & MOST_COUNT,
                    .bytes = (int64_t)bytes - (bytes >> COUNT_BITS ? 1 << (COUNT_BITS + 1) : 0),
                    .phase = word >> PHASE_SHIFT & 1};
}

static uint64_t load(const block *in, uint32_t offset)
{
    uint64_t word;
    memcpy(&word, in->shared + offset, sizeof word);
    return word;
}

static void store(warp *w, block *in, uint32_t offset, uint64_t word)
{
    memcpy(in->shared + offset, &word, sizeof word);
    w->block->objects_changed = in->objects_changed = true;
    if (in->checks)
        checks_object(in == w->block ? w : &in->warp[0], offset);
}

static bool find(warp *w, const uop *u, unsigned lane, const block *in, uint32_t offset, object *o)
{
    const uint64_t word = load(in, offset);
    *o = object_of(word);
    return word >> MARK_SHIFT == MARK ||
           block_fault(w, u, lane, "no mbarrier object at shared address 0x%x: mbarrier.init makes one", offset);
}

/* Whether mbarrier.inval was there already; then that is noted. */
static bool is_ended(warp *w, const uop *u, unsigned lane, const block *in, uint32_t offset)
{
    if (load(in, offset) >> MARK_SHIFT != MARK_ENDED)
        return false;
    block_note(w, u, lane, "mbarrier.inval ended the mbarrier object at shared address 0x%x before", offset);
    return true;
}

static void end(warp *w, const uop *u, unsigned lane, block *in, uint32_t offset)
{
    const uint64_t word = load(in, offset);
    if (word >> MARK_SHIFT == MARK)
        store(w, in, offset, (word & 1ull << PHASE_SHIFT) | (uint64_t)MARK_ENDED << MARK_SHIFT);
    else if (!is_ended(w, u, lane, in, offset))
        block_note(w, u, lane, "there is no mbarrier object at shared address 0x%x", offset);
}

/* Who waits for the object will see that this phase is over, even if he looks when the next one is over, too. */
static void wake(block *b, uint32_t offset)
{
    for (uint32_t i = 0; i < b->warps; i++)
        if (b->warp[i].waits_at && b->warp[i].waits_object == offset)
            b->warp[i].phase_ended = true;
}

/* A phase without arrivals and bytes that are missing is over. */
static void put(warp *w, block *in, uint32_t offset, object *o)
{
    if (!o->missing && !o->bytes) {
        o->phase = !o->phase;
        o->missing = o->expected;
        wake(in, offset);
    }
    store(w, in, offset, word_of(o));
}

static bool add_bytes(warp *w, const uop *u, unsigned lane, object *o, int64_t bytes)
{
    o->bytes += bytes;
    return (o->bytes <= MOST_COUNT && o->bytes >= -MOST_COUNT) ||
           block_fault(w, u, lane, "an mbarrier object counts at most %d bytes, not %lld", MOST_COUNT,
                       (long long)o->bytes);
}

static bool take_arrivals(warp *w, const uop *u, unsigned lane, object *o, uint32_t count, bool drop)
{
    if (count == 0 || count > o->missing)
        return block_fault(w, u, lane, "%u arrivals at an mbarrier object that waits for %u", count, o->missing);
    o->missing -= count;
    if (drop)
        o->expected -= count < o->expected ? count : o->expected;
    return true;
}

bool mbarrier_complete_bytes(warp *w, const uop *u, unsigned lane, block *in, uint32_t offset, int64_t bytes)
{
    object o;
    if (is_ended(w, u, lane, in, offset))
        return true;
    if (!find(w, u, lane, in, offset, &o) || !add_bytes(w, u, lane, &o, -bytes))
        return false;
    put(w, in, offset, &o);
    return true;
}

bool mbarrier_arrive_one(warp *w, const uop *u, unsigned lane, block *in, uint32_t offset)
{
    object o;
    if (is_ended(w, u, lane, in, offset))
        return true;
    if (!find(w, u, lane, in, offset, &o) || !take_arrivals(w, u, lane, &o, 1, false))
        return false;
    put(w, in, offset, &o);
    return true;
}

static bool init(warp *w, const uop *u, unsigned lane, block *in, uint32_t offset, uint32_t count)
{
    if (count == 0 || count > MOST_COUNT)
        return block_fault(w, u, lane, "an mbarrier object waits for 1 to %d arrivals, not %u", MOST_COUNT, count);
    store(w, in, offset, word_of(&(object){.missing = count, .expected = count}));
    return true;
}

static void give_state(const warp *w, const async_op *op, unsigned lane, uint64_t state)
{
    if (op->returns)
        ((uint64_t *)place_pointer(w, op->result))[lane] = state;
}

static bool arrive(warp *w, const uop *u, const async_op *op, unsigned lane, block *in, uint32_t offset, uint32_t count)
{
    object o;
    if (is_ended(w, u, lane, in, offset)) {
        give_state(w, op, lane, load(in, offset));
        return true;
    }
    if (!find(w, u, lane, in, offset, &o))
        return false;
    const uint64_t before = word_of(&o);
    if (op->tx && !add_bytes(w, u, lane, &o, count))
        return false;
    if (!take_arrivals(w, u, lane, &o, op->tx || !op->has_count ? 1 : count, op->drop))
        return false;
    if (op->no_complete && !o.missing && !o.bytes)
        return block_fault(w, u, lane, "an arrival with .noComplete completes the phase");
    put(w, in, offset, &o);
    give_state(w, op, lane, before);
    return true;
}

/* The phase that a state, or a parity, names. */
static bool waited_phase(const async_op *op, const warp *w, unsigned lane)
{
    const void *const waited = place_pointer(w, op->count);
    return op->parity ? ((const uint32_t *)waited)[lane] & 1 : ((const uint64_t *)waited)[lane] >> PHASE_SHIFT & 1;
}

static bool find_to_wait(warp *w, const uop *u, unsigned lane, uint32_t offset, object *o)
{
    const block *const in = w->block;
    if (!is_ended(w, u, lane, in, offset))
        return find(w, u, lane, in, offset, o);
    *o = object_of(load(in, offset));
    return true;
}

static bool wait(warp *w, const uop *u, const async_op *op, uint32_t exec, const uint64_t *address)
{
    const uint32_t woken = w->phase_ended && w->waits_at == u ? w->waits_lanes & exec : 0;
    uint32_t over = 0, parity = 0;
    WS_EACH_LANE (i, exec) {
        object o;
        if (!async_settle_object(w, u, i, (uint32_t)address[i]) || !find_to_wait(w, u, i, (uint32_t)address[i], &o))
            return false;
        const bool phase = waited_phase(op, w, i);
        const bool ended = woken >> i & 1 && address[i] == w->waits_object && (w->waits_parity >> i & 1) == phase;
        over |= (uint32_t)(ended || o.phase != phase) << i;
        parity |= (uint32_t)phase << i;
    }
    uint32_t *const result = place_pointer(w, op->result);
    *result = (*result & ~exec) | over;
    w->phase_ended = false;
    if (over == exec) {
        w->waits_at = NULL;
        return true;
    }
    /* The others get their turn; if nobody comes, block.c says who waits for what. */
    w->yields = true;
    w->waits_at = u;
    w->waits_lane = ws_lowest(exec & ~over);
    w->waits_object = (uint32_t)address[w->waits_lane];
    w->waits_lanes = 0;
    WS_EACH_LANE (i, exec & ~over)
        w->waits_lanes |= (uint32_t)(address[i] == w->waits_object) << i;
    w->waits_parity = parity;
    w->waits_since = w->instructions;
    if (w->depth)
        warp_polled(w, u, (uint64_t)exec << 32 | over);
    return true;
}

static bool one(warp *w, const uop *u, const async_op *op, unsigned lane, block *in, uint32_t offset)
{
    const uint32_t count = op->has_count ? ((const uint32_t *)place_pointer(w, op->count))[lane] : 1;
    object o;
    switch ((ws_sub)op->sub) {
    case WS_SUB_INIT:
        return init(w, u, lane, in, offset, count);
    case WS_SUB_INVAL:
        end(w, u, lane, in, offset);
        return true;
    case WS_SUB_EXPECT_TX:
        if (is_ended(w, u, lane, in, offset))
            return true;
        if (!find(w, u, lane, in, offset, &o) || !add_bytes(w, u, lane, &o, count))
            return false;
        store(w, in, offset, word_of(&o));
        return true;
    case WS_SUB_COMPLETE_TX:
        return mbarrier_complete_bytes(w, u, lane, in, offset, count);
    default:
        return arrive(w, u, op, lane, in, offset, count);
    }
}

static bool in_shared(warp *w, const uop *u, unsigned lane, ws_space space)
{
    return space == WS_SPACE_SHARED || block_fault(w, u, lane, "an mbarrier object has to be in shared memory");
}

bool mbarrier_run(warp *w, const uop *u, uint32_t exec, uint32_t active)
{
    const async_op *const op = u->info;
    uint64_t address[1][WS_WARP] = {{0}}, before[WS_WARP];
    unsigned char *host[1][WS_WARP];
    ws_space space;
    if (!exec)
        return access_none(w, u, &op->access, active);
    const void *const base = place_pointer(w, op->access.base);
    WS_EACH_LANE (i, exec) {
        const uint64_t at = op->access.base_wide ? ((const uint64_t *)base)[i] : ((const uint32_t *)base)[i];
        address[0][i] = (uint64_t)op->access.offset + at;
    }
    if (!access_groups(w, u, &op->access, exec, active, 1, 8, address, host, &space) ||
        !in_shared(w, u, ws_lowest(exec), space))
        return false;
    WS_EACH_LANE (i, w->block->checks ? exec : 0)
        if (cluster_holder(w->block, host[0][i]) == w->block)
            checks_object(w, (uint32_t)address[0][i]);
    if (op->sub == WS_SUB_TEST_WAIT || op->sub == WS_SUB_TRY_WAIT) {
        WS_EACH_LANE (i, exec)
            if (cluster_holder(w->block, host[0][i]) != w->block)
                return block_fault(w, u, i,
                                   "waits for an mbarrier object of another block of the cluster; only its own "
                                   "block can wait for it");
        return wait(w, u, op, exec, address[0]);
    }
    if (op->returns && w->block->sampled)
        memcpy(before, place_pointer(w, op->result), sizeof before);
    WS_EACH_LANE (i, exec)
        if (!one(w, u, op, i, cluster_holder(w->block, host[0][i]), (uint32_t)address[0][i]))
            return false;
    return !op->returns || !w->block->sampled ||
           access_report_register(w, u, exec, before, op->result, true, op->number);
}

/* How many arrivals were missing when the state was made. */
bool mbarrier_pending_run(warp *w, const uop *u, uint32_t exec)
{
    const uint64_t *const state = place_pointer(w, u->a);
    uint32_t *const d = place_pointer(w, u->d);
    WS_EACH_LANE (i, exec)
        d[i] = object_of(state[i]).missing;
    return true;
}

void mbarrier_describe(const warp *w, char *text, size_t size)
{
    const uint64_t word = load(w->block, w->waits_object);
    const object o = object_of(word);
    if (word >> MARK_SHIFT == MARK_ENDED)
        snprintf(text, size, "the mbarrier object at shared address 0x%x, which mbarrier.inval ended", w->waits_object);
    else
        snprintf(text, size, "the mbarrier object at shared address 0x%x: %u of %u arrivals and %lld bytes are missing",
                 w->waits_object, o.missing, o.expected, (long long)o.bytes);
}
