/* cache_streams.c - see cache_streams.h. Accesses of a launch are kept until its end, since who shares a block is known only then. */
#include "model/sharing/cache_streams.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/table.h"
#include "model/sharing/cache_bounds.h"
#include "base/line_stack.h"

#include <stdlib.h>
#include <string.h>

/* Distances from so many times the lines of a cache on miss for sure: a set gets so many times its ways then, in the mean. */
enum { FAR = 16 };

typedef struct array {
    ws_cache cache;
    void *memory;
} array;

/* What is known of a block. */
typedef struct block_note {
    uint32_t sm;       /* 1 + that asked first */
    bool shared;       /* another one did, too */
    bool stored;       /* in this launch */
    uint8_t below;     /* 1 + the stream of L2 that had it last; 0: none did */
    uint32_t launch;   /* the last that asked for it */
} block_note;

/* Distances of a stream, and their histogram. */
typedef struct stream {
    ws_line_stack stack;
    double *count; /* [distances] */
    size_t distances;
    double beyond;
} stream;

enum { ALONE, SHARED, STREAMS };

struct ws_cache_streams {
    ws_sharing_caches caches;
    bool l1_knows, l2_knows;
    array *l1, *l2;      /* [sms], [slices] */
    stream l1_stream[STREAMS], l2_stream[STREAMS]; /* those of an L1 serve one SM after the other */
    ws_table blocks;     /* block_note */
    ws_table first;      /* of an SM in turn: when it asked for a block last */
    ws_stream_use *use;  /* of the launch */
    size_t uses, room;
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

static int open_stream(stream *s, size_t lines)
{
    const int status = ws_line_stack_init(&s->stack, 0);
    if (status)
        return status;
    s->distances = FAR * lines;
    s->count = calloc(s->distances, sizeof *s->count);
    return s->count ? WS_OK : ws_fail(WS_EMEM, "no memory for reuse distances");
}

static size_t l2_lines(const ws_sharing_caches *c)
{
    return (size_t)c->l2.sets * c->l2.ways * c->slices;
}

static int build(ws_cache_streams *s)
{
    const ws_sharing_caches *const c = &s->caches;
    int status = WS_OK;
    s->l1 = calloc(c->sms, sizeof *s->l1);
    s->l2 = calloc(c->slices, sizeof *s->l2);
    if (!s->l1 || !s->l2)
        return ws_fail(WS_EMEM, "no memory for the tags of caches");
    for (uint32_t i = 0; i < c->sms && !status; i++)
        status = open_array(&s->l1[i], &c->l1);
    for (uint32_t i = 0; i < c->slices && !status; i++)
        status = open_array(&s->l2[i], &c->l2);
    for (int k = 0; k < STREAMS && !status; k++) {
        status = open_stream(&s->l1_stream[k], (size_t)c->l1.sets * c->l1.ways);
        if (!status)
            status = open_stream(&s->l2_stream[k], l2_lines(c));
    }
    if (status)
        return status;
    s->l1_knows = s->l1[0].cache.replacement->hears;
    s->l2_knows = s->l2[0].cache.replacement->tell != NULL;
    return WS_OK;
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

static void close_stream(stream *s)
{
    ws_line_stack_fini(&s->stack);
    free(s->count);
}

void ws_cache_streams_destroy(ws_cache_streams *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; s->l1 && i < s->caches.sms; i++)
        free(s->l1[i].memory);
    for (uint32_t i = 0; s->l2 && i < s->caches.slices; i++)
        free(s->l2[i].memory);
    for (int k = 0; k < STREAMS; k++) {
        close_stream(&s->l1_stream[k]);
        close_stream(&s->l2_stream[k]);
    }
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
    s->use[s->uses++] = *use;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ who shares */

static int note_blocks(ws_cache_streams *s, ws_sharing_misses *sums)
{
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

/* ------------------------------------------------------------------------------------------------ forms */

static void count_distance(stream *s, uint64_t distance)
{
    if (distance < s->distances)
        s->count[distance]++;
    else
        s->beyond++;
}

static int note_distance(stream *s, uint64_t block)
{
    uint64_t distance;
    if (ws_line_stack_use(&s->stack, block, &distance))
        return WS_EMEM;
    count_distance(s, distance);
    return WS_OK;
}

/* In L2 a block that another SM asks for in a later launch goes from one stream to the other: it is as far back as it was there. */
static int note_distance_below(ws_cache_streams *s, uint64_t block)
{
    block_note *const b = ws_table_find(&s->blocks, block);
    const int kind = s->l2_knows && b->shared ? SHARED : ALONE;
    const int was = b->below ? b->below - 1 : kind;
    uint64_t distance, unused;
    if (ws_line_stack_use(&s->l2_stream[was].stack, block, &distance))
        return WS_EMEM;
    if (was != kind && ws_line_stack_use(&s->l2_stream[kind].stack, block, &unused))
        return WS_EMEM;
    b->below = (uint8_t)(1 + kind);
    count_distance(&s->l2_stream[kind], distance);
    return WS_OK;
}

static ws_reuse reuse_of(const stream *s)
{
    return (ws_reuse){.count = s->count, .distances = s->distances, .beyond = s->beyond};
}

static void forget_histogram(stream *s)
{
    memset(s->count, 0, s->distances * sizeof *s->count);
    s->beyond = 0;
}

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

/* Loads of an SM: distances, first uses, and those that follow another one soon. */
static int note_loads(ws_cache_streams *s, size_t begin, size_t end, ws_sharing_misses *sums)
{
    ws_table_clear(&s->first);
    for (int k = 0; k < STREAMS; k++)
        ws_line_stack_clear(&s->l1_stream[k].stack);
    for (size_t i = begin; i < end; i++) {
        const ws_stream_use *const u = &s->use[s->of_sm[i]];
        if (u->kind != WS_CACHE_LOAD)
            continue;
        const bool shared = is_shared(s, u->block);
        uint64_t *const before = ws_table_put(&s->first, u->block);
        if (!before || note_distance(&s->l1_stream[s->l1_knows && shared ? SHARED : ALONE], u->block))
            return WS_EMEM;
        const double gap = (double)(u->now + 1 - *before);
        sums->loads++;
        sums->l1_least += !*before;
        sums->shared_loads += shared;
        sums->merged += shared && *before && s->caches.latency_cycles > 0 ? ws_sharing_merged(&gap, 1, s->caches.latency_cycles) : 0;
        *before = u->now + 1;
    }
    return WS_OK;
}

static int l1_form(ws_cache_streams *s, ws_sharing_misses *sums)
{
    const ws_lines lines = {.sets = s->caches.l1.sets, .ways = s->caches.l1.ways};
    ws_sharing_misses launch = {0};
    size_t *end;
    int status = sort_by_sm(s, &end);
    for (int k = 0; k < STREAMS; k++)
        forget_histogram(&s->l1_stream[k]);
    for (uint32_t sm = 0; sm < s->caches.sms && !status; sm++)
        status = note_loads(s, sm ? end[sm - 1] : 0, end[sm], &launch);
    free(end);
    if (status)
        return status;
    ws_sharing_streams two = {.alone = reuse_of(&s->l1_stream[ALONE]), .shared = reuse_of(&s->l1_stream[SHARED])};
    two.merged = launch.shared_loads > 0 ? launch.merged / launch.shared_loads : 0;
    sums->l1_form += ws_sharing_l1_misses(&two, &lines);
    sums->loads += launch.loads;
    sums->l1_least += launch.l1_least;
    sums->shared_loads += launch.shared_loads;
    sums->merged += launch.merged;
    return WS_OK;
}

/* Blocks that several SMs ask for in the launch. */
static uint32_t shared_blocks(const ws_cache_streams *s)
{
    uint32_t n = 0;
    uint64_t block;
    for (size_t i = 0; ws_table_next(&s->blocks, &i, &block); i++) {
        const block_note *const b = ws_table_value(&s->blocks, i);
        n += b->shared && b->launch == s->launch;
    }
    return n;
}

static void l2_form(ws_cache_streams *s, double local, ws_sharing_misses *sums)
{
    const ws_lines lines = {.sets = s->caches.l2.sets * s->caches.slices, .ways = s->caches.l2.ways};
    const ws_sharing_streams two = {.alone = reuse_of(&s->l2_stream[ALONE]),
                                    .shared = reuse_of(&s->l2_stream[SHARED]),
                                    .local = local,
                                    .shared_blocks = s->l2_knows ? shared_blocks(s) : 0};
    sums->l2_form += ws_sharing_l2_misses(&two, &lines);
    for (int k = 0; k < STREAMS; k++)
        forget_histogram(&s->l2_stream[k]);
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
static int ask_l2(ws_cache_streams *s, const ws_stream_use *u, double *local, uint8_t *note, ws_sharing_misses *sums)
{
    array *const a = &s->l2[ws_slice_map_slice(&s->caches.map, u->block)];
    ws_cache_use use = use_of(u, ws_slice_map_local(&s->caches.map, u->block));
    uint32_t line;
    sums->l2_replayed += !take(a, &use, &line);
    *note = line == WS_CACHE_BYPASS ? 0 : ws_cache_tell(&a->cache, a->memory, line);
    if (s->l2_knows && u->local && u->kind == WS_CACHE_LOAD) {
        ++*local; /* the form has no line for it */
        return WS_OK;
    }
    return note_distance_below(s, u->block);
}

/* A load that misses: L2 answers, then a line is chosen. */
static int replay_load(ws_cache_streams *s, const ws_stream_use *u, double *local, ws_sharing_misses *sums)
{
    array *const a = &s->l1[u->sm];
    ws_cache_use use = use_of(u, u->block);
    uint32_t line = ws_cache_find(&a->cache, a->memory, u->block);
    if (line != WS_CACHE_NONE) {
        ws_cache_touch(&a->cache, a->memory, line, &use);
        return WS_OK;
    }
    sums->l1_replayed++;
    const int status = ask_l2(s, u, local, &use.note, sums);
    if (!status)
        take(a, &use, &line);
    return status;
}

/* A store updates a copy, an atomic takes it away. */
static int replay_other(ws_cache_streams *s, const ws_stream_use *u, double *local, ws_sharing_misses *sums)
{
    array *const a = &s->l1[u->sm];
    const uint32_t line = ws_cache_find(&a->cache, a->memory, u->block);
    const ws_cache_use use = use_of(u, u->block);
    uint8_t note;
    if (line != WS_CACHE_NONE && u->kind == WS_CACHE_STORE)
        ws_cache_touch(&a->cache, a->memory, line, &use);
    else if (line != WS_CACHE_NONE)
        ws_cache_drop(&a->cache, a->memory, line, (ws_cache_end){.replaced = false});
    return ask_l2(s, u, local, &note, sums);
}

static int replay(ws_cache_streams *s, double *local, ws_sharing_misses *sums)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < s->caches.sms; i++)
        ws_cache_init(&s->l1[i].cache, s->l1[i].memory);
    for (size_t i = 0; i < s->uses && !status; i++)
        status = (s->use[i].kind == WS_CACHE_LOAD ? replay_load : replay_other)(s, &s->use[i], local, sums);
    return status;
}

int ws_cache_streams_end(ws_cache_streams *s, ws_sharing_misses *sums)
{
    double local = 0;
    int status = note_blocks(s, sums);
    if (!status)
        status = l1_form(s, sums);
    if (!status)
        status = replay(s, &local, sums);
    if (!status)
        l2_form(s, local, sums);
    s->uses = 0;
    return status;
}
