/* cache_streams.c - see cache_streams.h. Accesses of a launch are kept until its end, since who shares a block is known
 * only then. */
#include "model/mechanism/sharing/cache_streams.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/table.h"
#include "model/mechanism/sharing/cache_bounds.h"
#include "model/mechanism/sharing/set_stacks.h"

#include <stdlib.h>

typedef struct array {
    ws_cache cache;
    void *memory;
} array;

/* What is known of a block. */
typedef struct block_note {
    uint32_t sm;     /* 1 + that asked first */
    bool shared;     /* another one did, too */
    bool stored;     /* in this launch */
    uint32_t launch; /* the last that asked for it */
} block_note;

struct ws_cache_streams {
    ws_sharing_caches caches;
    bool l1_knows, l2_knows;
    array *l1, *l2;                   /* [sms], [slices] */
    ws_set_stacks *l1_form, *l2_form; /* the same caches by stacks of their sets */
    ws_table blocks;                  /* block_note */
    ws_table first;                   /* of an SM in turn: when it asked for a block last */
    ws_stream_use *use;               /* of the launch */
    bool *merges; /* [uses] a load of a shared block that follows another one of its SM sooner than a read takes */
    size_t uses, room, merges_room;
    size_t *of_sm, of_sm_room; /* [uses] accesses, those of an SM in a row */
    uint32_t launch;
};

/* ------------------------------------------------------------------------------------------------ to make one */

static int open_array(array *a, const ws_sharing_cache *c)
{
    const int status = ws_cache_setup(&a->cache, &c->choice, c->sets, c->ways, false);
    if (status)
        return status;
    a->memory = malloc(a->cache.bytes);
    if (!a->memory)
        return ws_fail(WS_EMEM, "no memory for the tags of a cache");
    ws_cache_init(&a->cache, a->memory);
    return WS_OK;
}

/* The value of an option of the replacement, where it has one of that name. */
static uint32_t option_of(const array *a, const ws_cache_choice *choice, const char *name, uint32_t otherwise)
{
    return (uint32_t)ws_option_value(a->cache.replacement->options, name, choice->given, choice->count, otherwise);
}

static int open_stacks(ws_set_stacks *s, const array *a, const ws_cache_choice *choice, ws_stack_rule rule)
{
    *s = (ws_set_stacks){.rule = rule,
                         .sets = a->cache.sets,
                         .ways = a->cache.ways,
                         .spare = option_of(a, choice, "spare", 0),
                         .fill = (ws_stack_fill)option_of(a, choice, "fill", WS_STACKS_FILL_NEVER)};
    return ws_set_stacks_init(s);
}

static int build(ws_cache_streams *s)
{
    const ws_sharing_caches *const c = &s->caches;
    int status = WS_OK;
    s->l1 = calloc(c->sms, sizeof *s->l1);
    s->l2 = calloc(c->slices, sizeof *s->l2);
    s->l1_form = calloc(c->sms, sizeof *s->l1_form);
    s->l2_form = calloc(c->slices, sizeof *s->l2_form);
    if (!s->l1 || !s->l2 || !s->l1_form || !s->l2_form)
        return ws_fail(WS_EMEM, "no memory for the tags of caches");
    for (uint32_t i = 0; i < c->sms && !status; i++)
        status = open_array(&s->l1[i], &c->l1);
    for (uint32_t i = 0; i < c->slices && !status; i++)
        status = open_array(&s->l2[i], &c->l2);
    if (status)
        return status;
    s->l1_knows = s->l1[0].cache.replacement->hears;
    s->l2_knows = s->l2[0].cache.replacement->tell != NULL;
    for (uint32_t i = 0; i < c->sms && !status; i++)
        status = open_stacks(&s->l1_form[i], &s->l1[i], &c->l1.choice, s->l1_knows ? WS_STACKS_L1 : WS_STACKS_PLAIN);
    for (uint32_t i = 0; i < c->slices && !status; i++)
        status = open_stacks(&s->l2_form[i], &s->l2[i], &c->l2.choice, s->l2_knows ? WS_STACKS_L2 : WS_STACKS_PLAIN);
    return status;
}

int ws_cache_streams_create(const ws_sharing_caches *caches, ws_cache_streams **out)
{
    ws_cache_streams *const s = *out = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for streams of caches");
    s->caches = *caches;
    s->blocks = WS_TABLE(block_note);
    s->first = WS_TABLE(uint64_t);
    const int status = build(s);
    if (status) {
        ws_cache_streams_destroy(s);
        *out = NULL;
    }
    return status;
}

void ws_cache_streams_destroy(ws_cache_streams *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; s->l1 && i < s->caches.sms; i++)
        free(s->l1[i].memory);
    for (uint32_t i = 0; s->l2 && i < s->caches.slices; i++)
        free(s->l2[i].memory);
    for (uint32_t i = 0; s->l1_form && i < s->caches.sms; i++)
        ws_set_stacks_fini(&s->l1_form[i]);
    for (uint32_t i = 0; s->l2_form && i < s->caches.slices; i++)
        ws_set_stacks_fini(&s->l2_form[i]);
    free(s->l1_form);
    free(s->l2_form);
    free(s->merges);
    ws_table_fini(&s->blocks);
    ws_table_fini(&s->first);
    free(s->l1);
    free(s->l2);
    free(s->use);
    free(s->of_sm);
    free(s);
}

