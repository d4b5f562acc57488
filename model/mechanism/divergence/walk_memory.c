/* walk_memory.c - lines of loads through the tags of an L1, MSHRs, and an SM's share of what lies behind. */
#include "model/mechanism/divergence/walk_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int walk_memory_create(const ws_walk_machine *m, walk_memory *t)
{
    *t = (walk_memory){.machine = m};
    int status = ws_cache_setup(&t->l1, &m->l1, m->l1_sets, m->l1_ways, true);
    if (status)
        return status;
    const size_t lines = (size_t)m->l1_sets * m->l1_ways;
    t->l1_memory = calloc(1, t->l1.bytes + 1);
    t->owner = calloc(lines + 1, sizeof *t->owner);
    t->awaited = calloc(lines + 1, sizeof *t->awaited);
    t->read = calloc(m->mshrs + 1u, sizeof *t->read);
    t->in_set = calloc(m->l1_sets + 1u, sizeof *t->in_set);
    t->asks.of = calloc(m->slices + 1u, sizeof *t->asks.of);
    t->answers.of = calloc(m->slices + 1u, sizeof *t->answers.of);
    t->memory.of = calloc(m->slices + 1u, sizeof *t->memory.of);
    if (!t->asks.of || !t->answers.of || !t->memory.of || !t->l1_memory || !t->owner || !t->awaited || !t->read ||
        !t->in_set)
        return ws_fail(WS_EMEM, "no memory for the cache of a walk");
    ws_cache_init(&t->l1, t->l1_memory);
    return WS_OK;
}

void walk_memory_destroy(walk_memory *t)
{
    free(t->l1_memory);
    free(t->l2_memory);
    free(t->dirty);
    free(t->owner);
    free(t->awaited);
    free(t->read);
    free(t->in_set);
    free(t->asks.of);
    free(t->answers.of);
    free(t->memory.of);
}

/* The L2 as an SM sees it: of the ways of each set those that others leave it; what several SMs use is there once for
 * all of them. */
static int share_l2(walk_memory *t, double sharers, uint32_t active)
{
    const ws_walk_machine *const m = t->machine;
    const uint32_t ways = (uint32_t)fmax(1, round(m->l2_ways * fmin(1, sharers / active)));
    if (t->l2_memory && t->l2.ways == ways)
        return WS_OK;
    free(t->l2_memory);
    free(t->dirty);
    t->l2_memory = NULL;
    t->dirty = NULL;
    const int status = ws_cache_setup(&t->l2, &m->l2, m->l2_sets, ways, false);
    if (status)
        return status;
    t->l2_memory = calloc(m->slices, t->l2.bytes);
    t->dirty = calloc((size_t)m->slices * m->l2_sets * ways, sizeof *t->dirty);
    if (!t->l2_memory || !t->dirty)
        return ws_fail(WS_EMEM, "no memory for the cache of a walk");
    for (uint32_t i = 0; i < m->slices; i++)
        ws_cache_init(&t->l2, t->l2_memory + i * t->l2.bytes);
    return WS_OK;
}

static void clear(walk_servers *s, uint32_t slices)
{
    memset(s->of, 0, slices * sizeof *s->of);
    s->given = 0;
}

int walk_memory_begin(walk_memory *t, double sharers, uint32_t active, const double *spread)
{
    const ws_walk_machine *const m = t->machine;
    t->reads = 0;
    t->up = t->down = (walk_server){0};
    clear(&t->asks, m->slices);
    clear(&t->answers, m->slices);
    clear(&t->memory, m->slices);
    t->others = active - 1.0;
    t->spread = spread;
    t->shared = 1 - 1 / sharers;
    t->l2_misses = 0;
    if (m->flush)
        ws_cache_init(&t->l1, t->l1_memory);
    memset(t->awaited, 0, (size_t)m->l1_sets * m->l1_ways * sizeof *t->awaited);
    return share_l2(t, sharers, active);
}

