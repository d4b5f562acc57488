/* trace_cache.c - loads of warps in an assumed order, through the tags of a cache.
 *
 * How misses are told apart, and the count of warps that a cache keeps whole: Wang, "Mitigating GPU Memory Divergence
 * for Data-Intensive Applications", Auburn 2015, sections 2.2 and 3.1. */
#include "model/cache/trace_cache.h"

#include "base/status.h"
#include "base/table.h"

#include <stdlib.h>

enum { MOST_NUMBER = UINT16_MAX, MOST_RANK = UINT8_MAX, MOST_LANES = 32 };

/* Of a line that is gone: the warp whose access made it go. */
typedef struct run {
    ws_cache cache;
    void *memory;
    ws_table gone;
    ws_trace_counts *out;
} run;

static int check(const ws_trace_load *load, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!load[i].lines || load[i].lines > MOST_NUMBER)
            return ws_fail(WS_EINPUT, "load %zu has %u lines, expected 1 to %d", i, load[i].lines, (int)MOST_NUMBER);
        if (load[i].warp > MOST_NUMBER)
            return ws_fail(WS_EINPUT, "load %zu is of warp %u, expected at most %d", i, load[i].warp, (int)MOST_NUMBER);
        for (uint32_t at = 0; at < load[i].lines; at++)
            if (load[i].line[at] == UINT64_MAX)
                return ws_fail(WS_EINPUT, "load %zu has line %llu, beyond all addresses", i,
                               (unsigned long long)UINT64_MAX);
    }
    return WS_OK;
}

