/* cache_sharing.c - blocks of one SM stay in L1s, blocks of several stay in L2: one copy of what is shared, not one in
 * each L1.
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", USC 2018,
 * sections 2.4 and 2.5. An L2 keeps with each line who brought it and whether another SM came, from the miss on, so a
 * read under way knows it, too; that goes up with the answer. It gives private lines up first, and does not keep local
 * memory that misses. An L1 keeps a shared block only in the place of nothing, of a shared one, or of a dead one: its
 * private line that was not used for longest is spared once, a shared one going in its place or the block that comes
 * going past; then it is dead, and goes for whatever comes next (figures 2.9, 2.10). Two rules follow, and are checked
 * here: P1, only private data drive private data that are not dead out of an L1; P2, only data that may be shared drive
 * shared data out of an L2.
 *
 * What the document leaves open, and is chosen here: stores count as uses; a hit ends what was noted of being spared; a
 * block that is shared never becomes private again while L2 has it; local memory that is stored takes a line of L2
 * where P2 lets it. */
#include "model/cache/cache_internal.h"

#include "base/status.h"

#include <assert.h>
#include <string.h>

enum { WORD_BYTES = 4, MASK_WORDS = 32 /* of ws_cache_use.mask */, SHARED_NOTE = 1 };

/* The class of the line that was left last, until the block for which it was comes; what was dead counts as nothing. */
enum { NOTHING, PRIVATE, SHARED, DEAD = NOTHING };

typedef struct all {
    ws_cache_tally tally; /* has to be first */
    uint32_t left, padding;
} all;

/* A line is given up for another: P1 and P2 are looked at when that one comes. */
static void note_left(const ws_cache_set *set, bool shared, bool dead)
{
    all *const a = set->shared;
    a->left = shared ? SHARED : dead ? DEAD : PRIVATE;
    a->tally.left_shared += shared;
    a->tally.left_private += !shared;
}

static void note_put(const ws_cache_set *set, bool may_follow_private, bool may_follow_shared)
{
    all *const a = set->shared;
    const bool broken = (a->left == PRIVATE && !may_follow_private) || (a->left == SHARED && !may_follow_shared);
    a->left = NOTHING;
    a->tally.broken += broken;
    assert(!broken);
}

/* --- L1 --- */

enum { FILL, SPARE };
enum { NEVER, NOT_FOR_PRIVATE, FOR_DEAD };
enum { MOST_SPARED = 255 }; /* ... and the value that is no bound */

static const ws_option l1_options[] = {
    [FILL] = {"fill", "", FOR_DEAD, NEVER, FOR_DEAD,
              "a block that several SMs share is kept 0: never; 1: where it drives no private one out; 2: also in the "
              "place of a dead one"},
    [SPARE] = {"spare", "times", 1, 0, MOST_SPARED,
               "times that a shared line is evicted, or a shared block bypasses, in place of the LRU private line, "
               "which is dead afterwards. 0: never; 255: always"},
    {NULL, NULL, 0, 0, 0, NULL},
};

typedef struct l1_line {
    bool shared;
    uint8_t spared; /* times since it was used */
} l1_line;

static l1_line *l1_at(const ws_cache_set *set, uint32_t way)
{
    return (l1_line *)(void *)set->line + way;
}

/* The least recently used line that several SMs share, or WS_CACHE_NONE. */
static uint32_t last_shared(const ws_cache_set *set)
{
    uint32_t best = WS_CACHE_NONE;
    for (uint32_t way = 0; way < set->ways; way++)
        if (set->tag[way] && l1_at(set, way)->shared && !ws_cache_is_locked(set, way) &&
            (best == WS_CACHE_NONE || set->chain[way] > set->chain[best]))
            best = way;
    return best;
}

static bool is_shared(const ws_cache_use *use)
{
    return (use->note & SHARED_NOTE) && !use->who.local;
}

static bool l1_admit(const ws_cache_set *set, const ws_cache_use *use)
{
    return set->values[FILL] != NEVER || !is_shared(use);
}