void walk_memory_end(walk_memory *t)
{
    double links = fmax(t->up.busy, t->down.busy), memory = 0;
    for (uint32_t i = 0; i < t->machine->slices; i++) {
        links = fmax(links, fmax(t->asks.of[i].busy, t->answers.of[i].busy));
        memory = fmax(memory, t->memory.of[i].busy);
    }
    t->result->link_cycles += links;
    t->result->memory_cycles += memory;
}

/* ------------------------------------------------------------------------------------------------ reads under way */

static void push(walk_memory *t, walk_read read)
{
    uint32_t at = t->reads++;
    for (; at && t->read[(at - 1) / 2].due > read.due; at = (at - 1) / 2)
        t->read[at] = t->read[(at - 1) / 2];
    t->read[at] = read;
}

static walk_read pop(walk_memory *t)
{
    const walk_read first = t->read[0], last = t->read[--t->reads];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= t->reads)
            break;
        child += child + 1 < t->reads && t->read[child + 1].due < t->read[child].due;
        if (t->read[child].due >= last.due)
            break;
        t->read[at] = t->read[child];
        at = child;
    }
    t->read[at] = last;
    return first;
}

static walk_read *find_read(walk_memory *t, uint64_t block)
{
    for (uint32_t i = 0; i < t->reads; i++)
        if (t->read[i].block == block)
            return &t->read[i];
    return NULL;
}

uint32_t walk_memory_reads(const walk_memory *t, uint64_t now)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->reads; i++)
        n += t->read[i].due > now;
    return n;
}

uint64_t walk_memory_next(const walk_memory *t, uint64_t now)
{
    uint64_t next = WS_WALK_NEVER;
    for (uint32_t i = 0; i < t->reads; i++)
        if (t->read[i].due > now && t->read[i].due < next)
            next = t->read[i].due;
    return next;
}

/* ------------------------------------------------------------------------------------------------ lines */

/* The line is this block's from now on; who was there leaves. */
static void take_line(walk_memory *t, uint32_t line, const ws_cache_use *use)
{
    uint64_t old;
    if (ws_cache_holds(&t->l1, t->l1_memory, line, &old)) {
        if (t->evicted)
            t->evicted(t->evicted_context, t->owner[line], old);
        ws_cache_drop(&t->l1, t->l1_memory, line, (ws_cache_end){.replaced = true});
    }
    ws_cache_put(&t->l1, t->l1_memory, line, use);
    t->owner[line] = (uint8_t)use->warp;
}

/* Data that have come by now. */
static void settle(walk_memory *t, uint64_t now)
{
    while (t->reads && t->read[0].due <= now) {
        const walk_read r = pop(t);
        if (r.line == WS_CACHE_BYPASS)
            continue;
        uint32_t line = r.line;
        if (line != WS_CACHE_NONE) {
            ws_cache_lock(&t->l1, t->l1_memory, line, false);
            t->awaited[line] = false;
        } else {
            line = ws_cache_choose(&t->l1, t->l1_memory, &r.use, NULL);
            if (line == WS_CACHE_NONE || line == WS_CACHE_BYPASS) {
                ws_cache_pass(&t->l1, t->l1_memory, &r.use);
                continue;
            }
            take_line(t, line, &r.use);
        }
        ws_cache_renew(&t->l1, t->l1_memory, line);
    }
}

static double pass_through(walk_server *s, double now, double takes)
{
    s->free = fmax(s->free, now) + takes;
    s->busy += takes;
    return s->free;
}

/* The same at a slice, where all SMs are served. Others give as much as this one, and to each slice as much as it has a
 * part of all lines: what they gave this slice since it was last used was done by now, if it had the time. */
static double pass_shared(const walk_memory *t, walk_servers *all, uint32_t slice, double now, double takes)
{
    walk_server *const s = &all->of[slice];
    all->given += takes;
    const double theirs = (all->given - s->seen) * t->others * t->spread[slice];
    s->seen = all->given;
    s->free += theirs;
    s->busy += theirs;
    return pass_through(s, now, takes);
}

