/* cache.h - set indexing and replacement of an array of cache tags.
 *
 * An index maps a block to a set; a replacement selects the line of a full set to evict. Each is a small struct of
 * functions. The description of an array (ws_cache) is constant. Its contents are plain memory without pointers, owned
 * by the caller, so a copy is a checkpoint. The caller keeps all other data of lines. Plain caches (model/sim) and
 * coherent ones (model/coherence) share this array. */
#ifndef WS_CACHE_H
#define WS_CACHE_H

#include "model/cache/chain.h"
#include "base/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_CACHE_PLAN = 16, WS_CACHE_OPTIONS = 16, WS_CACHE_MOST_WAYS = WS_CHAIN_MOST };
enum { WS_CACHE_NONE = UINT32_MAX, WS_CACHE_BYPASS = UINT32_MAX - 1 };

/* --- Index --- */

/* Values that an index function precomputes for a number of sets: masks, primes, options. */
typedef struct ws_cache_plan {
    uint32_t sets, bits; /* bits: log2(sets), if the index uses it */
    bool low;            /* the set is the block's lowest `bits` bits, so set_of need not be called */
    uint64_t value[WS_CACHE_PLAN];
} ws_cache_plan;

typedef struct ws_cache_index {
    const char *name, *summary;
    const ws_option *options; /* of this index, in the section of the cache, at most WS_CACHE_OPTIONS; NULL: none */
    /* Fills the plan from plan->sets. Returns false for an unsupported number of sets; `sets_needed` describes the
     * supported ones. */
    bool (*prepare)(ws_cache_plan *plan, const uint64_t *values);
    const char *sets_needed;
    /* Checks that the values suit the plan. WS_EINPUT, with the expected values. NULL: always. */
    int (*configure)(const ws_cache_plan *plan, const uint64_t *values);
    bool spares;   /* it may leave some sets unused */
    bool low_bits; /* the set is the block's lowest bits for any number of sets; profiles assume this */
    uint32_t (*set_of)(const ws_cache_plan *plan, uint64_t block); /* less than plan->sets */
} ws_cache_index;

/* --- User of a block --- */

/* In the order of ws_request_kind. */
typedef enum ws_cache_kind { WS_CACHE_LOAD, WS_CACHE_STORE, WS_CACHE_ATOMIC } ws_cache_kind;

/* Instruction of an access. `lines` 0: only `local` is known, as in an L2; with a protocol `local` is also unknown. */
typedef struct ws_cache_who {
    uint32_t pc;    /* index in the kernel */
    uint32_t life;  /* number of its warp in order of arrival at the SM */
    uint16_t lines; /* blocks that the instruction touches, at least 1 if known; more than 1 is divergence */
    uint16_t line;  /* index of this block among them, from 0; the last is lines - 1 */
    uint8_t rank;   /* age rank of the warp in its SM, 0 the oldest */
    uint8_t cta;    /* slot of its CTA in the SM */
    uint8_t lanes;  /* of the instruction */
    bool local;     /* memory private to a thread */
} ws_cache_who;

typedef struct ws_cache_use {
    uint64_t block;
    uint32_t mask; /* words of the block; 0: not known */
    uint16_t sm, warp;
    uint8_t kind; /* ws_cache_kind */
    uint8_t note; /* if the line is chosen at the fill: note of the next cache level about the block (`tell`) */
    bool waits;   /* the words are missing: the block is new, or a read of them is outstanding */
    ws_cache_who who;
} ws_cache_use;

/* Reason why a line is removed. */
typedef struct ws_cache_end {
    bool replaced; /* evicted for another block; otherwise removed for another reason */
    bool dirty;
    bool reused; /* hit since its fill; set by the array */
} ws_cache_end;

/* --- Replacement --- */

/* Cache levels that a policy supports; 0: all. */
enum { WS_CACHE_IN_L1 = 1, WS_CACHE_IN_L2 = 2, WS_CACHE_IN_L3 = 4 };

