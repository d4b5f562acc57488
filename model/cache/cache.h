/* cache.h - in which set is a block, and which line makes room for it?
 *
 * An array of tags with two kinds of policy, each behind a small struct of functions: an index says which set a block
 * belongs to, a replacement which line of a full set is given up. What an array is like never changes (ws_cache); what
 * it holds is plain memory without pointers that the caller owns, so a copy of it is a checkpoint. What a line holds
 * besides its tag is the caller's. Plain caches (model/sim) and coherent ones (model/coherence) stand on the same
 * array. */
#ifndef WS_CACHE_H
#define WS_CACHE_H

#include "model/cache/chain.h"
#include "base/option.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_CACHE_PLAN = 16, WS_CACHE_OPTIONS = 16, WS_CACHE_MOST_WAYS = WS_CHAIN_MOST };
enum { WS_CACHE_NONE = UINT32_MAX, WS_CACHE_BYPASS = UINT32_MAX - 1 };

/* --- An index --- */

/* What an index function worked out once for a number of sets: masks, primes, what its options say. */
typedef struct ws_cache_plan {
    uint32_t sets, bits; /* bits: the logarithm of sets, where it matters */
    bool low;            /* the set is the block's lowest `bits` bits, and nobody needs to ask set_of */
    uint64_t value[WS_CACHE_PLAN];
} ws_cache_plan;

typedef struct ws_cache_index {
    const char *name, *summary;
    const ws_option *options; /* its own, in the section of the cache; NULL: none. WS_CACHE_OPTIONS at most */
    /* Fills the plan; plan->sets is there. False: not for so many sets, and `sets_needed` says for how many. */
    bool (*prepare)(ws_cache_plan *plan, const uint64_t *values);
    const char *sets_needed;
    /* Do the values suit the plan? WS_EINPUT, with what was expected. NULL: always. */
    int (*configure)(const ws_cache_plan *plan, const uint64_t *values);
    bool spares;   /* it may leave some sets empty for good */
    bool low_bits; /* the set is the block's lowest bits, whatever its number of sets: what profiles know of */
    uint32_t (*set_of)(const ws_cache_plan *plan, uint64_t block); /* less than plan->sets */
} ws_cache_index;

/* --- Who uses a block --- */

/* In the order of ws_request_kind. */
typedef enum ws_cache_kind { WS_CACHE_LOAD, WS_CACHE_STORE, WS_CACHE_ATOMIC } ws_cache_kind;

/* The instruction behind an access. `lines` 0: nothing but `local` is known, as in an L2; with a protocol not even
 * that. */
typedef struct ws_cache_who {
    uint32_t pc;    /* index in the kernel */
    uint32_t life;  /* number of its warp among those that came to the SM so far */
    uint16_t lines; /* blocks that the instruction touches, at least 1 where it is known: more than 1 is divergence */
    uint16_t line;  /* which of them this one is, from 0; the last is lines - 1 */
    uint8_t rank;   /* of the warp by age among those of its SM, 0 the oldest */
    uint8_t cta;    /* its CTA's slot in the SM */
    uint8_t lanes;  /* of the instruction */
    bool local;     /* memory that only one thread sees */
} ws_cache_who;

typedef struct ws_cache_use {
    uint64_t block;
    uint32_t mask; /* words of the block; 0: not known */
    uint16_t sm, warp;
    uint8_t kind; /* ws_cache_kind */
    uint8_t note; /* when the line is chosen at the fill: what the cache below said of the block (`tell`) */
    bool waits;   /* the words are not there: the block is new, or a read of them is under way */
    ws_cache_who who;
} ws_cache_use;

/* How a line is left. */
typedef struct ws_cache_end {
    bool replaced; /* makes room for another block; else it was given up for another reason */
    bool dirty;
    bool reused; /* hit since it came; filled in by the array */
} ws_cache_end;

/* --- A replacement --- */

/* Where a policy can be; 0: anywhere. */
enum { WS_CACHE_IN_L1 = 1, WS_CACHE_IN_L2 = 2, WS_CACHE_IN_L3 = 4 };

/* What a policy counts that knows more of its lines than the array. */
typedef struct ws_cache_tally {
    uint64_t left_private, left_shared; /* lines given up for others: their block was of one SM, of several */
    uint64_t left_dead;                 /* of the private ones: dead, not used again since they had been spared */
    uint64_t made_shared;               /* lines whose block a second SM asked for */
    uint64_t broken;                    /* lines given up for a block that may not drive them out; always 0 */
    uint64_t off;                       /* loads while the cache was turned off */
} ws_cache_tally;
enum { WS_CACHE_TALLY_LEFT = 1, WS_CACHE_TALLY_DEAD = 2, WS_CACHE_TALLY_MADE = 4, WS_CACHE_TALLY_OFF = 8 };

