/* atomic_buffered.c - reductions are summed up beside the L1, line by line, and leave as one.
 *
 * An entry holds reductions of one kind (operation and type) on words of one line. It leaves when an other one needs
 * its place (the one that was used least recently), when a reduction of another kind or any other access of the SM
 * meets its words, when it is `age` cycles old, at a fence or an ordered access whose scope is beyond the block, and
 * when a block ends. Atomics that return a value, and operations that do not commute, pass by. Lanes of an instruction
 * go as in `serial`.
 *
 * Where warps have times (leases, timestamps) an entry is of one warp: the answer moves on the time of one only. */
#include "model/sim/sm/atomic_internal.h"

#include "collect/trace/instr.h"

#include "base/bits.h"

#include <string.h>

enum { FLIGHTS = 64 };

typedef struct entry {
    uint64_t block, born; /* born: cycle */
    uint64_t first, used; /* turns of its first and last use */
    uint64_t warps;       /* that added to it; 0: free */
    uint32_t words;
    uint8_t op, number, bytes, order, scope;
    bool is_signed, leaves;
    uint32_t count[WS_COHERENCE_WORDS];
} entry;

typedef struct buffer {
    uint64_t turn;           /* grows with each use and each fence */
    uint64_t flights;        /* places that are taken */
    uint64_t first[FLIGHTS]; /* of what is in flight there */
    uint64_t asked[64];      /* turn at which the warp came to a fence that it has not passed; 0: none */
    uint32_t kept, leaves;   /* entries; of them, those that have to leave */
    entry entry[];
} buffer;

static size_t state_size(const uint64_t *values)
{
    return sizeof(buffer) + (size_t)values[WS_ATOMIC_buffered_entries] * sizeof(entry);
}

static void let_leave(buffer *f, entry *e)
{
    f->leaves += !e->leaves;
    e->leaves = true;
}

/* The entry to which a reduction is added. */
static entry *find_own(const ws_atomic_buffer *b, const ws_atomic_access *a)
{
    buffer *const f = b->state;
    for (uint64_t i = 0; f->kept && i < b->values[WS_ATOMIC_buffered_entries]; i++) {
        entry *const e = &f->entry[i];
        if (e->warps && e->block == a->block && (!b->by_warp || e->warps == UINT64_C(1) << a->warp))
            return e;
    }
    return NULL;
}

/* An entry with words of the access. */
static entry *find_met(const ws_atomic_buffer *b, const ws_atomic_access *a)
{
    buffer *const f = b->state;
    for (uint64_t i = 0; f->kept && i < b->values[WS_ATOMIC_buffered_entries]; i++) {
        entry *const e = &f->entry[i];
        if (e->warps && e->block == a->block && e->words & a->words)
            return e;
    }
    return NULL;
}

/* A free entry; the one used least recently when there is none. */
static entry *oldest(const ws_atomic_buffer *b)
{
    buffer *const f = b->state;
    entry *best = &f->entry[0];
    for (uint64_t i = 0; i < b->values[WS_ATOMIC_buffered_entries]; i++) {
        entry *const e = &f->entry[i];
        if (!e->warps)
            return e;
        if (e->used < best->used)
            best = e;
    }
    return best;
}

static bool commutes(uint8_t op)
{
    return op == WS_ATOMIC_ADD || op == WS_ATOMIC_MIN || op == WS_ATOMIC_MAX || op == WS_ATOMIC_AND ||
           op == WS_ATOMIC_OR || op == WS_ATOMIC_XOR;
}

static bool is_beyond_cta(uint8_t scope)
{
    return scope != WS_SCOPE_CTA;
}

/* A release of what the SM did before, or more. */
static bool is_ordered(const ws_atomic_access *a)
{
    return (a->order == WS_ORDER_RELEASE || a->order == WS_ORDER_ACQ_REL || a->order == WS_ORDER_SC) &&
           is_beyond_cta(a->scope);
}

/* May entry and access be one? */
static bool is_same_kind(const entry *e, const ws_atomic_access *a)
{
    return e->op == a->op && e->number == a->number && e->bytes == a->bytes && e->is_signed == a->is_signed;
}

static void add(buffer *f, entry *e, const ws_atomic_access *a)
{
    e->warps |= UINT64_C(1) << a->warp;
    e->words |= a->words;
    e->used = ++f->turn;
    e->scope = a->scope > e->scope ? a->scope : e->scope;
    WS_EACH_LANE (word, a->words)
        e->count[word]++;
}

/* A fence is about what all warps of the SM did before it: what they did in front of a barrier, its warp knows of. What
 * comes behind it does not keep it waiting. */
static bool reach(const ws_atomic_buffer *b, ws_atomic_point point, unsigned warp, uint8_t scope);