int ws_cache_streams_add(ws_cache_streams *s, const ws_stream_use *use)
{
    if (WS_GROW(s->use, s->room, s->uses, 1))
        return ws_fail(WS_EMEM, "no memory for the accesses of a launch");
    ws_stream_use *const u = &s->use[s->uses++];
    *u = *use;
    u->poll = use->poll && s->caches.polls && use->kind == WS_CACHE_LOAD;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ who shares */

static int note_blocks(ws_cache_streams *s, ws_sharing_misses *sums)
{
    if (WS_GROW(s->merges, s->merges_room, 0, s->uses))
        return ws_fail(WS_EMEM, "no memory for the accesses of a launch");
    s->launch++;
    for (size_t i = 0; i < s->uses; i++) {
        const ws_stream_use *const u = &s->use[i];
        block_note *const b = ws_table_put(&s->blocks, u->block);
        if (!b)
            return WS_EMEM;
        const bool stores = u->kind != WS_CACHE_LOAD;
        sums->l2_least += !b->sm;
        if (!b->sm)
            b->sm = 1 + u->sm;
        b->shared |= b->sm != 1 + u->sm && !u->local;
        s->merges[i] = false;
        if (b->launch != s->launch)
            b->stored = false;
        b->launch = s->launch;
        sums->dirty += stores && !b->stored;
        b->stored |= stores;
    }
    return WS_OK;
}

static bool is_shared(const ws_cache_streams *s, uint64_t block)
{
    return ((const block_note *)ws_table_find(&s->blocks, block))->shared;
}

/* ------------------------------------------------------------------------------------------------ SM by SM */

/* The launch's accesses by SM, each SM's in their order: *end[sm] is behind its last. The caller frees it. */
static int sort_by_sm(ws_cache_streams *s, size_t **end)
{
    size_t *const at = *end = calloc((size_t)s->caches.sms + 1, sizeof *at);
    if (!at || WS_GROW(s->of_sm, s->of_sm_room, 0, s->uses))
        return ws_fail(WS_EMEM, "no memory for the accesses of SMs");
    for (size_t i = 0; i < s->uses; i++)
        at[s->use[i].sm + 1]++;
    for (uint32_t sm = 0; sm < s->caches.sms; sm++)
        at[sm + 1] += at[sm];
    for (size_t i = 0; i < s->uses; i++)
        s->of_sm[at[s->use[i].sm]++] = i;
    return WS_OK;
}

/* Loads of an SM: first uses, and those that follow another one soon. */
static int note_loads(ws_cache_streams *s, size_t begin, size_t end, ws_sharing_misses *sums)
{
    ws_table_clear(&s->first);
    for (size_t i = begin; i < end; i++) {
        const ws_stream_use *const u = &s->use[s->of_sm[i]];
        if (u->kind != WS_CACHE_LOAD)
            continue;
        const bool shared = is_shared(s, u->block);
        sums->loads++;
        sums->shared_loads += shared;
        sums->l1_least += u->poll;
        if (u->poll)
            continue;
        uint64_t *const before = ws_table_put(&s->first, u->block);
        if (!before)
            return WS_EMEM;
        const double gap = (double)(u->now + 1 - *before);
        const bool merges = shared && *before && s->caches.latency_cycles > 0 &&
                            ws_sharing_merged(&gap, 1, s->caches.latency_cycles) > 0;
        s->merges[s->of_sm[i]] = merges;
        sums->l1_least += !*before;
        sums->merged += merges;
        *before = u->now + 1;
    }
    return WS_OK;
}

static int note_sms(ws_cache_streams *s, ws_sharing_misses *sums)
{
    size_t *end;
    int status = sort_by_sm(s, &end);
    for (uint32_t sm = 0; sm < s->caches.sms && !status; sm++)
        status = note_loads(s, sm ? end[sm - 1] : 0, end[sm], sums);
    free(end);
    return status;
}

/* ------------------------------------------------------------------------------------------------ forms, in order */

static ws_stack_use stack_use_of(const ws_cache *cache, const ws_stream_use *u, uint64_t block)
{
    return (ws_stack_use){.block = block,
                          .set = ws_cache_set_of(cache, block),
                          .sm = u->sm,
                          .local = u->local,
                          .stores = u->kind != WS_CACHE_LOAD};
}

/* What comes down to L2. True: it tells that the block is shared. */
static bool form_of_l2(ws_cache_streams *s, const ws_stream_use *u, ws_sharing_misses *sums)
{
    const uint32_t slice = ws_slice_map_slice(&s->caches.map, u->block);
    const ws_stack_use use = stack_use_of(&s->l2[slice].cache, u, ws_slice_map_local(&s->caches.map, u->block));
    sums->l2_form += !ws_set_stacks_use(&s->l2_form[slice], &use);
    return s->l2_knows && ws_set_stacks_is_shared(&s->l2_form[slice], use.set, use.block);
}

/* A load that misses L1 does not count where L1s know and it merges. A store updates a copy, an atomic takes it away.
 */
static void form_of(ws_cache_streams *s, size_t i, ws_sharing_misses *sums)
{
    const ws_stream_use *const u = &s->use[i];
    ws_set_stacks *const l1 = &s->l1_form[u->sm];
    ws_stack_use use = stack_use_of(&s->l1[0].cache, u, u->block);
    if (u->kind == WS_CACHE_ATOMIC)
        ws_set_stacks_drop(l1, &use);
    else if (!u->poll && ws_set_stacks_touch(l1, &use) && u->kind == WS_CACHE_LOAD)
        return;
    use.shared = form_of_l2(s, u, sums) && s->l1_knows;
    if (u->kind != WS_CACHE_LOAD)
        return;
    sums->l1_form += !(s->l1_knows && s->merges[i]);
    if (!u->poll)
        ws_set_stacks_use(l1, &use);
}

static void forms(ws_cache_streams *s, ws_sharing_misses *sums)
{
    for (uint32_t i = 0; i < s->caches.sms; i++)
        ws_set_stacks_clear(&s->l1_form[i]);
    for (size_t i = 0; i < s->uses; i++)
        form_of(s, i, sums);
}

/* ------------------------------------------------------------------------------------------------ in order */

static ws_cache_use use_of(const ws_stream_use *u, uint64_t block)
{
    return (ws_cache_use){.block = block, .sm = (uint16_t)u->sm, .kind = (uint8_t)u->kind, .who = {.local = u->local}};
}

/* True: it was there. *line: where it is then, or WS_CACHE_BYPASS. */
static bool take(array *a, ws_cache_use *use, uint32_t *line)
{
    *line = ws_cache_find(&a->cache, a->memory, use->block);
    const bool hit = *line != WS_CACHE_NONE;
    use->waits = !hit;
    if (hit) {
        ws_cache_touch(&a->cache, a->memory, *line, use);
        return true;
    }
    ws_cache_miss(&a->cache, a->memory, use);
    *line = ws_cache_choose(&a->cache, a->memory, use, NULL);
    if (*line == WS_CACHE_BYPASS) {
        ws_cache_pass(&a->cache, a->memory, use);
        return false;
    }
    ws_cache_drop(&a->cache, a->memory, *line, (ws_cache_end){.replaced = true});
    ws_cache_put(&a->cache, a->memory, *line, use);
    return false;
}

/* What L2 tells of the block. */
static uint8_t ask_l2(ws_cache_streams *s, const ws_stream_use *u, ws_sharing_misses *sums)
{
    array *const a = &s->l2[ws_slice_map_slice(&s->caches.map, u->block)];
    ws_cache_use use = use_of(u, ws_slice_map_local(&s->caches.map, u->block));
    uint32_t line;
    sums->l2_replayed += !take(a, &use, &line);
    return line == WS_CACHE_BYPASS ? 0 : ws_cache_tell(&a->cache, a->memory, line);
}

/* A load that misses: L2 answers, then a line is chosen. */
static void replay_load(ws_cache_streams *s, const ws_stream_use *u, ws_sharing_misses *sums)
{
    array *const a = &s->l1[u->sm];
    ws_cache_use use = use_of(u, u->block);
    uint32_t line = u->poll ? WS_CACHE_NONE : ws_cache_find(&a->cache, a->memory, u->block);
    if (line != WS_CACHE_NONE) {
        ws_cache_touch(&a->cache, a->memory, line, &use);
        return;
    }
    sums->l1_replayed++;
    use.note = ask_l2(s, u, sums);
    if (!u->poll)
        take(a, &use, &line);
}

/* A store updates a copy, an atomic takes it away. */
static void replay_other(ws_cache_streams *s, const ws_stream_use *u, ws_sharing_misses *sums)
{
    array *const a = &s->l1[u->sm];
    const uint32_t line = ws_cache_find(&a->cache, a->memory, u->block);
    const ws_cache_use use = use_of(u, u->block);
    if (line != WS_CACHE_NONE && u->kind == WS_CACHE_STORE)
        ws_cache_touch(&a->cache, a->memory, line, &use);
    else if (line != WS_CACHE_NONE)
        ws_cache_drop(&a->cache, a->memory, line, (ws_cache_end){.replaced = false});
    ask_l2(s, u, sums);
}

static void replay(ws_cache_streams *s, ws_sharing_misses *sums)
{
    for (uint32_t i = 0; i < s->caches.sms; i++)
        ws_cache_init(&s->l1[i].cache, s->l1[i].memory);
    for (size_t i = 0; i < s->uses; i++)
        (s->use[i].kind == WS_CACHE_LOAD ? replay_load : replay_other)(s, &s->use[i], sums);
}

int ws_cache_streams_end(ws_cache_streams *s, ws_sharing_misses *sums)
{
    int status = note_blocks(s, sums);
    if (!status)
        status = note_sms(s, sums);
    if (!status) {
        forms(s, sums);
        replay(s, sums);
    }
    s->uses = 0;
    return status;
}
