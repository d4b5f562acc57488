/* l2_memory_internal.h - where things are in the memory of an L2 bank. */
#ifndef WS_L2_MEMORY_INTERNAL_H
#define WS_L2_MEMORY_INTERNAL_H

#include "model/coherence/coherence_internal.h"
#include "model/coherence/ways_internal.h"

static inline ws_l2_line *lines_of(const ws_coherence *c, const void *l2)
{
    return (ws_l2_line *)((char *)l2 + c->l2_lines);
}

static inline uint32_t *data_of(const ws_coherence *c, const void *l2, const ws_l2_line *line)
{
    return (uint32_t *)((char *)l2 + c->l2_data) + (size_t)(line - lines_of(c, l2)) * c->config.words;
}

static inline ws_coherence_message *queued(const ws_coherence *c, const void *l2, size_t index)
{
    return (ws_coherence_message *)((char *)l2 + c->l2_queue + index * c->message_bytes);
}

static inline size_t block_bytes(const ws_coherence *c)
{
    return c->config.words * sizeof(uint32_t);
}

/* The block's number among those of the bank chooses the set: stripes of blocks go round the banks. */
static inline size_t set_of(const ws_coherence *c, uint64_t block)
{
    return ws_remainder(&c->l2_sets, ws_slice_map_local(&c->map, block));
}

static inline uint64_t *tags_of(const ws_coherence *c, const void *l2, size_t set)
{
    return (uint64_t *)((char *)l2 + c->l2_tags) + set * c->config.l2_ways;
}

static inline uint8_t *ages_of(const ws_coherence *c, const void *l2, size_t set)
{
    return (uint8_t *)l2 + c->l2_ages + set * age_bytes(c->config.l2_ways);
}

/* NULL when no way of its set has the block. */
static inline ws_l2_line *find_line(const ws_coherence *c, const void *l2, uint64_t block)
{
    const uint32_t ways = c->config.l2_ways;
    const size_t set = set_of(c, block);
    const uint32_t way = find_way(tags_of(c, l2, set), ways, block);
    return way < ways ? lines_of(c, l2) + set * ways + way : NULL;
}

#endif
