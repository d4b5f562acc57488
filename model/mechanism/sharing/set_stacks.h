/* set_stacks.h - how many accesses miss a cache whose sets are shared out between private and shared blocks? By a
 * stack a set.
 *
 * An access of an LRU cache misses when as many other blocks of its set were used since the last use of its own as the
 * set has ways (R. L. Mattson and others, "Evaluation Techniques for Storage Hierarchies", IBM Systems Journal 1970; by
 * sets: M. D. Hill and A. J. Smith, "Evaluating Associativity in CPU Caches", IEEE TC 1989). Caches that know who
 * shares (Tabbakh 2018, sections 2.4 and 2.5; the simulator's are in model/cache/cache_sharing.c) tell private from
 * shared blocks, and have a rule which of them give up their last one:
 *
 *     L1: the shared ones, until the set's last block is a private one that was spared so many times; a shared block
 * comes in the place of nothing or of a shared one alone. L2: the private ones while there are any; loads of local
 * memory have no place, stores of it none of a shared block.
 *
 * A block is private or shared as it was told when it came; in an L2 it becomes shared with the second SM. */
#ifndef WS_SHARING_SET_STACKS_H
#define WS_SHARING_SET_STACKS_H

#include "base/lru.h"

typedef enum ws_stack_rule { WS_STACKS_PLAIN, WS_STACKS_L1, WS_STACKS_L2 } ws_stack_rule;

enum { WS_STACKS_SPARE_ALWAYS = 255 };
/* Shared blocks have no place in an L1; they have that of shared ones; also that of private ones that are dead. */
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
    ws_stack_entry *entry; /* [sets * ways] at their places */
} ws_set_stacks;

typedef struct ws_stack_use {
    uint64_t block;
    uint32_t set, sm;
    bool shared; /* to an L1: several SMs have asked for the block by now */
    bool local, stores;
} ws_stack_use;

/* The caller has set rule, sets, ways, and of an L1 spare and fill. WS_EMEM; empty. */
int ws_set_stacks_init(ws_set_stacks *stacks);
void ws_set_stacks_fini(ws_set_stacks *stacks);
void ws_set_stacks_clear(ws_set_stacks *stacks);

/* An access that brings its block in when it can. True: it was there. */
bool ws_set_stacks_use(ws_set_stacks *stacks, const ws_stack_use *use);
/* Is it shared, by what is known of it? False, too, when it is not there. */
bool ws_set_stacks_is_shared(const ws_set_stacks *stacks, uint32_t set, uint64_t block);
/* What is there is used, or goes; nothing comes. True: it was there. */
bool ws_set_stacks_touch(ws_set_stacks *stacks, const ws_stack_use *use);
void ws_set_stacks_drop(ws_set_stacks *stacks, const ws_stack_use *use);

#endif