/* A set as a policy sees it. State is plain memory without pointers, zero at first; that of a line is zeroed when the
 * line is left, so equal histories give equal bytes. */
typedef struct ws_cache_set {
    uint32_t number, sets, ways;
    const uint64_t *values; /* of the policy's options, in the order of its table */
    void *shared;           /* cache_bytes of the whole cache */
    void *own;              /* set_bytes of this set */
    uint8_t *line;          /* line_bytes of each way */
    uint16_t *chain;        /* chain.h; NULL without a chain */
    const uint64_t *tag;    /* of each way, 0: it is empty */
    const uint8_t *locked;  /* of each way, not 0: it may not be given up; NULL: all may */
} ws_cache_set;

typedef struct ws_cache_replacement {
    const char *name, *summary;
    const ws_option *options; /* its own, in the section of the cache; NULL: none. WS_CACHE_OPTIONS at most */
    /* Do the values suit so many sets and lines? WS_EINPUT, with what was expected. NULL: always. */
    int (*configure)(const uint64_t *values, uint32_t sets, uint32_t ways);
    /* ... lines of so many bytes? NULL: always. */
    int (*suits_line)(const uint64_t *values, uint32_t line_bytes);
    size_t cache_bytes, set_bytes, line_bytes;
    bool chain;       /* the array keeps a chain, from which a line that is left is taken by itself */
    uint8_t places;   /* WS_CACHE_IN_... */
    uint8_t tallies;  /* WS_CACHE_TALLY_...: what it counts; then cache_bytes begin with a ws_cache_tally. 0: nothing */
    bool longest_ago; /* the line used longest ago goes, no other: stack distances tell what hits */
    bool hears; /* chooses by what the cache below tells, which has to tell something, of lines that are chosen at the
                   fill */
    bool bypasses; /* some blocks are not kept: `admit` may say so, or `victim` with WS_CACHE_BYPASS */
    bool renews; /* caches whose lines are used when their data come have that count as a use, too, which moves the line
                    to the front and is told nobody */
    /* An access that wants a copy of its block finds no line; insert or bypass follows, now or when the data come. May
     * be NULL, as all that have nothing said of it. */
    void (*miss)(const ws_cache_set *set, const ws_cache_use *use);
    /* Is the cache turned off? Then lines that are asked for are left, and what is asked for is not there. `shared`: of
     * ws_cache_set. NULL: never. */
    bool (*is_off)(const void *shared);
    /* Is the block to have a line at all? Changes nothing. NULL: yes. */
    bool (*admit)(const ws_cache_set *set, const ws_cache_use *use);
    /* The way got a block. NULL: at the front of the chain. */
    void (*insert)(const ws_cache_set *set, uint32_t way, const ws_cache_use *use);
    /* An access found its block there. NULL: the line moves to the front of the chain. */
    void (*hit)(const ws_cache_set *set, uint32_t way, const ws_cache_use *use);
    /* Of a full set: the way to give up, one that is not locked; WS_CACHE_NONE: wait; WS_CACHE_BYPASS: do not keep the
     * block. Changes nothing: it may be asked again before the line is left. NULL: the last of the chain. */
    uint32_t (*victim)(const ws_cache_set *set, const ws_cache_use *use);
    void (*leave)(const ws_cache_set *set, uint32_t way, ws_cache_end end); /* a line is left */
    void (*bypass)(const ws_cache_set *set, const ws_cache_use *use);       /* a block is not kept */
    /* What a cache above that asks for the line's block is told. NULL: 0. */
    uint8_t (*tell)(const ws_cache_set *set, uint32_t way);
    /* Warps of the SM, by age, whose lines it protects now. NULL: it does not tell warps apart. */
    uint32_t (*protects)(const ws_cache_set *set);
} ws_cache_replacement;

static inline bool ws_cache_is_locked(const ws_cache_set *set, uint32_t way)
{
    return set->locked && set->locked[way];
}

/* The way nearest to the end of the chain that may be given up and is not in front of `first`, or WS_CACHE_NONE. */
uint32_t ws_cache_last_unlocked(const ws_cache_set *set, uint32_t first);

/* Rows of cache_indices.def and cache_replacements.def: by place, by name; NULL when there is none. */
const ws_cache_index *ws_cache_index_at(size_t row);
const ws_cache_index *ws_cache_index_find(const char *name);
const ws_cache_replacement *ws_cache_replacement_at(size_t row);
const ws_cache_replacement *ws_cache_replacement_find(const char *name);
/* The first that tells a cache above something. */
const ws_cache_replacement *ws_cache_replacement_telling(void);