static ws_atomic_answer offer(const ws_atomic_buffer *b, const ws_atomic_access *a)
{
    buffer *const f = b->state;
    if (is_ordered(a) && !reach(b, WS_ATOMIC_FENCE, a->warp, a->scope))
        return WS_ATOMIC_WAIT;
    const bool keep = a->kind == WS_REQUEST_ATOMIC && !a->returns && commutes(a->op) && !is_ordered(a);
    entry *e = keep ? find_own(b, a) : find_met(b, a);
    if (!e && !keep)
        return WS_ATOMIC_PASS;
    if (e && (!keep || e->leaves || !is_same_kind(e, a))) {
        let_leave(f, e);
        return WS_ATOMIC_WAIT;
    }
    if (!e) {
        e = oldest(b);
        if (e->warps) {
            let_leave(f, e);
            return WS_ATOMIC_WAIT;
        }
        *e = (entry){.block = a->block,
                     .born = a->now,
                     .first = ++f->turn,
                     .op = a->op,
                     .number = a->number,
                     .bytes = a->bytes,
                     .is_signed = a->is_signed,
                     .order = a->order,
                     .scope = a->scope};
        f->kept++;
    }
    add(f, e, a);
    return WS_ATOMIC_KEPT;
}

static bool is_old(const ws_atomic_buffer *b, const entry *e, uint64_t now)
{
    return now - e->born >= b->values[WS_ATOMIC_buffered_age];
}

static entry *next_out(const ws_atomic_buffer *b, uint64_t now)
{
    buffer *const f = b->state;
    for (uint64_t i = 0; f->kept && i < b->values[WS_ATOMIC_buffered_entries]; i++) {
        entry *const e = &f->entry[i];
        if (e->warps && (e->leaves || is_old(b, e, now)))
            return e;
    }
    return NULL;
}

static bool leaving(const ws_atomic_buffer *b, uint64_t now, ws_atomic_sum *out)
{
    const buffer *const f = b->state;
    entry *const e = next_out(b, now);
    if (!e || f->flights == UINT64_MAX)
        return false;
    *out = (ws_atomic_sum){.block = e->block,
                           .words = e->words,
                           .warp = (uint16_t)__builtin_ctzll(e->warps),
                           .id = (uint16_t)__builtin_ctzll(~f->flights),
                           .order = e->order,
                           .scope = e->scope};
    memcpy(out->count, e->count, sizeof out->count);
    return true;
}

static void left(const ws_atomic_buffer *b, const ws_atomic_sum *sum)
{
    buffer *const f = b->state;
    for (uint64_t i = 0; i < b->values[WS_ATOMIC_buffered_entries]; i++) {
        entry *const e = &f->entry[i];
        if (!e->warps || e->block != sum->block || e->words != sum->words || __builtin_ctzll(e->warps) != sum->warp)
            continue;
        f->first[sum->id] = e->first;
        f->flights |= UINT64_C(1) << sum->id;
        f->leaves -= e->leaves;
        f->kept--;
        *e = (entry){0};
        return;
    }
}

static void performed(const ws_atomic_buffer *b, unsigned id)
{
    buffer *const f = b->state;
    f->flights &= ~(UINT64_C(1) << id);
}

static bool reach(const ws_atomic_buffer *b, ws_atomic_point point, unsigned warp, uint8_t scope)
{
    buffer *const f = b->state;
    if (point == WS_ATOMIC_FENCE && !is_beyond_cta(scope))
        return true;
    if (point == WS_ATOMIC_FENCE && !f->asked[warp])
        f->asked[warp] = ++f->turn;
    const uint64_t until = point == WS_ATOMIC_FENCE ? f->asked[warp] : UINT64_MAX;
    bool passed = true;
    for (uint64_t i = 0; f->kept && i < b->values[WS_ATOMIC_buffered_entries]; i++)
        if (f->entry[i].warps && f->entry[i].first < until) {
            let_leave(f, &f->entry[i]);
            passed = false;
        }
    for (uint64_t rest = f->flights; rest; rest &= rest - 1)
        passed &= f->first[__builtin_ctzll(rest)] > until;
    if (passed && point == WS_ATOMIC_FENCE)
        f->asked[warp] = 0;
    return passed;
}

static uint64_t next_time(const ws_atomic_buffer *b, uint64_t now)
{
    const buffer *const f = b->state;
    uint64_t next = WS_COHERENCE_NEVER;
    if (!f->kept || f->flights == UINT64_MAX)
        return WS_COHERENCE_NEVER;
    if (f->leaves)
        return now;
    for (uint64_t i = 0; i < b->values[WS_ATOMIC_buffered_entries]; i++) {
        const entry *const e = &f->entry[i];
        if (e->warps && e->born + b->values[WS_ATOMIC_buffered_age] < next)
            next = e->born + b->values[WS_ATOMIC_buffered_age];
    }
    return next > now ? next : now;
}

static uint32_t waiting(const ws_atomic_buffer *b)
{
    const buffer *const f = b->state;
    return f->leaves + ws_popcount64(f->flights);
}

const ws_atomic_ops ws_atomic_buffered = {
    .split = ws_atomic_split_serial,
    .state_size = state_size,
    .most_in_flight = FLIGHTS,
    .offer = offer,
    .leaving = leaving,
    .left = left,
    .performed = performed,
    .reach = reach,
    .next_time = next_time,
    .waiting = waiting,
};