static bool can_be_spared(const ws_cache_set *set, uint32_t way)
{
    return !l1_at(set, way)->shared &&
           (l1_at(set, way)->spared < set->values[SPARE] || set->values[SPARE] == MOST_SPARED);
}

static uint32_t l1_victim(const ws_cache_set *set, const ws_cache_use *use)
{
    const uint32_t last = ws_cache_last_unlocked(set, 0);
    if (last == WS_CACHE_NONE || l1_at(set, last)->shared)
        return last;
    const bool spared = can_be_spared(set, last);
    const uint32_t other = spared ? last_shared(set) : WS_CACHE_NONE;
    if (other != WS_CACHE_NONE)
        return other;
    return is_shared(use) && (spared || set->values[FILL] != FOR_DEAD) ? WS_CACHE_BYPASS : last;
}

/* The line that was not used for longest stayed, though a block came. */
static void note_spared(const ws_cache_set *set, uint32_t last)
{
    l1_at(set, last)->spared += l1_at(set, last)->spared < MOST_SPARED;
}

static void l1_bypass(const ws_cache_set *set, const ws_cache_use *use)
{
    const uint32_t last = set->values[FILL] != NEVER && is_shared(use) ? ws_cache_last_unlocked(set, 0) : WS_CACHE_NONE;
    if (last != WS_CACHE_NONE)
        note_spared(set, last);
}

static void l1_insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    const bool shared = is_shared(use);
    note_put(set, !shared, true);
    l1_at(set, way)->shared = shared;
    ws_chain_to_front(set->chain, set->ways, way);
}

static void l1_hit(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    l1_at(set, way)->spared = 0;
    ws_chain_to_front(set->chain, set->ways, way);
}

static void l1_leave(const ws_cache_set *set, uint32_t way, ws_cache_end end)
{
    if (!end.replaced)
        return;
    const l1_line *const l = l1_at(set, way);
    const uint32_t last = ws_cache_last_unlocked(set, 0);
    const bool dead = !l->shared && !can_be_spared(set, way);
    note_left(set, l->shared, dead && set->values[FILL] == FOR_DEAD);
    if (last != WS_CACHE_NONE && last != way)
        note_spared(set, last);
    ((all *)set->shared)->tally.left_dead += dead && l->spared;
}

const ws_cache_replacement ws_cache_replacement_sharing_l1 = {
    .name = "sharing-l1",
    .summary = "as lru, but evicts shared blocks first, which never evict private ones that are not dead",
    .options = l1_options,
    .places = WS_CACHE_IN_L1,
    .tallies = WS_CACHE_TALLY_LEFT | WS_CACHE_TALLY_DEAD,
    .hears = true,
    .cache_bytes = sizeof(all),
    .line_bytes = sizeof(l1_line),
    .chain = true,
    .bypasses = true,
    .admit = l1_admit,
    .insert = l1_insert,
    .hit = l1_hit,
    .victim = l1_victim,
    .leave = l1_leave,
    .bypass = l1_bypass,
};

/* --- L2 --- */

enum { UNIT };
enum { LEAST_UNIT = 32, MOST_UNIT = 128, PARTS = MOST_UNIT / LEAST_UNIT };

static const ws_option l2_options[] = {
    [UNIT] = {"unit", "bytes", 0, 0, MOST_UNIT,
              "granularity of sharing in an L2, a power of two from 32; a block is shared if one of its parts is. 0: a "
              "line"},
    {NULL, NULL, 0, 0, 0, NULL},
};

typedef struct l2_line {
    uint16_t owner[PARTS]; /* the SM that asked first */
    uint8_t asked, shared; /* parts: some SM asked, another one did, too */
    bool local;
    uint8_t padding;
} l2_line;

static l2_line *l2_at(const ws_cache_set *set, uint32_t way)
{
    return (l2_line *)(void *)set->line + way;
}