/* A line of memory behind the slice is read or written; returns when. */
static double move_line(walk_memory *t, uint32_t slice, double now)
{
    t->result->memory_lines++;
    return pass_shared(t, &t->memory, slice, now, t->machine->memory_line_cycles);
}

/* The slice gets a line for the block; one that was written goes to memory. Returns its flag of that. */
static bool *bring_in(walk_memory *t, void *memory, const ws_cache_use *use, uint32_t slice, double now)
{
    bool *const dirty = t->dirty + (size_t)slice * t->l2.sets * t->l2.ways;
    uint64_t old;
    ws_cache_miss(&t->l2, memory, use);
    const uint32_t line = ws_cache_choose(&t->l2, memory, use, NULL);
    if (line == WS_CACHE_BYPASS) {
        ws_cache_pass(&t->l2, memory, use);
        return NULL;
    }
    if (ws_cache_holds(&t->l2, memory, line, &old)) {
        if (dirty[line])
            move_line(t, slice, now);
        ws_cache_drop(&t->l2, memory, line, (ws_cache_end){.replaced = true, .dirty = dirty[line]});
    }
    ws_cache_put(&t->l2, memory, line, use);
    dirty[line] = false;
    return &dirty[line];
}

/* Have others asked for what the SM's slice does not have? As often as they share lines: the n-th of every so many. */
static bool others_had(walk_memory *t)
{
    const double before = (double)t->l2_misses++ * t->shared;
    return floor(before + t->shared) > floor(before);
}

/* The line of the slice that serves; one that is turned off leaves it. */
static uint32_t find_below(walk_memory *t, void *memory, uint64_t block, uint32_t slice, double now)
{
    const uint32_t line = ws_cache_find(&t->l2, memory, block);
    if (line == WS_CACHE_NONE || !ws_cache_is_off(&t->l2, memory))
        return line;
    bool *const dirty = t->dirty + (size_t)slice * t->l2.sets * t->l2.ways + line;
    if (*dirty)
        move_line(t, slice, now);
    *dirty = false;
    ws_cache_drop(&t->l2, memory, line, (ws_cache_end){.replaced = false});
    return WS_CACHE_NONE;
}

/* The slice, and memory behind it if the line is not there. What is written stays in the slice; a line that is written
 * in part is read. */
static double look_below(walk_memory *t, const ws_cache_use *asked, uint32_t slice, double now)
{
    void *const memory = t->l2_memory + slice * t->l2.bytes;
    const ws_cache_use use = {.block = ws_slice_map_local(&t->machine->slice_map, asked->block), .kind = asked->kind};
    const uint32_t line = find_below(t, memory, use.block, slice, now);
    const bool writes = asked->kind != WS_CACHE_LOAD,
               whole = asked->kind == WS_CACHE_STORE && asked->mask == UINT32_MAX;
    bool *const dirty = line == WS_CACHE_NONE ? bring_in(t, memory, &use, slice, now)
                                              : t->dirty + (size_t)slice * t->l2.sets * t->l2.ways + line;
    if (dirty && writes)
        *dirty = true;
    if (line != WS_CACHE_NONE) {
        ws_cache_touch(&t->l2, memory, line, &use);
        return now;
    }
    return whole || others_had(t) ? now : move_line(t, slice, now) + t->machine->memory_cycles;
}

/* From a request at the port to its answer. */
static uint64_t ask(walk_memory *t, const ws_cache_use *use, uint64_t now)
{
    const ws_walk_machine *const m = t->machine;
    const uint32_t slice = ws_slice_map_slice(&m->slice_map, use->block);
    double at = pass_through(&t->up, (double)now, m->request_cycles);
    at = pass_shared(t, &t->asks, slice, at, m->request_cycles);
    at = look_below(t, use, slice, at) + m->l2_cycles;
    at = pass_shared(t, &t->answers, slice, at, m->line_cycles);
    return (uint64_t)pass_through(&t->down, at, m->line_cycles);
}