/* Counters of a policy that tracks more than the array. */
typedef struct ws_cache_tally {
    uint64_t left_private, left_shared; /* evicted lines, by blocks used by one SM or by several */
    uint64_t left_dead;                 /* private ones that were dead: not used again after they were spared */
    uint64_t made_shared;               /* lines whose block a second SM requested */
    uint64_t broken;                    /* evicted by a block that must not evict them; always 0 */
    uint64_t off;                       /* loads while the cache was off */
} ws_cache_tally;
enum { WS_CACHE_TALLY_LEFT = 1, WS_CACHE_TALLY_DEAD = 2, WS_CACHE_TALLY_MADE = 4, WS_CACHE_TALLY_OFF = 8 };

/* Set as a policy sees it. State is plain memory without pointers, initially zero. The state of a line is zeroed when
 * the line is removed, so equal histories give equal bytes. */
typedef struct ws_cache_set {
    uint32_t number, sets, ways;
    const uint64_t *values; /* policy options, in the order of its table */
    void *shared;           /* cache_bytes bytes for the whole cache */
    void *own;              /* set_bytes bytes for this set */
    uint8_t *line;          /* line_bytes bytes for each way */
    uint16_t *chain;        /* chain.h; NULL without a chain */
    const uint64_t *tag;    /* of each way; 0: empty */
    const uint8_t *locked;  /* of each way; nonzero: must not be evicted; NULL: none is locked */
} ws_cache_set;

typedef struct ws_cache_replacement {
    const char *name, *summary;
    const ws_option *options; /* of this policy, in the section of the cache, at most WS_CACHE_OPTIONS; NULL: none */
    /* Checks that the values suit the number of sets and ways. WS_EINPUT, with the expected values. NULL: always. */
    int (*configure)(const uint64_t *values, uint32_t sets, uint32_t ways);
    /* Checks that they suit lines of `line_bytes` bytes. NULL: always. */
    int (*suits_line)(const uint64_t *values, uint32_t line_bytes);
    size_t cache_bytes, set_bytes, line_bytes;
    bool chain;       /* the array keeps a chain and removes lines from it */
    uint8_t places;   /* WS_CACHE_IN_... */
    uint8_t tallies;  /* WS_CACHE_TALLY_... of its counters; cache_bytes then begin with a ws_cache_tally. 0: none */
    bool longest_ago; /* evicts the least recently used line only, so stack distances give the hits */
    bool hears;       /* it needs the notes (`tell`) of the next cache level, and lines chosen at the fill */
    bool bypasses;    /* it may bypass blocks: in `admit`, or in `victim` with WS_CACHE_BYPASS */
    bool renews;      /* arriving data count as a use in caches that use lines at the fill: the line moves to the front,
                         without a call */
    /* An access that wants a copy of its block finds no line; insert or bypass follows, now or when the data arrive.
     * May be NULL, as may all functions without a comment about NULL. */
    void (*miss)(const ws_cache_set *set, const ws_cache_use *use);
    /* Returns whether the cache is off. Requested lines are then removed, and requests miss. `shared`: of ws_cache_set.
     * NULL: never. */
    bool (*is_off)(const void *shared);
    /* Returns whether the block should be cached. Has no side effect. NULL: always. */
    bool (*admit)(const ws_cache_set *set, const ws_cache_use *use);
    /* A block was put into the way. NULL: it goes to the front of the chain. */
    void (*insert)(const ws_cache_set *set, uint32_t way, const ws_cache_use *use);
    /* An access hit the way. NULL: the line moves to the front of the chain. */
    void (*hit)(const ws_cache_set *set, uint32_t way, const ws_cache_use *use);
    /* Returns the unlocked way of a full set to evict, WS_CACHE_NONE to stall, or WS_CACHE_BYPASS. Has no side effect:
     * it may be called again before the eviction. NULL: the last of the chain. */
    uint32_t (*victim)(const ws_cache_set *set, const ws_cache_use *use);
    void (*leave)(const ws_cache_set *set, uint32_t way, ws_cache_end end); /* the line is removed */
    void (*bypass)(const ws_cache_set *set, const ws_cache_use *use);       /* the block is not cached */
    /* Returns the note about the line for the cache level that requests its block. NULL: 0. */
    uint8_t (*tell)(const ws_cache_set *set, uint32_t way);
    /* Returns the number of the SM's oldest warps whose lines it protects. NULL: it does not distinguish warps. */
    uint32_t (*protects)(const ws_cache_set *set);
} ws_cache_replacement;

