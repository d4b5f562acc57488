/* cache.c - tags in sets, and what the policy of a cache is told of them. */
#include "model/cache/cache_internal.h"

#include "base/status.h"

#include <string.h>

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

const ws_cache_index *ws_cache_index_at(size_t row)
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

const ws_cache_replacement *ws_cache_replacement_at(size_t row)
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

const ws_cache_replacement *ws_cache_replacement_telling(void)
{
    size_t row = 0;
    while (!replacements[row]->tell)
        row++;
    return replacements[row];
}

/* --- Set-up --- */

/* The option of a policy that was not chosen, or of none. */
static int refuse_option(const ws_cache *cache, const ws_given *given)
{
    const char *const where = given->where ? given->where : "", *const colon = given->where ? ": " : "";
    for (size_t i = 0; i < REPLACEMENTS; i++)
        if (ws_option_find(replacements[i]->options, given->name))
            return ws_fail(WS_EINPUT, "%s%s%s is an option of replacement %s, but replacement is %s; remove it", where,
                           colon, given->name, replacements[i]->name, cache->replacement->name);
    for (size_t i = 0; i < INDICES; i++)
        if (ws_option_find(indices[i]->options, given->name))
            return ws_fail(WS_EINPUT, "%s%s%s is an option of index %s, but index is %s; remove it", where, colon,
                           given->name, indices[i]->name, cache->index->name);
    return ws_fail(WS_EINPUT, "%s%s%s is not an option of any index or replacement; remove it", where, colon,
                   given->name);
}

/* `values` has room for WS_CACHE_OPTIONS. */
static int read_options(ws_cache *cache, const ws_cache_choice *choice, uint64_t *index_values)
{
    const ws_option *const index = cache->index->options, *const replacement = cache->replacement->options;
    for (size_t i = 0; i < choice->count; i++)
        if (!ws_option_find(index, choice->given[i].name) && !ws_option_find(replacement, choice->given[i].name))
            return refuse_option(cache, &choice->given[i]);
    const int rc =
        ws_option_resolve(cache->index->name, index, replacement, choice->given, choice->count, index_values);
    return rc ? rc
              : ws_option_resolve(cache->replacement->name, replacement, index, choice->given, choice->count,
                                  cache->values);
}

static size_t place(size_t *end, size_t bytes)
{
    const size_t at = *end;
    *end = (at + bytes + 7) & ~(size_t)7;
    return at;
}

static void lay_out(ws_cache *cache)
{
    const ws_cache_replacement *const r = cache->replacement;
    const size_t lines = (size_t)cache->sets * cache->ways;
    size_t end = lines * sizeof(uint64_t);
    cache->chain_at = place(&end, r->chain ? (size_t)cache->sets * cache->room * sizeof(uint16_t) : 0);
    cache->locked_at = place(&end, cache->locks ? lines : 0);
    cache->reused_at = place(&end, r->leave ? lines : 0);
    cache->line_at = place(&end, lines * r->line_bytes);
    cache->own_at = place(&end, cache->sets * r->set_bytes);
    cache->shared_at = place(&end, r->cache_bytes);
    cache->bytes = end;
}

int ws_cache_build(ws_cache *cache, const ws_cache_index *index, const ws_cache_replacement *replacement,
                   const ws_cache_choice *choice, uint32_t sets, uint32_t ways, bool locks)
{
    uint64_t index_values[WS_CACHE_OPTIONS] = {0};
    *cache = (ws_cache){.index = index, .replacement = replacement};
    const int rc = read_options(cache, choice, index_values);
    if (rc)
        return rc;
    if (!sets || !ways || ways > WS_CACHE_MOST_WAYS)
        return ws_fail(WS_EINPUT, "a cache of %u sets of %u lines; expected at least 1, and at most %d lines", sets,
                       ways, (int)WS_CACHE_MOST_WAYS);
    cache->sets = cache->plan.sets = sets;
    cache->ways = ways;
    cache->shift = (uint8_t)__builtin_ctz(ways);
    cache->even = !(ways & (ways - 1));
    cache->locks = locks;
    if (!cache->index->prepare(&cache->plan, index_values))
        return ws_fail(WS_EINPUT, "index %s is not defined for %u sets; expected %s", cache->index->name, sets,
                       cache->index->sets_needed);
    cache->room = ws_chain_room(ways);
    const int suits = cache->index->configure ? cache->index->configure(&cache->plan, index_values) : WS_OK;
    if (suits)
        return suits;
    const ws_cache_replacement *const r = cache->replacement;
    cache->quick = r->chain && !r->hit && !r->leave;
    lay_out(cache);
    return r->configure ? r->configure(cache->values, sets, ways) : WS_OK;
}