static int l2_configure(const uint64_t *values, uint32_t sets, uint32_t ways)
{
    (void)sets, (void)ways;
    const uint64_t unit = values[UNIT];
    if (!unit || (unit >= LEAST_UNIT && !(unit & (unit - 1))))
        return WS_OK;
    return ws_fail(WS_EINPUT, "unit is %llu, expected 0, for a line, or a power of two from %d to %d bytes",
                   (unsigned long long)unit, (int)LEAST_UNIT, (int)MOST_UNIT);
}

static int l2_suits_line(const uint64_t *values, uint32_t line_bytes)
{
    if (values[UNIT] <= line_bytes)
        return WS_OK;
    return ws_fail(WS_EINPUT,
                   "unit is %llu, more than a line of %u bytes: sharers are recorded per line; expected at most a line",
                   (unsigned long long)values[UNIT], line_bytes);
}

static bool is_of_part(const ws_cache_set *set, const ws_cache_use *use, uint32_t part)
{
    const uint64_t words = set->values[UNIT] / WORD_BYTES;
    if (!words)
        return part == 0;
    if (part * words >= MASK_WORDS)
        return false;
    const uint64_t of_part = ((UINT64_C(1) << words) - 1) << part * words;
    return !use->mask || (use->mask & of_part);
}

/* An SM asks for the block of the line. Local memory is private, whoever has it after its thread ended. */
static void note_use(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    l2_line *const l = l2_at(set, way);
    const bool was_shared = l->shared != 0;
    l->local |= use->who.local;
    for (uint32_t part = 0; part < PARTS && !l->local; part++) {
        const uint8_t bit = (uint8_t)(1u << part);
        if (!is_of_part(set, use, part))
            continue;
        if (!(l->asked & bit))
            l->owner[part] = use->sm;
        else if (l->owner[part] != use->sm)
            l->shared |= bit;
        l->asked |= bit;
    }
    ((all *)set->shared)->tally.made_shared += !was_shared && l->shared;
}

static bool l2_admit(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)set;
    return use->kind != WS_CACHE_LOAD || !use->who.local;
}

/* The least recently used line among those that are shared, or are not, and may go. */
static uint32_t last_of(const ws_cache_set *set, bool shared)
{
    uint32_t best = WS_CACHE_NONE;
    for (uint32_t way = 0; way < set->ways; way++)
        if (set->tag[way] && (l2_at(set, way)->shared != 0) == shared && !ws_cache_is_locked(set, way) &&
            (best == WS_CACHE_NONE || set->chain[way] > set->chain[best]))
            best = way;
    return best;
}

static uint32_t l2_victim(const ws_cache_set *set, const ws_cache_use *use)
{
    const uint32_t way = last_of(set, false);
    if (way != WS_CACHE_NONE)
        return way;
    return use->who.local ? WS_CACHE_BYPASS : last_of(set, true);
}

static void l2_insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    note_put(set, true, !use->who.local);
    note_use(set, way, use);
    ws_chain_to_front(set->chain, set->ways, way);
}

static void l2_hit(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    note_use(set, way, use);
    ws_chain_to_front(set->chain, set->ways, way);
}

static void l2_leave(const ws_cache_set *set, uint32_t way, ws_cache_end end)
{
    if (end.replaced)
        note_left(set, l2_at(set, way)->shared != 0, false);
}

static uint8_t l2_tell(const ws_cache_set *set, uint32_t way)
{
    return l2_at(set, way)->shared ? SHARED_NOTE : 0;
}

const ws_cache_replacement ws_cache_replacement_sharing_l2 = {
    .name = "sharing-l2",
    .summary = "as lru, but evicts blocks used by a single SM first; tracks sharers, and does not cache local memory "
               "on a miss",
    .options = l2_options,
    .places = WS_CACHE_IN_L2,
    .tallies = WS_CACHE_TALLY_LEFT | WS_CACHE_TALLY_MADE,
    .configure = l2_configure,
    .suits_line = l2_suits_line,
    .cache_bytes = sizeof(all),
    .line_bytes = sizeof(l2_line),
    .chain = true,
    .bypasses = true,
    .admit = l2_admit,
    .insert = l2_insert,
    .hit = l2_hit,
    .victim = l2_victim,
    .leave = l2_leave,
    .tell = l2_tell,
};