/* --- The array --- */

/* What a user chose. Names that are NULL are linear and lru. Options of index and replacement are given in one list. */
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
    uint32_t sets, ways, room;         /* room: positions of a set */
    uint8_t shift;                     /* the logarithm of ways ... */
    bool even;                         /* ... if they are a power of two */
    bool quick;                        /* a hit moves the line to the front, and that is all */
    bool locks;
    size_t chain_at, locked_at, reused_at, line_at, own_at, shared_at, bytes; /* of its memory; tags come first */
} ws_cache;

/* Fills *cache. `locks`: the array keeps which lines are locked; else who asks for a line says it. WS_EINPUT: no such
 * index or replacement, not for so many sets or lines, or an option that they do not have. */
int ws_cache_setup(ws_cache *cache, const ws_cache_choice *choice, uint32_t sets, uint32_t ways, bool locks);

/* `memory` has cache->bytes bytes and stands at a multiple of 8. All lines are empty afterwards. */
void ws_cache_init(const ws_cache *cache, void *memory);

/* Lines are numbered: set * ways + way. The set of a line. */
static inline uint32_t ws_cache_set_at(const ws_cache *cache, uint32_t line)
{
    return cache->even ? line >> cache->shift : line / cache->ways;
}

static inline uint32_t ws_cache_set_of(const ws_cache *cache, uint64_t block)
{
    return cache->plan.low ? (uint32_t)block & (cache->sets - 1) : cache->index->set_of(&cache->plan, block);
}

/* The way of the set that has the block, or `ways`. Four at a time, since a branch for each would often be guessed
 * wrong. */
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

/* The line of a block, or WS_CACHE_NONE. */
static inline uint32_t ws_cache_find(const ws_cache *cache, const void *memory, uint64_t block)
{
    const uint32_t set = ws_cache_set_of(cache, block), way = ws_cache_find_in(cache, memory, set, block);
    return way < cache->ways ? set * cache->ways + way : WS_CACHE_NONE;
}

static inline uint16_t *ws_cache_chain_of(const ws_cache *cache, const void *memory, uint32_t set)
{
    return (uint16_t *)((char *)memory + cache->chain_at) + (size_t)set * cache->room;
}

/* The first empty way of the set, or at least `ways`. */
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

/* ws_cache_find for a cache whose lines are clean: one that is turned off leaves the line, unless it is locked. */
uint32_t ws_cache_find_served(const ws_cache *cache, void *memory, uint64_t block);

/* The line was hit: where cache->quick, ws_cache_touch_quick does the same. */
void ws_cache_touch(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use);
static inline void ws_cache_touch_quick(const ws_cache *cache, void *memory, uint32_t line)
{
    const uint32_t set = ws_cache_set_at(cache, line);
    ws_chain_to_front(ws_cache_chain_of(cache, memory, set), cache->ways, line - set * cache->ways);
}

/* The data of the line came, or the access for which it was fetched is served: no new use, see `renews`. */
static inline void ws_cache_renew(const ws_cache *cache, void *memory, uint32_t line)
{
    if (cache->replacement->renews)
        ws_cache_touch_quick(cache, memory, line);
}

/* The access wants a line for its block, which has none. */
void ws_cache_miss(const ws_cache *cache, void *memory, const ws_cache_use *use);
/* A line for use->block, which has none: the first empty one, else one to give up; or WS_CACHE_NONE, WS_CACHE_BYPASS.
 * Changes nothing. `locked`: of each way of the set; NULL: those that are locked in the array, if it keeps locks. */
uint32_t ws_cache_choose(const ws_cache *cache, const void *memory, const ws_cache_use *use, const uint8_t *locked);
/* Gives that line, which is empty, to use->block. */
void ws_cache_put(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use);
/* The block is not kept. */
void ws_cache_pass(const ws_cache *cache, void *memory, const ws_cache_use *use);
void ws_cache_drop(const ws_cache *cache, void *memory, uint32_t line, ws_cache_end end); /* empty again, not locked */
void ws_cache_lock(const ws_cache *cache, void *memory, uint32_t line, bool locked);
bool ws_cache_holds(const ws_cache *cache, const void *memory, uint32_t line, uint64_t *block); /* false: empty */
/* What the policy tells of the warps that it protects; 0: it protects none. */
uint32_t ws_cache_protects(const ws_cache *cache, const void *memory);
/* What the policy counted since the cache was empty, or NULL: nothing. */
ws_cache_tally *ws_cache_tally_of(const ws_cache *cache, void *memory);
/* What the policy tells a cache above of the line. */
uint8_t ws_cache_tell(const ws_cache *cache, const void *memory, uint32_t line);

#endif