int ws_cache_setup(ws_cache *cache, const ws_cache_choice *choice, uint32_t sets, uint32_t ways, bool locks)
{
    const char *const index = choice->index ? choice->index : indices[0]->name;
    const char *const replacement = choice->replacement ? choice->replacement : replacements[0]->name;
    *cache = (ws_cache){.index = ws_cache_index_find(index), .replacement = ws_cache_replacement_find(replacement)};
    if (!cache->index)
        return ws_fail(WS_EINPUT, "index is '%s', expected %s or another row of cache_indices.def", index,
                       indices[0]->name);
    if (!cache->replacement)
        return ws_fail(WS_EINPUT, "replacement is '%s', expected %s or another row of cache_replacements.def",
                       replacement, replacements[0]->name);
    return ws_cache_build(cache, cache->index, cache->replacement, choice, sets, ways, locks);
}

void ws_cache_init(const ws_cache *cache, void *memory)
{
    memset(memory, 0, cache->bytes);
    if (cache->replacement->chain)
        memset((char *)memory + cache->chain_at, 0xff, (size_t)cache->sets * cache->room * sizeof(uint16_t));
}

/* --- Lines --- */

static uint64_t *tags_of(const ws_cache *cache, const void *memory, uint32_t set)
{
    return (uint64_t *)(void *)memory + (size_t)set * cache->ways;
}

static uint8_t *at_line(const void *memory, size_t offset, size_t line)
{
    return (uint8_t *)memory + offset + line;
}

static ws_cache_set view_of(const ws_cache *cache, const void *memory, uint32_t set)
{
    const ws_cache_replacement *const r = cache->replacement;
    const size_t first = (size_t)set * cache->ways;
    return (ws_cache_set){.number = set,
                          .sets = cache->sets,
                          .ways = cache->ways,
                          .values = cache->values,
                          .shared = (char *)memory + cache->shared_at,
                          .own = (char *)memory + cache->own_at + set * r->set_bytes,
                          .line = at_line(memory, cache->line_at, first * r->line_bytes),
                          .chain = r->chain ? ws_cache_chain_of(cache, memory, set) : NULL,
                          .tag = tags_of(cache, memory, set),
                          .locked = cache->locks ? at_line(memory, cache->locked_at, first) : NULL};
}

void ws_cache_touch(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use)
{
    const ws_cache_replacement *const r = cache->replacement;
    if (cache->quick) {
        ws_cache_touch_quick(cache, memory, line);
        return;
    }
    if (r->leave)
        *at_line(memory, cache->reused_at, line) = 1;
    const uint32_t set = ws_cache_set_at(cache, line);
    const ws_cache_set view = view_of(cache, memory, set);
    if (r->hit)
        r->hit(&view, line - set * cache->ways, use);
    else if (r->chain)
        ws_cache_touch_quick(cache, memory, line);
}

uint32_t ws_cache_find_served(const ws_cache *cache, void *memory, uint64_t block)
{
    const uint32_t line = ws_cache_find(cache, memory, block);
    if (line == WS_CACHE_NONE || !ws_cache_is_off(cache, memory) ||
        (cache->locks && *at_line(memory, cache->locked_at, line)))
        return line;
    ws_cache_drop(cache, memory, line, (ws_cache_end){.replaced = false});
    return WS_CACHE_NONE;
}

uint32_t ws_cache_last_unlocked(const ws_cache_set *set, uint32_t first)
{
    uint32_t best = WS_CACHE_NONE;
    const uint32_t last = ws_chain_way(set->chain, set->ways, set->ways - 1);
    if (last < set->ways && !ws_cache_is_locked(set, last))
        return set->ways > first ? last : WS_CACHE_NONE;
    for (uint32_t way = 0; way < set->ways; way++)
        if (set->chain[way] != WS_CHAIN_OFF && set->chain[way] >= first && !ws_cache_is_locked(set, way) &&
            (best == WS_CACHE_NONE || set->chain[way] > set->chain[best]))
            best = way;
    return best;
}

