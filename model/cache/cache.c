/* cache.c - tags in sets, and the chain in which each set keeps its lines. */
#include "model/cache/cache_internal.h"

#include "base/status.h"

#include <string.h>

static const uint64_t EMPTY = UINT64_MAX;

static const ws_cache_index *const indices[] = {
#define INDEX(name) &ws_cache_index_##name,
#include "model/cache/cache_indices.def"
#undef INDEX
};
static const ws_cache_replacement *const replacements[] = {
#define REPLACEMENT(name) &ws_cache_replacement_##name,
#include "model/cache/cache_replacements.def"
#undef REPLACEMENT
};
enum { INDICES = sizeof indices / sizeof *indices, REPLACEMENTS = sizeof replacements / sizeof *replacements };

const ws_cache_index *ws_cache_index_row(size_t row)
{
    return row < INDICES ? indices[row] : NULL;
}

const ws_cache_index *ws_cache_index_find(const char *name)
{
    for (size_t i = 0; i < INDICES; i++)
        if (!strcmp(indices[i]->name, name))
            return indices[i];
    return NULL;
}

const ws_cache_replacement *ws_cache_replacement_row(size_t row)
{
    return row < REPLACEMENTS ? replacements[row] : NULL;
}

const ws_cache_replacement *ws_cache_replacement_find(const char *name)
{
    for (size_t i = 0; i < REPLACEMENTS; i++)
        if (!strcmp(replacements[i]->name, name))
            return replacements[i];
    return NULL;
}

static size_t place(size_t *end, size_t bytes)
{
    const size_t at = *end;
    *end = (at + bytes + 7) & ~(size_t)7;
    return at;
}

int ws_cache_setup(ws_cache *cache, const ws_cache_index *index, const ws_cache_replacement *replacement, uint32_t sets,
                   uint32_t ways)
{
    *cache = (ws_cache){.index = index, .replacement = replacement, .sets = sets, .ways = ways, .plan.sets = sets};
    if (!sets || !ways || ways > WS_CACHE_MOST_WAYS)
        return ws_fail(WS_EINPUT, "a cache of %u sets of %u lines; expected at least 1, and at most %d lines", sets,
                       ways, (int)WS_CACHE_MOST_WAYS);
    if (!index->prepare(&cache->plan))
        return ws_fail(WS_EINPUT, "index %s is not defined for %u sets; expected %s", index->name, sets,
                       index->sets_needed);
    const size_t lines = (size_t)sets * ways;
    size_t end = lines * sizeof(uint64_t);
    cache->order_at = place(&end, lines * sizeof(uint16_t));
    cache->used_at = place(&end, sets * sizeof(uint16_t));
    cache->locked_at = place(&end, lines);
    cache->state_at = place(&end, replacement->state_bytes);
    cache->bytes = end;
    return WS_OK;
}

static uint16_t *order_of(const ws_cache *cache, const void *memory, uint32_t set)
{
    return (uint16_t *)((char *)memory + cache->order_at) + (size_t)set * cache->ways;
}

static uint16_t *used_of(const ws_cache *cache, const void *memory, uint32_t set)
{
    return (uint16_t *)((char *)memory + cache->used_at) + set;
}

static uint8_t *locks_of(const ws_cache *cache, const void *memory, uint32_t set)
{
    return (uint8_t *)memory + cache->locked_at + (size_t)set * cache->ways;
}

static void *state_of(const ws_cache *cache, const void *memory)
{
    return (char *)memory + cache->state_at;
}

static ws_cache_chain chain_of(const ws_cache *cache, const void *memory, uint32_t set)
{
    return (ws_cache_chain){.ways = cache->ways,
                            .used = *used_of(cache, memory, set),
                            .order = order_of(cache, memory, set),
                            .locked = locks_of(cache, memory, set)};
}

void ws_cache_init(const ws_cache *cache, void *memory)
{
    memset(memory, 0, cache->bytes);
    uint64_t *const tags = memory;
    for (uint32_t set = 0; set < cache->sets; set++) {
        uint16_t *const order = order_of(cache, memory, set);
        for (uint32_t way = 0; way < cache->ways; way++) {
            order[way] = (uint16_t)way;
            tags[(size_t)set * cache->ways + way] = EMPTY;
        }
    }
}

uint32_t ws_cache_find(const ws_cache *cache, const void *memory, uint64_t block)
{
    const uint32_t first = cache->index->set_of(&cache->plan, block) * cache->ways;
    const uint64_t *const tags = (const uint64_t *)memory + first;
    for (uint32_t way = 0; way < cache->ways; way++)
        if (tags[way] == block)
            return first + way;
    return WS_CACHE_NONE;
}

static uint32_t position_of(const uint16_t *order, uint32_t way)
{
    uint32_t position = 0;
    while (order[position] != way)
        position++;
    return position;
}

static void move(uint16_t *order, uint32_t from, uint32_t to)
{
    const uint16_t way = order[from];
    if (from > to)
        memmove(order + to + 1, order + to, (from - to) * sizeof *order);
    else
        memmove(order + from, order + from + 1, (to - from) * sizeof *order);
    order[to] = way;
}

void ws_cache_touch(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use)
{
    const uint32_t set = line / cache->ways;
    const ws_cache_chain chain = chain_of(cache, memory, set);
    const uint32_t from = position_of(chain.order, line % cache->ways);
    const uint32_t to = cache->replacement->promote(state_of(cache, memory), &chain, from, use);
    if (to < from)
        move(order_of(cache, memory, set), from, to);
}

/* Empty lines stand behind the others in the chain. */
uint32_t ws_cache_choose(const ws_cache *cache, const void *memory, const ws_cache_use *use)
{
    const uint32_t set = cache->index->set_of(&cache->plan, use->block);
    const ws_cache_chain chain = chain_of(cache, memory, set);
    uint32_t position = chain.used;
    if (chain.used == chain.ways)
        position = cache->replacement->victim(state_of(cache, memory), &chain, use);
    return position < chain.ways ? set * cache->ways + chain.order[position] : position;
}

void ws_cache_put(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use)
{
    ws_cache_drop(cache, memory, line);
    const uint32_t set = line / cache->ways;
    ((uint64_t *)memory)[line] = use->block;
    const ws_cache_chain chain = chain_of(cache, memory, set);
    uint32_t to = cache->replacement->insert(state_of(cache, memory), &chain, use);
    if (to > chain.used)
        to = chain.used;
    uint16_t *const order = order_of(cache, memory, set);
    move(order, position_of(order, line % cache->ways), to);
    ++*used_of(cache, memory, set);
}

void ws_cache_drop(const ws_cache *cache, void *memory, uint32_t line)
{
    uint64_t *const tag = (uint64_t *)memory + line;
    if (*tag == EMPTY)
        return;
    const uint32_t set = line / cache->ways, way = line % cache->ways;
    uint16_t *const order = order_of(cache, memory, set);
    *tag = EMPTY;
    locks_of(cache, memory, set)[way] = 0;
    move(order, position_of(order, way), --*used_of(cache, memory, set));
}

void ws_cache_lock(const ws_cache *cache, void *memory, uint32_t line, bool locked)
{
    locks_of(cache, memory, 0)[line] = locked;
}

bool ws_cache_holds(const ws_cache *cache, const void *memory, uint32_t line, uint64_t *block)
{
    (void)cache;
    *block = ((const uint64_t *)memory)[line];
    return *block != EMPTY;
}