static inline bool ws_cache_is_locked(const ws_cache_set *set, uint32_t way)
{
    return set->locked && set->locked[way];
}

/* Returns the unlocked way nearest to the end of the chain at position `first` or later, or WS_CACHE_NONE. */
uint32_t ws_cache_last_unlocked(const ws_cache_set *set, uint32_t first);

/* Return a row of cache_indices.def or cache_replacements.def, by index or by name, or NULL. */
const ws_cache_index *ws_cache_index_at(size_t row);
const ws_cache_index *ws_cache_index_find(const char *name);
const ws_cache_replacement *ws_cache_replacement_at(size_t row);
const ws_cache_replacement *ws_cache_replacement_find(const char *name);
/* Returns the first replacement with `tell`. */
const ws_cache_replacement *ws_cache_replacement_telling(void);

/* --- Array --- */

/* Choice of the user. NULL names are linear and lru. One list holds the options of index and replacement. */
typedef struct ws_cache_choice {
    const char *index, *replacement;
    const ws_given *given;
    size_t count;
} ws_cache_choice;

typedef struct ws_cache {
    const ws_cache_index *index;
    const ws_cache_replacement *replacement;
    ws_cache_plan plan;
    uint64_t values[WS_CACHE_OPTIONS]; /* of the replacement */
    uint32_t sets, ways, room;         /* room: chain positions of a set */
    uint8_t shift;                     /* log2(ways) ... */
    bool even;                         /* ... if they are a power of two */
    bool quick;                        /* a hit only moves the line to the front */
    bool locks;
    size_t chain_at, locked_at, reused_at, line_at, own_at, shared_at, bytes; /* offsets in memory; tags are first */
} ws_cache;

/* Fills *cache. `locks`: the array keeps the locks of lines; otherwise the caller of ws_cache_choose() passes them.
 * WS_EINPUT: unknown index or replacement, unsupported number of sets or ways, or unknown option. */
int ws_cache_setup(ws_cache *cache, const ws_cache_choice *choice, uint32_t sets, uint32_t ways, bool locks);

/* Clears all lines. `memory` has cache->bytes bytes and is aligned to 8. */
void ws_cache_init(const ws_cache *cache, void *memory);

/* Returns the set of a line; lines are numbered set * ways + way. */
static inline uint32_t ws_cache_set_at(const ws_cache *cache, uint32_t line)
{
    return cache->even ? line >> cache->shift : line / cache->ways;
}

static inline uint32_t ws_cache_set_of(const ws_cache *cache, uint64_t block)
{
    return cache->plan.low ? (uint32_t)block & (cache->sets - 1) : cache->index->set_of(&cache->plan, block);
}

/* Returns the way of the set with the block, or `ways`. It compares four tags at a time to avoid mispredicted branches.
 */
static inline uint32_t ws_cache_find_in(const ws_cache *cache, const void *memory, uint32_t set, uint64_t block)
{
    const uint64_t *const tags = (const uint64_t *)memory + (size_t)set * cache->ways;
    const uint64_t tag = block + 1;
    const uint32_t ways = cache->ways;
    uint32_t way = 0;
    for (; way + 4 <= ways; way += 4) {
        const unsigned equal = (unsigned)(tags[way] == tag) | (unsigned)(tags[way + 1] == tag) << 1 |
                               (unsigned)(tags[way + 2] == tag) << 2 | (unsigned)(tags[way + 3] == tag) << 3;
        if (equal)
            return way + (uint32_t)__builtin_ctz(equal);
    }
    while (way < ways && tags[way] != tag)
        way++;
    return way;
}