uint32_t ws_cache_choose(const ws_cache *cache, const void *memory, const ws_cache_use *use, const uint8_t *locked)
{
    const uint32_t set = ws_cache_set_of(cache, use->block);
    const ws_cache_replacement *const r = cache->replacement;
    const uint32_t empty = ws_cache_empty_way(cache, memory, set);
    if (empty < cache->ways && !r->admit)
        return set * cache->ways + empty;
    ws_cache_set view = view_of(cache, memory, set);
    if (locked)
        view.locked = locked;
    if (r->admit && !r->admit(&view, use))
        return WS_CACHE_BYPASS;
    if (empty < cache->ways)
        return set * cache->ways + empty;
    const uint32_t way = r->victim ? r->victim(&view, use) : ws_cache_last_unlocked(&view, 0);
    return way < cache->ways ? set * cache->ways + way : way;
}

void ws_cache_miss(const ws_cache *cache, void *memory, const ws_cache_use *use)
{
    if (!cache->replacement->miss)
        return;
    const ws_cache_set view = view_of(cache, memory, ws_cache_set_of(cache, use->block));
    cache->replacement->miss(&view, use);
}

void ws_cache_put(const ws_cache *cache, void *memory, uint32_t line, const ws_cache_use *use)
{
    const ws_cache_replacement *const r = cache->replacement;
    ((uint64_t *)memory)[line] = use->block + 1;
    if (r->chain && !r->insert) {
        ws_cache_touch_quick(cache, memory, line);
        return;
    }
    const uint32_t set = ws_cache_set_at(cache, line);
    const ws_cache_set view = view_of(cache, memory, set);
    if (r->insert)
        r->insert(&view, line - set * cache->ways, use);
}

void ws_cache_pass(const ws_cache *cache, void *memory, const ws_cache_use *use)
{
    if (!cache->replacement->bypass)
        return;
    const ws_cache_set view = view_of(cache, memory, ws_cache_set_of(cache, use->block));
    cache->replacement->bypass(&view, use);
}

void ws_cache_drop(const ws_cache *cache, void *memory, uint32_t line, ws_cache_end end)
{
    const ws_cache_replacement *const r = cache->replacement;
    uint64_t *const tag = (uint64_t *)memory + line;
    if (!*tag)
        return;
    const uint32_t set = ws_cache_set_at(cache, line), way = line - set * cache->ways;
    if (r->leave) {
        uint8_t *const reused = at_line(memory, cache->reused_at, line);
        const ws_cache_set view = view_of(cache, memory, set);
        end.reused = *reused;
        r->leave(&view, way, end);
        *reused = 0;
    }
    *tag = 0;
    if (cache->locks)
        *at_line(memory, cache->locked_at, line) = 0;
    if (r->chain)
        ws_chain_leave(ws_cache_chain_of(cache, memory, set), cache->ways, way);
    if (r->line_bytes)
        memset(at_line(memory, cache->line_at, line * r->line_bytes), 0, r->line_bytes);
}

void ws_cache_lock(const ws_cache *cache, void *memory, uint32_t line, bool locked)
{
    if (cache->locks)
        *at_line(memory, cache->locked_at, line) = locked;
}

bool ws_cache_holds(const ws_cache *cache, const void *memory, uint32_t line, uint64_t *block)
{
    (void)cache;
    const uint64_t tag = ((const uint64_t *)memory)[line];
    *block = tag - 1;
    return tag != 0;
}

uint32_t ws_cache_protects(const ws_cache *cache, const void *memory)
{
    if (!cache->replacement->protects)
        return 0;
    const ws_cache_set view = view_of(cache, memory, 0);
    return cache->replacement->protects(&view);
}

ws_cache_tally *ws_cache_tally_of(const ws_cache *cache, void *memory)
{
    return cache->replacement->tallies ? (ws_cache_tally *)((char *)memory + cache->shared_at) : NULL;
}

uint8_t ws_cache_tell(const ws_cache *cache, const void *memory, uint32_t line)
{
    if (!cache->replacement->tell)
        return 0;
    const uint32_t set = ws_cache_set_at(cache, line);
    const ws_cache_set view = view_of(cache, memory, set);
    return cache->replacement->tell(&view, line - set * cache->ways);
}
