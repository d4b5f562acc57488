/* set_stacks.h - misses of a cache whose sets are divided between private and shared blocks, by one stack per set.
 *
 * An access of an LRU cache misses if, since the last use of its block, at least as many other blocks of its set were
 * used as the set has ways (R. L. Mattson and others, "Evaluation Techniques for Storage Hierarchies", IBM Systems
 * Journal 1970; by sets: M. D. Hill and A. J. Smith, "Evaluating Associativity in CPU Caches", IEEE TC 1989).
 * Sharing-aware caches (Tabbakh 2018, sections 2.4 and 2.5; the simulator's are in model/cache/cache_sharing.c)
 * distinguish private and shared blocks, and a rule selects the class that loses its LRU block. L1: the shared blocks,
 * until the set's LRU block is a private one that was spared its maximum; a shared block may only replace an empty line
 * or a shared block. L2: the private blocks, if any; loads of local memory are not cached, and its stores never replace
 * a shared block.
 *
 * The class of a block is set at its fill; in an L2 it becomes shared at the request of a second SM. */
#ifndef WS_SHARING_SET_STACKS_H
#define WS_SHARING_SET_STACKS_H

#include "base/lru.h"

typedef enum ws_stack_rule { WS_STACKS_PLAIN, WS_STACKS_L1, WS_STACKS_L2 } ws_stack_rule;

enum { WS_STACKS_SPARE_ALWAYS = 255 };
/* Lines that shared blocks may use in an L1: none; those of shared blocks; also those of dead private blocks. */
typedef enum ws_stack_fill { WS_STACKS_FILL_NEVER, WS_STACKS_FILL_SHARED, WS_STACKS_FILL_DEAD } ws_stack_fill;

typedef struct ws_stack_entry {
    uint32_t owner;
    uint8_t spared;
    bool shared;
} ws_stack_entry;

/* Of one cache. */
typedef struct ws_set_stacks {
    ws_stack_rule rule;
    uint32_t sets, ways;
    uint32_t spare;        /* of L1: times that a private block is spared */
    ws_stack_fill fill;    /* of L1 */
    ws_lru *set;           /* [sets] */
    ws_stack_entry *entry; /* [sets * ways] by position */
} ws_set_stacks;

typedef struct ws_stack_use {
    uint64_t block;
    uint32_t set, sm;
    bool shared; /* to an L1: several SMs have requested the block so far */
    bool local, stores;
} ws_stack_use;

/* Initialises empty stacks. The caller sets rule, sets, ways, and for an L1 spare and fill before. WS_EMEM. */
int ws_set_stacks_init(ws_set_stacks *stacks);
void ws_set_stacks_fini(ws_set_stacks *stacks);
void ws_set_stacks_clear(ws_set_stacks *stacks);

/* Accesses a block and inserts it if allowed. Returns whether it was present. */
bool ws_set_stacks_use(ws_set_stacks *stacks, const ws_stack_use *use);
/* Returns whether the block is present and known as shared. */
bool ws_set_stacks_is_shared(const ws_set_stacks *stacks, uint32_t set, uint64_t block);
/* Use, or remove, a block without inserting it. The former returns whether it was present. */
bool ws_set_stacks_touch(ws_set_stacks *stacks, const ws_stack_use *use);
void ws_set_stacks_drop(ws_set_stacks *stacks, const ws_stack_use *use);

#endif