static int compare(const void *left, const void *right)
{
    const ws_trace_load *const a = *(const ws_trace_load *const *)left, *const b = *(const ws_trace_load *const *)right;
    if (a->turn != b->turn)
        return a->turn < b->turn ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* In the order of their turns; NULL: no memory. */
static const ws_trace_load **in_turns(const ws_trace_load *load, size_t count)
{
    const ws_trace_load **const order = malloc((count + 1) * sizeof *order);
    if (!order) {
        ws_fail(WS_EMEM, "no memory for the order of %zu loads", count);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        order[i] = &load[i];
    qsort(order, count, sizeof *order, compare);
    return order;
}

static ws_cache_use use_of(const ws_trace_load *load, uint32_t at, bool waits)
{
    return (ws_cache_use){.block = load->line[at],
                          .warp = (uint16_t)load->warp,
                          .kind = WS_CACHE_LOAD,
                          .waits = waits,
                          .who = {.pc = load->pc,
                                  .lines = (uint16_t)load->lines,
                                  .line = (uint16_t)at,
                                  .rank = (uint8_t)(load->warp < MOST_RANK ? load->warp : MOST_RANK),
                                  .lanes = (uint8_t)(load->lines < MOST_LANES ? load->lines : MOST_LANES)}};
}

static int note_gone(run *r, uint64_t block, uint32_t warp)
{
    uint32_t *const by = ws_table_put(&r->gone, block);
    if (!by)
        return WS_EMEM;
    *by = warp;
    return WS_OK;
}

static ws_miss_class class_of(const run *r, uint64_t block, uint32_t warp)
{
    const uint32_t *const by = ws_table_find(&r->gone, block);
    return !by ? WS_MISS_COLD : *by == warp ? WS_MISS_INTRA : WS_MISS_INTER;
}

/* A line for it, or not. */
static int place(run *r, const ws_trace_load *load, const ws_cache_use *use)
{
    const uint32_t line = ws_cache_choose(&r->cache, r->memory, use, NULL);
    ws_cache_miss(&r->cache, r->memory, use);
    if (line == WS_CACHE_BYPASS || line == WS_CACHE_NONE) {
        ws_cache_pass(&r->cache, r->memory, use);
        r->out->bypassed++;
        return note_gone(r, use->block, load->warp);
    }
    uint64_t before;
    if (ws_cache_holds(&r->cache, r->memory, line, &before)) {
        const int rc = note_gone(r, before, load->warp);
        if (rc)
            return rc;
    }
    ws_cache_drop(&r->cache, r->memory, line, (ws_cache_end){.replaced = true});
    ws_cache_put(&r->cache, r->memory, line, use);
    return WS_OK;
}

static int make_access(run *r, const ws_trace_load *load, uint32_t at, bool *hit)
{
    const uint32_t line = ws_cache_find_served(&r->cache, r->memory, load->line[at]);
    *hit = line != WS_CACHE_NONE;
    const ws_cache_use use = use_of(load, at, !*hit);
    r->out->accesses++;
    if (*hit) {
        r->out->hits++;
        ws_cache_touch(&r->cache, r->memory, line, &use);
        return WS_OK;
    }
    r->out->miss[class_of(r, use.block, load->warp)]++;
    return place(r, load, &use);
}

static int make_load(run *r, const ws_trace_load *load)
{
    uint32_t misses = 0;
    for (uint32_t at = 0; at < load->lines; at++) {
        bool hit;
        const int rc = make_access(r, load, at, &hit);
        if (rc)
            return rc;
        misses += !hit;
    }
    ws_trace_loads *const to = &r->out->load[ws_load_class_of(load->lines)];
    ++*(!misses ? &to->full : misses < load->lines ? &to->partial : &to->missed);
    to->mpli[ws_mpli_class_of(misses)]++;
    return WS_OK;
}

int ws_trace_cache_run(const ws_cache_choice *choice, uint32_t sets, uint32_t ways, const ws_trace_load *load,
                       size_t count, ws_trace_counts *out)
{
    run r = {.gone = WS_TABLE(uint32_t), .out = out};
    *out = (ws_trace_counts){0};
    int rc = check(load, count);
    if (!rc)
        rc = ws_cache_setup(&r.cache, choice, sets, ways, false);
    if (rc)
        return rc;
    r.memory = malloc(r.cache.bytes);
    const ws_trace_load **const order = in_turns(load, count);
    if (!r.memory || !order)
        rc = ws_fail(WS_EMEM, "no memory for a cache of %u sets of %u lines", sets, ways);
    else
        ws_cache_init(&r.cache, r.memory);
    for (size_t i = 0; !rc && i < count; i++)
        rc = make_load(&r, order[i]);
    free(order);
    free(r.memory);
    ws_table_fini(&r.gone);
    return rc;
}

/* --- Warps that fit --- */

/* Adds lines of the warp that are new; *fits false: a set has more than its ways. */
static int add_lines(const ws_cache *cache, const ws_trace_load *load, ws_table *seen, uint32_t *in_set, bool *fits)
{
    for (uint32_t at = 0; at < load->lines; at++) {
        size_t slot;
        const size_t before = seen->used;
        const int rc = ws_table_add(seen, load->line[at], &slot);
        if (rc)
            return rc;
        if (seen->used == before)
            continue;
        uint32_t *const lines = &in_set[ws_cache_set_of(cache, load->line[at])];
        *fits &= ++*lines <= cache->ways;
    }
    return WS_OK;
}

/* `order` begins with the loads of a turn, warp by warp. */
static int count_warps(const ws_cache *cache, const ws_trace_load **order, size_t count, uint32_t *in_set,
                       uint32_t *out)
{
    ws_table seen = {0};
    bool fits = true;
    int rc = WS_OK;
    *out = 0;
    for (size_t i = 0; !rc && fits && i < count && order[i]->turn == order[0]->turn; i++) {
        rc = add_lines(cache, order[i], &seen, in_set, &fits);
        const bool last =
            i + 1 == count || order[i + 1]->turn != order[i]->turn || order[i + 1]->warp != order[i]->warp;
        *out += fits && last;
    }
    ws_table_fini(&seen);
    return rc;
}

int ws_trace_cache_warps(const ws_cache_choice *choice, uint32_t sets, uint32_t ways, const ws_trace_load *load,
                         size_t count, uint32_t turn, uint32_t *out)
{
    ws_cache cache;
    *out = 0;
    int rc = check(load, count);
    if (!rc)
        rc = ws_cache_setup(&cache, choice, sets, ways, false);
    if (rc)
        return rc;
    uint32_t *const in_set = calloc(sets, sizeof *in_set);
    const ws_trace_load **const order = in_turns(load, count);
    size_t first = 0;
    if (!in_set || !order)
        rc = ws_fail(WS_EMEM, "no memory for a cache of %u sets", sets);
    while (!rc && first < count && order[first]->turn < turn)
        first++;
    if (!rc && first < count && order[first]->turn == turn)
        rc = count_warps(&cache, order + first, count - first, in_set, out);
    free(order);
    free(in_set);
    return rc;
}
