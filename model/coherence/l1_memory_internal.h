/* l1_memory_internal.h - where things are in the memory of an L1. */
#ifndef WS_L1_MEMORY_INTERNAL_H
#define WS_L1_MEMORY_INTERNAL_H

#include "model/coherence/coherence_internal.h"
#include "model/coherence/ways_internal.h"

static inline ws_warp_state *warps_of(const ws_coherence *c, const void *l1)
{
    return (ws_warp_state *)((char *)l1 + c->l1_warps);
}

static inline ws_l1_line *lines_of(const ws_coherence *c, const void *l1)
{
    return (ws_l1_line *)((char *)l1 + c->l1_lines);
}

static inline ws_pending *pending_of(const ws_coherence *c, const void *l1)
{
    return (ws_pending *)((char *)l1 + c->l1_pending);
}

static inline uint32_t *data_of(const ws_coherence *c, const void *l1, const ws_l1_line *line)
{
    return (uint32_t *)((char *)l1 + c->l1_data) + (size_t)(line - lines_of(c, l1)) * c->config.words;
}

/* The data of a store or atomic that waits. */
static inline uint32_t *aside_of(const ws_coherence *c, const void *l1, size_t index)
{
    return (uint32_t *)((char *)l1 + c->l1_aside) + index * c->config.words;
}

static inline size_t block_bytes(const ws_coherence *c)
{
    return c->config.words * sizeof(uint32_t);
}

static inline size_t set_of(const ws_coherence *c, uint64_t block)
{
    return ws_remainder(&c->l1_sets, block);
}

static inline uint64_t *tags_of(const ws_coherence *c, const void *l1, size_t set)
{
    return (uint64_t *)((char *)l1 + c->l1_tags) + set * c->config.l1_ways;
}

static inline uint8_t *ages_of(const ws_coherence *c, const void *l1, size_t set)
{
    return (uint8_t *)l1 + c->l1_ages + set * age_bytes(c->config.l1_ways);
}

/* NULL when no way of its set has the block. */
static inline ws_l1_line *find_line(const ws_coherence *c, const void *l1, uint64_t block)
{
    const uint32_t ways = c->config.l1_ways;
    const size_t set = set_of(c, block);
    const uint32_t way = find_way(tags_of(c, l1, set), ways, block);
    return way < ways ? lines_of(c, l1) + set * ways + way : NULL;
}

#endif
