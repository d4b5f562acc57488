/* cache.h - in which set is a block, and which line makes room for it?
 *
 * Two kinds of policy, each behind a small struct of functions: an index says which set a block belongs to, a
 * replacement orders the lines of a set in a chain from position 0, the one to keep longest, to the last. On them
 * stands an array of tags. What an array is like never changes (ws_cache); what it holds is plain memory without
 * pointers that the caller owns, so a copy of it is a checkpoint. What a line holds besides its tag is the caller's. */
#ifndef WS_CACHE_H
#define WS_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_CACHE_PLAN = 16, WS_CACHE_MOST_WAYS = 4096 };
enum { WS_CACHE_NONE = UINT32_MAX, WS_CACHE_BYPASS = UINT32_MAX - 1 };

/* What an index function worked out once for a number of sets: masks, primes, options of its own. */
typedef struct ws_cache_plan {
    uint32_t sets, bits; /* bits: the logarithm of sets, where it matters */
    uint64_t value[WS_CACHE_PLAN];
} ws_cache_plan;

typedef struct ws_cache_index {
    const char *name, *summary;
    /* Fills the plan; plan->sets is there. False: not for so many sets, and `sets_needed` says for how many. */
    bool (*prepare)(ws_cache_plan *plan);
    const char *sets_needed;
    uint32_t (*set_of)(const ws_cache_plan *plan, uint64_t block); /* less than plan->sets */
} ws_cache_index;

/* Who touches a line. */
typedef struct ws_cache_use {
    uint64_t block;
    uint16_t warp;
    bool store;
} ws_cache_use;

typedef struct ws_cache ws_cache;

/* A set as a policy sees it: positions 0 to used - 1 of the chain hold lines. */
typedef struct ws_cache_chain {
    uint32_t ways, used;
    const uint16_t *order; /* way at each position */
    const uint8_t *locked; /* of each way: may not be given up */
} ws_cache_chain;

typedef struct ws_cache_replacement {
    const char *name, *summary;
    size_t state_bytes; /* of its own memory in each array, zero at first; no pointers */
    uint32_t (*insert)(void *state, const ws_cache_chain *chain, const ws_cache_use *use); /* position of a new line */
    /* New position of a line that was hit, at most the old one. */
    uint32_t (*promote)(void *state, const ws_cache_chain *chain, uint32_t position, const ws_cache_use *use);
    /* Of a full set: the position to give up; WS_CACHE_NONE: wait; WS_CACHE_BYPASS: do not keep the block. */
    uint32_t (*victim)(const void *state, const ws_cache_chain *chain, const ws_cache_use *use);
} ws_cache_replacement;

/* The last position from `first` on whose line may be given up, or WS_CACHE_NONE. */
uint32_t ws_cache_last_unlocked(const ws_cache_chain *chain, uint32_t first);

/* Rows of cache_indices.def and cache_replacements.def: by place, by name; NULL when there is none. */
const ws_cache_index *ws_cache_index_row(size_t row);
const ws_cache_index *ws_cache_index_find(const char *name);
const ws_cache_replacement *ws_cache_replacement_row(size_t row);
const ws_cache_replacement *ws_cache_replacement_find(const char *name);

struct ws_cache {
    const ws_cache_index *index;
    const ws_cache_replacement *replacement;
    ws_cache_plan plan;
    uint32_t sets, ways;
    size_t order_at, used_at, locked_at, state_at, bytes; /* of its memory; tags come first */
};

/* Fills *cache. WS_EINPUT: that index is not defined for so many sets, or no or too many sets or ways. */
int ws_cache_setup(ws_cache *cache, const ws_cache_index *index, const ws_cache_replacement *replacement, uint32_t sets,
                   uint32_t ways);

/* `memory` has cache->bytes bytes and stands at a multiple of 8. All lines are empty afterwards. */
void ws_cache_init(const ws_cache *cache, void *memory);

/* Lines are numbered: set * ways + way. The line of a block, or WS_CACHE_NONE. */
uint32_t ws_cache_find(const ws_cache *cache, const void *memory, uint64_t block);
/* The line was hit. */
void ws_cache_touch(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use);
/* A line for use->block, which has none: an empty one, else one to give up; or WS_CACHE_NONE, WS_CACHE_BYPASS. Changes
 * nothing. */
uint32_t ws_cache_choose(const ws_cache *cache, const void *memory, const ws_cache_use *use);
/* Gives that line to use->block; what it held is gone, and it is not locked. */
void ws_cache_put(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use);
void ws_cache_drop(const ws_cache *cache, void *memory, uint32_t line); /* empty again */
void ws_cache_lock(const ws_cache *cache, void *memory, uint32_t line, bool locked);
bool ws_cache_holds(const ws_cache *cache, const void *memory, uint32_t line, uint64_t *block); /* false: empty */

#endif
