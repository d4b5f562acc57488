/* set_stacks.c - see set_stacks.h. Both stacks of a set together hold as many blocks as it has ways: what is deeper is
 * not there. */
#include "model/sharing/set_stacks.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* A stack of a set. */
typedef struct stack {
    ws_stack_entry *entry;
    uint32_t depth;
} stack;

static size_t bytes_of(const ws_set_stacks *s)
{
    return (size_t)s->sets * s->ways * sizeof(ws_stack_entry);
}

int ws_set_stacks_init(ws_set_stacks *s)
{
    s->now = 0;
    s->alone = calloc(1, bytes_of(s));
    s->shared = calloc(1, bytes_of(s));
    return s->alone && s->shared ? WS_OK : ws_fail(WS_EMEM, "no memory for the stacks of a cache's sets");
}

void ws_set_stacks_fini(ws_set_stacks *s)
{
    free(s->alone);
    free(s->shared);
    s->alone = s->shared = NULL;
}

void ws_set_stacks_clear(ws_set_stacks *s)
{
    memset(s->alone, 0, bytes_of(s));
    memset(s->shared, 0, bytes_of(s));
}

static stack stack_of(const ws_set_stacks *s, ws_stack_entry *all, uint32_t set)
{
    stack k = {.entry = all + (size_t)set * s->ways};
    while (k.depth < s->ways && k.entry[k.depth].block)
        k.depth++;
    return k;
}

/* Where the block is; its depth when it is not. */
static uint32_t place_of(const stack *k, uint64_t block)
{
    uint32_t at = 0;
    while (at < k->depth && k->entry[at].block != block + 1)
        at++;
    return at;
}

static ws_stack_entry *last_of(const stack *k)
{
    return k->depth ? &k->entry[k->depth - 1] : NULL;
}

static void take_out(stack *k, uint32_t at)
{
    memmove(k->entry + at, k->entry + at + 1, (k->depth - at - 1) * sizeof *k->entry);
    k->entry[--k->depth] = (ws_stack_entry){0};
}

static void put_first(stack *k, ws_stack_entry e)
{
    memmove(k->entry + 1, k->entry, k->depth * sizeof *k->entry);
    k->entry[0] = e;
    k->depth++;
}

/* False: it is not there. */
static bool touch(ws_set_stacks *s, stack *alone, stack *among, const ws_stack_use *use)
{
    stack *k = alone;
    uint32_t at = place_of(k, use->block);
    if (at == k->depth) {
        k = among;
        at = place_of(k, use->block);
    }
    if (at == k->depth)
        return false;
    ws_stack_entry e = k->entry[at];
    take_out(k, at);
    e.used = ++s->now;
    e.spared = 0;
    const bool second = s->rule == WS_STACKS_L2 && e.owner != use->sm && !use->local;
    put_first(second ? among : k, e);
    return true;
}

/* The stack of a full set that gives up its last block; NULL: the block that comes has no place. */
static stack *giver_in_l1(const ws_set_stacks *s, stack *alone, stack *among, bool shared)
{
    ws_stack_entry *const own = last_of(alone), *const other = last_of(among);
    const bool private_is_last = own && (!other || own->used < other->used);
    if (!private_is_last)
        return among;
    const bool spares = other && (own->spared < s->spare || s->spare == WS_STACKS_SPARE_ALWAYS);
    if (spares)
        own->spared += own->spared < WS_STACKS_SPARE_ALWAYS;
    return spares ? among : shared ? NULL : alone;
}

static stack *giver(const ws_set_stacks *s, stack *alone, stack *among, const ws_stack_use *use)
{
    if (s->rule == WS_STACKS_L1)
        return giver_in_l1(s, alone, among, use->shared);
    return alone->depth ? alone : use->local ? NULL : among;
}

static bool has_no_place(const ws_set_stacks *s, const ws_stack_use *use)
{
    return s->rule == WS_STACKS_L1 ? use->shared && !s->keeps_shared
                                   : s->rule == WS_STACKS_L2 && use->local && !use->stores;
}

bool ws_set_stacks_use(ws_set_stacks *s, const ws_stack_use *use)
{
    stack alone = stack_of(s, s->alone, use->set), among = stack_of(s, s->shared, use->set);
    if (touch(s, &alone, &among, use))
        return true;
    if (has_no_place(s, use))
        return false;
    if (alone.depth + among.depth == s->ways) {
        stack *const from = giver(s, &alone, &among, use);
        if (!from)
            return false;
        take_out(from, from->depth - 1);
    }
    const bool shared = s->rule == WS_STACKS_L1 && use->shared;
    put_first(shared ? &among : &alone, (ws_stack_entry){.block = use->block + 1, .used = ++s->now, .owner = use->sm});
    return false;
}

bool ws_set_stacks_is_shared(const ws_set_stacks *s, uint32_t set, uint64_t block)
{
    const stack among = stack_of(s, s->shared, set);
    return place_of(&among, block) < among.depth;
}

bool ws_set_stacks_touch(ws_set_stacks *s, const ws_stack_use *use)
{
    stack alone = stack_of(s, s->alone, use->set), among = stack_of(s, s->shared, use->set);
    return touch(s, &alone, &among, use);
}

void ws_set_stacks_drop(ws_set_stacks *s, const ws_stack_use *use)
{
    stack both[] = {stack_of(s, s->alone, use->set), stack_of(s, s->shared, use->set)};
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t at = place_of(&both[i], use->block);
        if (at < both[i].depth)
            take_out(&both[i], at);
    }
}
