/* atomic_lab.c - the local atomic buffer: lines of partial updates beside the L1, taken out of it.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", PhD thesis, University of
 * Wisconsin-Madison, 2023, chapter 3 (and Dalmia, Mahapatra, Sinclair, "Only Buffer When You Need To: Reducing On-chip
 * GPU Traffic with Reconfigurable Local Atomic Buffers", HPCA 2022). Each request of a warp's update for a line hits an
 * entry of that line with the same operation, and is done; or restarts the entry with its own operation when that is
 * another; or takes an entry, of the line used least recently when none is free, without reading anything. What an
 * entry held leaves for L2, which adds it to memory. At a fence or an ordered access beyond the block, and at the end
 * of a launch, all leave.
 *
 * Loads, stores and other atomics do not look. One that meets words that are kept here is a commutative race of the
 * program. */
#include "model/sim/sm/atomic_internal.h"

#include "collect/trace/update.h"
#include "model/sim/sm/atomic_outbox.h"

#include <string.h>

enum { WARP_BITS = 6 };

typedef struct lab {
    ws_outbox box; /* first */
    uint32_t kept, leaving, cursor,
        lines; /* entries; of them, those that have to leave, none of which is before the cursor */
    size_t entries_at;
} lab;

static size_t aligned(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

static size_t state_size(const uint64_t *values)
{
    ws_cache tags = {0};
    return ws_atomic_kinds[WS_ATOMIC_lab].arrange(values, &tags)
               ? 0
               : aligned(sizeof(lab)) + aligned(tags.bytes) + (size_t)tags.sets * tags.ways * sizeof(ws_partial_update);
}

/* The state as it is at first is all zero; an array of tags is not. */
static lab *lab_of(const ws_atomic_buffer *b)
{
    lab *const l = b->state;
    if (!l->lines) {
        l->lines = b->tags->sets * b->tags->ways;
        l->entries_at = aligned(sizeof *l) + aligned(b->tags->bytes);
        ws_cache_init(b->tags, (char *)l + aligned(sizeof *l));
    }
    return l;
}

static void *tags_of(lab *l)
{
    return (char *)l + aligned(sizeof *l);
}

static ws_partial_update *entry_at(lab *l, uint32_t line)
{
    return (ws_partial_update *)((char *)l + l->entries_at) + line;
}

/* Where warps have times, an entry is of one warp. */
static uint64_t key_of(const ws_atomic_buffer *b, const ws_atomic_access *a)
{
    return b->by_warp ? a->block << WARP_BITS | a->warp : a->block;
}

static ws_cache_use use_of(uint64_t key)
{
    return (ws_cache_use){.block = key, .kind = WS_CACHE_ATOMIC};
}

static void empty_entry(lab *l, uint32_t line)
{
    l->leaving -= entry_at(l, line)->leaves;
    l->kept--;
    memset(entry_at(l, line), 0, sizeof(ws_partial_update));
}

static void drop(const ws_atomic_buffer *b, lab *l, uint32_t line)
{
    empty_entry(l, line);
    ws_cache_drop(b->tags, tags_of(l), line, (ws_cache_end){.replaced = true, .dirty = true});
}

/* Entries from before that turn have to leave. Are there any? */
static bool mark(lab *l, uint64_t until)
{
    bool any = false;
    if (until == UINT64_MAX && l->leaving == l->kept)
        return l->kept > 0;
    for (uint32_t line = 0; l->kept && line < l->lines; line++) {
        ws_partial_update *const e = entry_at(l, line);
        if (!e->first || e->first >= until)
            continue;
        l->leaving += !e->leaves;
        l->cursor = line < l->cursor ? line : l->cursor;
        e->leaves = any = true;
    }
    return any;
}

static void forget_all(const ws_atomic_buffer *b, lab *l)
{
    for (uint32_t line = 0; l->kept && line < l->lines; line++)
        if (entry_at(l, line)->first && !entry_at(l, line)->leaves) {
            drop(b, l, line);
            b->counts->update_unsent++;
        }
}

static bool reach(const ws_atomic_buffer *b, ws_atomic_point point, unsigned warp, uint8_t scope)
{
    lab *const l = lab_of(b);
    const uint64_t until = ws_outbox_until(&l->box, point, warp, scope);
    if (!until)
        return true;
    if (point == WS_ATOMIC_LAUNCH && !b->values[WS_ATOMIC_lab_flush])
        forget_all(b, l);
    if (mark(l, until) || !ws_outbox_is_clear(&l->box, until))
        return false;
    ws_outbox_passed(&l->box, point, warp);
    return true;
}

/* Does the access meet words that are kept? It does not wait for them. */
static void count_race(const ws_atomic_buffer *b, lab *l, const ws_atomic_access *a)
{
    const uint32_t line = l->kept ? ws_cache_find(b->tags, tags_of(l), key_of(b, a)) : WS_CACHE_NONE;
    b->counts->update_races += line != WS_CACHE_NONE && (entry_at(l, line)->words & a->words);
}

/* The line that the update gets: its own, an empty one, or that of another line. */
static uint32_t line_for(const ws_atomic_buffer *b, lab *l, uint64_t key, bool *own)
{
    const uint32_t line = ws_cache_find(b->tags, tags_of(l), key);
    *own = line != WS_CACHE_NONE;
    if (*own)
        return line;
    const ws_cache_use use = use_of(key);
    return ws_cache_choose(b->tags, tags_of(l), &use, NULL);
}

static void begin(const ws_atomic_buffer *b, lab *l, uint32_t line, const ws_atomic_access *a, bool own)
{
    const ws_cache_use use = use_of(key_of(b, a));
    if (own)
        ws_cache_touch(b->tags, tags_of(l), line, &use);
    else
        ws_cache_put(b->tags, tags_of(l), line, &use);
    ws_partial_begin(&l->box, entry_at(l, line), a);
    l->kept++;
    b->counts->update_misses++;
}

static ws_atomic_answer update(const ws_atomic_buffer *b, lab *l, const ws_atomic_access *a)
{
    bool own;
    const uint32_t line = line_for(b, l, key_of(b, a), &own);
    ws_partial_update *const e = entry_at(l, line);
    if (own && e->code == ws_update_code_of(a)) {
        const ws_cache_use use = use_of(key_of(b, a));
        ws_cache_touch(b->tags, tags_of(l), line, &use);
        ws_partial_add(e, a);
        b->counts->update_hits++;
        return WS_ATOMIC_KEPT;
    }
    if (e->first && !ws_outbox_put(&l->box, e))
        return WS_ATOMIC_WAIT;
    if (own) {
        empty_entry(l, line);
        b->counts->update_mismatches++;
    } else if (e->first) {
        drop(b, l, line);
        b->counts->update_evictions++;
    }
    begin(b, l, line, a, own);
    return WS_ATOMIC_KEPT;
}

static ws_atomic_answer offer(const ws_atomic_buffer *b, const ws_atomic_access *a)
{
    lab *const l = lab_of(b);
    if (ws_update_is_ordered(a->order, a->scope) && !reach(b, WS_ATOMIC_FENCE, a->warp, a->scope))
        return WS_ATOMIC_WAIT;
    if (a->is_update)
        return update(b, l, a);
    count_race(b, l, a);
    return WS_ATOMIC_PASS;
}

/* The next entry that has to leave; NULL: none. */
static ws_partial_update *next_entry(lab *l)
{
    while (l->leaving && !entry_at(l, l->cursor)->leaves)
        l->cursor++;
    return l->leaving ? entry_at(l, l->cursor) : NULL;
}

static bool leaving(const ws_atomic_buffer *b, uint64_t now, ws_atomic_sum *out)
{
    lab *const l = lab_of(b);
    const ws_partial_update *next = ws_outbox_first(&l->box);
    (void)now;
    if (!next)
        next = next_entry(l);
    if (!next || !ws_outbox_has_flight(&l->box))
        return false;
    ws_outbox_describe(&l->box, next, out);
    return true;
}

static void left(const ws_atomic_buffer *b, const ws_atomic_sum *sum)
{
    lab *const l = lab_of(b);
    b->counts->update_messages++;
    if (l->box.waiting) {
        ws_outbox_left(&l->box, sum->id, ws_outbox_first(&l->box)->first);
        ws_outbox_take(&l->box);
        return;
    }
    ws_outbox_left(&l->box, sum->id, next_entry(l)->first);
    b->counts->update_flushed++;
    drop(b, l, l->cursor);
    l->cursor = l->leaving ? l->cursor : 0;
}

static uint64_t next_time(const ws_atomic_buffer *b, uint64_t now)
{
    const lab *const l = b->state;
    return (l->box.waiting || l->leaving) && ws_outbox_has_flight(&l->box) ? now : WS_COHERENCE_NEVER;
}

static uint32_t waiting(const ws_atomic_buffer *b)
{
    const lab *const l = b->state;
    return l->box.waiting + l->box.flights + l->leaving;
}

const ws_atomic_ops ws_atomic_lab = {
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
