/* set_stacks.c - see set_stacks.h. */
#include "model/mechanism/sharing/set_stacks.h"

#include <stdlib.h>

int ws_set_stacks_init(ws_set_stacks *s)
{
    s->set = ws_lru_sets_create(s->sets, s->ways);
    s->entry = calloc((size_t)s->sets * s->ways, sizeof *s->entry);
    return s->set && s->entry ? WS_OK : ws_fail(WS_EMEM, "no memory for the stacks of a cache's sets");
}

void ws_set_stacks_fini(ws_set_stacks *s)
{
    ws_lru_sets_destroy(s->set);
    free(s->entry);
    s->set = NULL;
    s->entry = NULL;
}

void ws_set_stacks_clear(ws_set_stacks *s)
{
    ws_lru_sets_clear(s->set, s->sets);
}

static ws_stack_entry *entry_of(const ws_set_stacks *s, uint32_t set, uint32_t place)
{
    return &s->entry[(size_t)set * s->ways + place];
}

/* The block is the one used last: what is known of it. */
static ws_stack_entry *bring_up(ws_set_stacks *s, const ws_stack_use *use)
{
    uint64_t distance;
    ws_lru_use(&s->set[use->set], use->block, &distance);
    return entry_of(s, use->set, ws_lru_first(&s->set[use->set]));
}

bool ws_set_stacks_touch(ws_set_stacks *s, const ws_stack_use *use)
{
    if (ws_lru_find(&s->set[use->set], use->block) == WS_LRU_NONE)
        return false;
    ws_stack_entry *const e = bring_up(s, use);
    e->spared = 0;
    e->shared |= s->rule == WS_STACKS_L2 && e->owner != use->sm && !use->local;
    return true;
}

/* The place of the shared, or private, block used longest ago, or WS_LRU_NONE. */
static uint32_t last_of(const ws_set_stacks *s, uint32_t set, bool shared)
{
    const ws_lru *const lru = &s->set[set];
    for (uint32_t time = 0; ws_lru_next(lru, &time); time++)
        if (entry_of(s, set, lru->user[time])->shared == shared)
            return lru->user[time];
    return WS_LRU_NONE;
}

/* The place of the block that a full set gives up, or WS_LRU_NONE: the block that comes has no place. */
static uint32_t giver_in_l1(const ws_set_stacks *s, const ws_stack_use *use)
{
    const ws_lru_line *const at = s->set[use->set].at;
    const uint32_t own = last_of(s, use->set, false), other = last_of(s, use->set, true);
    const bool both = own != WS_LRU_NONE && other != WS_LRU_NONE;
    if (own == WS_LRU_NONE || (both && at[other].time < at[own].time))
        return other;
    ws_stack_entry *const e = entry_of(s, use->set, own);
    if (e->spared >= s->spare && s->spare != WS_STACKS_SPARE_ALWAYS)
        return use->shared && s->fill != WS_STACKS_FILL_DEAD ? WS_LRU_NONE : own;
    e->spared += e->spared < WS_STACKS_SPARE_ALWAYS;
    return both ? other : use->shared ? WS_LRU_NONE : own;
}

static uint32_t giver(const ws_set_stacks *s, const ws_stack_use *use)
{
    if (s->rule == WS_STACKS_L1)
        return giver_in_l1(s, use);
    const uint32_t own = last_of(s, use->set, false);
    return own != WS_LRU_NONE ? own : use->local ? WS_LRU_NONE : last_of(s, use->set, true);
}

static bool has_no_place(const ws_set_stacks *s, const ws_stack_use *use)
{
    return s->rule == WS_STACKS_L1 ? use->shared && s->fill == WS_STACKS_FILL_NEVER
                                   : s->rule == WS_STACKS_L2 && use->local && !use->stores;
}

bool ws_set_stacks_use(ws_set_stacks *s, const ws_stack_use *use)
{
    ws_lru *const set = &s->set[use->set];
    if (ws_set_stacks_touch(s, use))
        return true;
    if (has_no_place(s, use))
        return false;
    if (set->lines == s->ways) {
        const uint32_t from = giver(s, use);
        if (from == WS_LRU_NONE)
            return false;
        ws_lru_remove(set, from);
    }
    *bring_up(s, use) = (ws_stack_entry){.owner = use->sm, .shared = s->rule == WS_STACKS_L1 && use->shared};
    return false;
}

bool ws_set_stacks_is_shared(const ws_set_stacks *s, uint32_t set, uint64_t block)
{
    const uint32_t place = ws_lru_find(&s->set[set], block);
    return place != WS_LRU_NONE && entry_of(s, set, place)->shared;
}

void ws_set_stacks_drop(ws_set_stacks *s, const ws_stack_use *use)
{
    const uint32_t place = ws_lru_find(&s->set[use->set], use->block);
    if (place != WS_LRU_NONE)
        ws_lru_remove(&s->set[use->set], place);
}
