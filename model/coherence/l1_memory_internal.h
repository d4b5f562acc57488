/* l1_memory_internal.h - accessors of the memory of an L1. */
#ifndef WS_L1_MEMORY_INTERNAL_H
#define WS_L1_MEMORY_INTERNAL_H

#include "model/coherence/coherence_internal.h"

#include <string.h>

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

/* Returns the data of a waiting store or atomic, or those read by an early load. */
static inline uint32_t *aside_of(const ws_coherence *c, const void *l1, size_t index)
{
    return (uint32_t *)((char *)l1 + c->l1_aside) + index * c->config.words;
}

static inline size_t block_bytes(const ws_coherence *c)
{
    return c->config.words * sizeof(uint32_t);
}

static inline void *cache_of(const ws_coherence *c, const void *l1)
{
    return (char *)l1 + c->l1_tags;
}

static inline uint32_t number_of(const ws_coherence *c, const void *l1, const ws_l1_line *line)
{
    return (uint32_t)(line - lines_of(c, l1));
}

/* Returns NULL if the block is not in its set. */
static inline ws_l1_line *find_line(const ws_coherence *c, const void *l1, uint64_t block)
{
    const uint32_t line = ws_cache_find(&c->l1_cache, cache_of(c, l1), block);
    return line == WS_CACHE_NONE ? NULL : lines_of(c, l1) + line;
}

/* Returns an access as a use of the cache; without an access, all members but the block are 0. */
static inline ws_cache_use use_of(const ws_l1 *l1, uint64_t block, const ws_pending *entry, bool waits)
{
    ws_cache_use use = {.block = block, .sm = l1->sm, .waits = waits};
    if (!entry)
        return use;
    use.mask = entry->mask;
    use.warp = entry->warp;
    use.kind = entry->kind;
    use.who = entry->who;
    return use;
}

/* Records a hit of the access. */
static inline void use_line(const ws_coherence *c, ws_l1 *l1, const ws_l1_line *line, const ws_pending *entry)
{
    const uint32_t number = number_of(c, l1, line);
    if (c->l1_cache.quick) {
        ws_cache_touch_quick(&c->l1_cache, cache_of(c, l1), number);
        return;
    }
    const ws_cache_use use = use_of(l1, line->block, entry, false);
    ws_cache_touch(&c->l1_cache, cache_of(c, l1), number, &use);
}

/* Records that the access is served by the data fetched for it. */
static inline void renew_line(const ws_coherence *c, ws_l1 *l1, const ws_l1_line *line)
{
    ws_cache_renew(&c->l1_cache, cache_of(c, l1), number_of(c, l1, line));
}

/* Returns an empty line for the access, or one whose state allows eviction; NULL: none. */
static inline ws_l1_line *choose_line(const ws_coherence *c, ws_l1 *l1, const ws_cache_use *use)
{
    uint8_t locked[WS_CACHE_MOST_WAYS];
    const uint32_t ways = c->config.l1_ways;
    const ws_l1_line *const set = lines_of(c, l1) + (size_t)ws_cache_set_of(&c->l1_cache, use->block) * ways;
    for (uint32_t way = 0; way < ways; way++)
        locked[way] = !c->l1[set[way].state][ON_EVICT];
    const uint32_t line = ws_cache_choose(&c->l1_cache, cache_of(c, l1), use, locked);
    return line == WS_CACHE_NONE ? NULL : lines_of(c, l1) + line;
}

/* Assigns the empty line to the block. */
static inline void name_line(const ws_coherence *c, ws_l1 *l1, ws_l1_line *line, const ws_cache_use *use)
{
    ws_cache_miss(&c->l1_cache, cache_of(c, l1), use);
    ws_cache_put(&c->l1_cache, cache_of(c, l1), number_of(c, l1, line), use);
    line->block = use->block;
}

static inline void release_line(const ws_coherence *c, ws_l1 *l1, ws_l1_line *line, ws_cache_end end)
{
    ws_cache_drop(&c->l1_cache, cache_of(c, l1), number_of(c, l1, line), end);
    if (c->config.words)
        memset(data_of(c, l1, line), 0, c->config.words * sizeof(uint32_t));
    memset(line, 0, sizeof *line);
}

static inline ws_pending pending_from(const ws_request *access)
{
    ws_pending entry;
    memset(&entry, 0, sizeof entry);
    entry.block = access->block;
    entry.mask = access->mask;
    entry.warp = access->warp;
    entry.tag = access->tag;
    entry.kind = access->kind;
    entry.ahead = access->ahead;
    entry.who = access->who;
    return entry;
}

/* Removes the access from the list, with its stored data. */
static inline void drop_pending(const ws_coherence *c, ws_l1 *l1, size_t index)
{
    ws_pending *const pending = pending_of(c, l1);
    const size_t behind = --l1->pending_count - index;
    memmove(pending + index, pending + index + 1, behind * sizeof *pending);
    memset(pending + l1->pending_count, 0, sizeof *pending);
    if (!c->sets_aside)
        return;
    memmove(aside_of(c, l1, index), aside_of(c, l1, index + 1), behind * block_bytes(c));
    memset(aside_of(c, l1, l1->pending_count), 0, block_bytes(c));
}

/* Counts the reason of a refusal, if any. */
static inline int count_refusal(const ws_coherence *c, const void *l1, int rc)
{
    ws_coherence_counts *const counts = counts_at(c, l1, c->l1_counts);
    if (rc > 0 && counts)
        *(rc == WS_COHERENCE_NO_LINE   ? &counts->no_line
          : rc == WS_COHERENCE_NO_MSHR ? &counts->no_mshr
          : rc == WS_COHERENCE_NO_ROOM ? &counts->no_room
                                       : &counts->retry) += 1;
    return rc;
}

/* In l1.c: fails with WS_EVERIFY, as the protocol has no row for the event. */
int ws_l1_no_row(const ws_coherence *coherence, const ws_l1 *l1, uint8_t state, int event);

#endif