/* Returns the line of a block, or WS_CACHE_NONE. */
static inline uint32_t ws_cache_find(const ws_cache *cache, const void *memory, uint64_t block)
{
    const uint32_t set = ws_cache_set_of(cache, block), way = ws_cache_find_in(cache, memory, set, block);
    return way < cache->ways ? set * cache->ways + way : WS_CACHE_NONE;
}

static inline uint16_t *ws_cache_chain_of(const ws_cache *cache, const void *memory, uint32_t set)
{
    return (uint16_t *)((char *)memory + cache->chain_at) + (size_t)set * cache->room;
}

/* Returns the first empty way of the set, or at least `ways`. */
static inline uint32_t ws_cache_empty_way(const ws_cache *cache, const void *memory, uint32_t set)
{
    if (cache->replacement->chain)
        return ws_chain_way(ws_cache_chain_of(cache, memory, set), cache->ways, WS_CHAIN_OFF);
    const uint64_t *const tags = (const uint64_t *)memory + (size_t)set * cache->ways;
    uint32_t way = 0;
    while (way < cache->ways && tags[way])
        way++;
    return way;
}

static inline bool ws_cache_is_off(const ws_cache *cache, const void *memory)
{
    return cache->replacement->is_off && cache->replacement->is_off((const char *)memory + cache->shared_at);
}

/* Like ws_cache_find(), for a cache with clean lines. A cache that is off removes the line, unless it is locked. */
uint32_t ws_cache_find_served(const ws_cache *cache, void *memory, uint64_t block);

/* Records a hit of the line. If cache->quick, ws_cache_touch_quick() does the same. */
void ws_cache_touch(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use);
static inline void ws_cache_touch_quick(const ws_cache *cache, void *memory, uint32_t line)
{
    const uint32_t set = ws_cache_set_at(cache, line);
    ws_chain_to_front(ws_cache_chain_of(cache, memory, set), cache->ways, line - set * cache->ways);
}

/* The data of the line arrived, or the access that fetched it is served. This is not a new use; see `renews`. */
static inline void ws_cache_renew(const ws_cache *cache, void *memory, uint32_t line)
{
    if (cache->replacement->renews)
        ws_cache_touch_quick(cache, memory, line);
}

/* Records a miss of an access that wants a line. */
void ws_cache_miss(const ws_cache *cache, void *memory, const ws_cache_use *use);
/* Returns a line for use->block, which has none: the first empty one, or one to evict; or WS_CACHE_NONE,
 * WS_CACHE_BYPASS. Has no side effect. `locked`: of each way of the set; NULL: the locks of the array, if it keeps any.
 */
uint32_t ws_cache_choose(const ws_cache *cache, const void *memory, const ws_cache_use *use, const uint8_t *locked);
/* Puts use->block into the line, which is empty. */
void ws_cache_put(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use);
/* Records that the block is not cached. */
void ws_cache_pass(const ws_cache *cache, void *memory, const ws_cache_use *use);
void ws_cache_drop(const ws_cache *cache, void *memory, uint32_t line, ws_cache_end end); /* empty and unlocked */
void ws_cache_lock(const ws_cache *cache, void *memory, uint32_t line, bool locked);
bool ws_cache_holds(const ws_cache *cache, const void *memory, uint32_t line, uint64_t *block); /* false: empty */
/* Returns the number of warps that the policy protects; 0: none. */
uint32_t ws_cache_protects(const ws_cache *cache, const void *memory);
/* Returns the counters of the policy since the cache was empty, or NULL if it has none. */
ws_cache_tally *ws_cache_tally_of(const ws_cache *cache, void *memory);
/* Returns the policy's note about the line for the previous cache level. */
uint8_t ws_cache_tell(const ws_cache *cache, const void *memory, uint32_t line);

#endif