uint64_t walk_memory_pass(walk_memory *t, const ws_cache_use *use, uint64_t now)
{
    const uint32_t line = ws_cache_find(&t->l1, t->l1_memory, use->block);
    if (line != WS_CACHE_NONE && !t->awaited[line])
        ws_cache_drop(&t->l1, t->l1_memory, line, (ws_cache_end){.replaced = false});
    return ask(t, use, now);
}

void walk_memory_store(walk_memory *t, const ws_cache_use *use, uint64_t now)
{
    const ws_walk_machine *const m = t->machine;
    settle(t, now);
    const uint32_t line = ws_cache_find(&t->l1, t->l1_memory, use->block);
    if (line != WS_CACHE_NONE && !t->awaited[line]) {
        if (m->keeps_stores)
            ws_cache_touch(&t->l1, t->l1_memory, line, use);
        else
            ws_cache_drop(&t->l1, t->l1_memory, line, (ws_cache_end){.replaced = false});
    }
    const uint32_t slice = ws_slice_map_slice(&m->slice_map, use->block);
    const double at = pass_through(&t->up, (double)now, m->store_cycles);
    look_below(t, use, slice, pass_shared(t, &t->asks, slice, at, m->store_cycles));
}

/* The port stands still until the next data come. */
static void stand_still(walk_memory *t, uint64_t *now, double *why)
{
    const uint64_t due = t->read[0].due > *now ? t->read[0].due : *now + 1;
    *why += (double)(due - *now);
    *now = due;
    settle(t, due);
}

static void begin_read(walk_memory *t, uint32_t line, const ws_cache_use *use, uint64_t now, uint64_t *due)
{
    if (line == WS_CACHE_BYPASS) {
        ws_cache_pass(&t->l1, t->l1_memory, use);
    } else if (line != WS_CACHE_NONE) {
        take_line(t, line, use);
        ws_cache_lock(&t->l1, t->l1_memory, line, true);
        t->awaited[line] = true;
    }
    *due = ask(t, use, now);
    push(t, (walk_read){.due = *due, .block = use->block, .line = line, .use = *use});
    t->result->misses++;
    t->result->miss_cycles += (double)(*due - now);
}

/* The line that a miss gets at once, with WS_CACHE_NONE for the policy that chooses later. False: none may be given up
 * now. */
static bool choose_line(const walk_memory *t, const ws_cache_use *use, uint32_t *line)
{
    *line = WS_CACHE_NONE;
    if (t->machine->on_fill)
        return true;
    *line = ws_cache_choose(&t->l1, t->l1_memory, use, NULL);
    return *line != WS_CACHE_NONE;
}

uint64_t walk_memory_load(walk_memory *t, const ws_cache_use *asked, uint64_t *now, walk_fate *fate)
{
    ws_cache_use use = *asked;
    bool told = false;
    use.waits = true;
    settle(t, *now);
    for (;;) {
        const uint32_t line = ws_cache_find_served(&t->l1, t->l1_memory, use.block);
        const bool there = line != WS_CACHE_NONE && !t->awaited[line];
        walk_read *const read = there ? NULL : find_read(t, use.block);
        uint64_t due;
        uint32_t chosen;
        if (read && read->merged + 1 < t->machine->merges) {
            if (line != WS_CACHE_NONE)
                ws_cache_touch(&t->l1, t->l1_memory, line, &use);
            read->merged++;
            t->result->merged++;
            *fate = WALK_MERGED;
            return read->due;
        }
        if (there) {
            use.waits = false;
            ws_cache_touch(&t->l1, t->l1_memory, line, &use);
            t->result->hits++;
            *fate = WALK_HIT;
            return *now + t->machine->l1_cycles;
        }
        if (!read && !told) {
            ws_cache_miss(&t->l1, t->l1_memory, &use);
            told = true;
        }
        if (!read && t->reads == t->machine->mshrs) {
            stand_still(t, now, &t->result->mshr_stalls);
        } else if (read || !choose_line(t, &use, &chosen)) {
            stand_still(t, now, &t->result->set_stalls);
        } else {
            begin_read(t, chosen, &use, *now, &due);
            *fate = WALK_MISSED;
            return due;
        }
    }
}
