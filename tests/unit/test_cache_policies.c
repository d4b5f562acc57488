/* test_cache_policies.c - every replacement policy: laws that all keep, small models of the published ones, and the
 * access patterns that they are published for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#include "tests/unit/cache_array.h"

enum { MOST_OPTIONS = WS_CACHE_OPTIONS };

static uint32_t use_block(array *a, uint64_t block, bool *hit)
{
    return use_as(a, (ws_cache_use){.block = block, .mask = 1, .who = {.lines = 1}}, hit);
}

static unsigned hits_of(array *a, const uint64_t *blocks, size_t count, unsigned rounds)
{
    unsigned hits = 0;
    bool hit;
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++) {
            use_block(a, blocks[i], &hit);
            hits += hit;
        }
    return hits;
}

/* --- Laws of every row --- */

static bool holds_anything(const array *a, uint32_t line)
{
    uint64_t block;
    return ws_cache_holds(&a->cache, a->memory, line, &block);
}

static bool is_locked(const array *a, uint32_t line)
{
    return ((const uint8_t *)a->memory)[a->cache.locked_at + line];
}

/* What is chosen is empty while there is an empty line, else it is of the set and not locked; asking changes nothing.
 */
static void check_choice(const array *a, uint64_t block)
{
    const ws_cache_use use = {.block = block};
    void *const before = malloc(a->cache.bytes);
    memcpy(before, a->memory, a->cache.bytes);
    const uint32_t line = ws_cache_choose(&a->cache, a->memory, &use, NULL);
    assert_memory_equal(before, a->memory, a->cache.bytes);
    free(before);
    const uint32_t first = ws_cache_set_of(&a->cache, block) * a->cache.ways;
    bool empty = false, free_line = false;
    for (uint32_t way = 0; way < a->cache.ways; way++) {
        empty |= !holds_anything(a, first + way);
        free_line |= !is_locked(a, first + way);
    }
    if (line == WS_CACHE_BYPASS)
        assert_true(a->cache.replacement->bypasses);
    else if (line == WS_CACHE_NONE)
        assert_true(!empty && (!free_line || a->cache.replacement->bypasses));
    else
        assert_true(line >= first && line < first + a->cache.ways && !is_locked(a, line) &&
                    (!empty || !holds_anything(a, line)));
}

/* An access of some warp, of a load with few lines or many, or of a store. */
static ws_cache_use random_use(gsl_rng *rng, uint64_t block)
{
    const uint16_t lines = (uint16_t)gsl_rng_uniform_int(rng, 9), rank = (uint16_t)gsl_rng_uniform_int(rng, 8);
    return (ws_cache_use){.block = block,
                          .mask = 1,
                          .warp = rank,
                          .kind = (uint8_t)gsl_rng_uniform_int(rng, WS_CACHE_ATOMIC + 1),
                          .who = {.pc = (uint32_t)gsl_rng_uniform_int(rng, 4),
                                  .lines = lines,
                                  .line = (uint16_t)(lines ? gsl_rng_uniform_int(rng, lines) : 0),
                                  .rank = (uint8_t)rank}};
}

static void step(array *a, gsl_rng *rng, unsigned blocks)
{
    bool hit;
    const uint64_t block = gsl_rng_uniform_int(rng, blocks);
    const uint32_t line = ws_cache_find(&a->cache, a->memory, block);
    const unsigned long what = gsl_rng_uniform_int(rng, 16);
    if (line != WS_CACHE_NONE && what == 0)
        ws_cache_drop(&a->cache, a->memory, line, (ws_cache_end){.dirty = block & 1});
    else if (line != WS_CACHE_NONE && what < 3)
        ws_cache_lock(&a->cache, a->memory, line, !is_locked(a, line));
    else if (line != WS_CACHE_NONE && what == 3)
        ws_cache_renew(&a->cache, a->memory, line);
    else {
        if (line == WS_CACHE_NONE)
            check_choice(a, block);
        use_as(a, random_use(rng, block), &hit);
    }
}

static void keep_laws(const char *name, uint32_t sets, uint32_t ways)
{
    array a, copy;
    if (try_array(&a, name, NULL, sets, ways))
        return; /* it says for how many sets it is */
    copy = a;
    copy.memory = malloc(a.cache.bytes);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937), *const again = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, sets + ways);
    for (unsigned n = 0; n < 1500; n++)
        step(&a, rng, 3 * sets * ways);
    /* A copy goes on as the cache does. */
    memcpy(copy.memory, a.memory, a.cache.bytes);
    gsl_rng_memcpy(again, rng);
    for (unsigned n = 0; n < 1500; n++) {
        step(&a, rng, 3 * sets * ways);
        step(&copy, again, 3 * sets * ways);
    }
    assert_memory_equal(a.memory, copy.memory, a.cache.bytes);
    /* Of a line that was left nothing is left. */
    for (uint32_t line = 0; line < sets * ways; line++)
        ws_cache_drop(&a.cache, a.memory, line, (ws_cache_end){0});
    ws_cache_init(&copy.cache, copy.memory);
    assert_memory_equal(a.memory, copy.memory, a.cache.own_at);
    gsl_rng_free(rng);
    gsl_rng_free(again);
    free(a.memory);
    free(copy.memory);
}

static void every_policy_keeps_the_laws(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{1, 1}, {1, 4}, {2, 1}, {2, 5}, {8, 4}, {6, 3}, {32, 8}};
    for (size_t row = 0; ws_cache_replacement_at(row); row++) {
        const ws_cache_replacement *const r = ws_cache_replacement_at(row);
        assert_ptr_equal(ws_cache_replacement_find(r->name), r);
        assert_true(strlen(r->summary) > 0);
        size_t options = 0;
        for (const ws_option *o = r->options; o && o->name; o++, options++)
            assert_true(o->least <= o->fallback && o->fallback <= o->most && strlen(o->meaning) > 0);
        assert_true(options <= WS_CACHE_OPTIONS);
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            keep_laws(r->name, shapes[i][0], shapes[i][1]);
    }
}

/* A policy may be given every option that it has, at both ends: it works or says why not. */
static void every_option_is_taken_or_refused(void **state)
{
    (void)state;
    for (size_t row = 0; ws_cache_replacement_at(row); row++) {
        const ws_cache_replacement *const r = ws_cache_replacement_at(row);
        for (const ws_option *o = r->options; o && o->name; o++)
            for (unsigned end = 0; end < 2; end++) {
                const ws_given given[] = {{o->name, end ? o->most : o->least, NULL}, {NULL, 0, NULL}};
                array a;
                const int rc = try_array(&a, r->name, given, 16, 4);
                if (rc) {
                    assert_int_equal(rc, WS_EINPUT);
                    assert_non_null(strstr(ws_message(), o->name));
                    continue;
                }
                gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
                for (unsigned n = 0; n < 500; n++)
                    step(&a, rng, 200);
                gsl_rng_free(rng);
                free(a.memory);
            }
    }
}

/* --- Models: the published words, done literally --- */

enum { SETS = 16, WAYS = 4, LINES = SETS * WAYS, EPSILON = 8, PSEL_BITS = 4, LEADERS = 3 };

typedef struct held {
    uint64_t block, used; /* used: by lru and bip, when; the least goes first */
    int rrpv;
    bool there, locked;
} held;

typedef struct model {
    held line[LINES];
    uint64_t asked;
    int64_t first, last; /* times before and behind all */
    int psel;
    bool rrip, duel, bimodal;
    bool first_in; /* hits do not count */
    bool frequency;
    int far;
} model;

/* SplitMix64 of the seed and how often it was asked. */
static bool is_lucky(model *m)
{
    uint64_t z = ((UINT64_C(7) << 32) ^ ++m->asked) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % EPSILON == 0;
}

/* 16 sets, 3 leaders of each rule: groups of 5 sets, the last set belongs to none. In the first group sets 0 and 2, in
 * the second 5 + 1 and 5 + 3, in the third 10 + 2 and 10 + 4. */
static bool takes_second(model *m, uint32_t set)
{
    static const char sides[SETS + 1] = "1-2---1-2---1-2-";
    const int greatest = (1 << PSEL_BITS) - 1;
    if (!m->duel)
        return m->bimodal;
    if (sides[set] == '1' && m->psel < greatest)
        m->psel++;
    if (sides[set] == '2' && m->psel > 0)
        m->psel--;
    return sides[set] == '2' || (sides[set] == '-' && m->psel >= 1 << (PSEL_BITS - 1));
}

static int model_victim(model *m, uint32_t set, bool change)
{
    int found = -1;
    held *const lines = &m->line[set * WAYS];
    if (!m->rrip) {
        for (int i = 0; i < WAYS; i++)
            if (!lines[i].locked && (found < 0 || (int64_t)lines[i].used < (int64_t)lines[found].used))
                found = i;
        return found;
    }
    held kept[WAYS];
    memcpy(kept, lines, sizeof kept);
    bool any = false;
    for (int i = 0; i < WAYS; i++)
        any |= !lines[i].locked;
    while (any && found < 0) {
        for (int i = 0; i < WAYS && found < 0; i++)
            if (!lines[i].locked && lines[i].rrpv == m->far)
                found = i;
        for (int i = 0; i < WAYS && found < 0; i++)
            lines[i].rrpv += lines[i].rrpv < m->far;
    }
    if (!change)
        memcpy(lines, kept, sizeof kept);
    return found;
}

static void model_put(model *m, uint32_t set, int way, uint64_t block)
{
    const bool second = takes_second(m, set), last = second && !is_lucky(m);
    m->line[set * WAYS + way] = (held){.block = block,
                                       .there = true,
                                       .used = (uint64_t)(last ? --m->first : ++m->last),
                                       .rrpv = last ? m->far : m->far - 1};
}

/* Returns the way of the set that the block is put into, -1: none. */
static int model_miss(model *m, uint64_t block)
{
    const uint32_t set = (uint32_t)(block % SETS);
    int way = 0;
    while (way < WAYS && m->line[set * WAYS + way].there)
        way++;
    if (way == WAYS)
        way = model_victim(m, set, true);
    if (way >= 0)
        model_put(m, set, way, block);
    return way;
}

static void model_hit(model *m, held *line)
{
    line->used = m->first_in ? line->used : (uint64_t)++m->last;
    line->rrpv = m->frequency ? line->rrpv - (line->rrpv > 0) : 0;
}

static void against_model(const char *name, model m, uint64_t rrpv_bits, unsigned long seed)
{
    const ws_given all[] = {{"rrpv", rrpv_bits, NULL}, {"frequency", m.frequency, NULL}, {"epsilon", EPSILON, NULL},
                            {"seed", 7, NULL},         {"leaders", LEADERS, NULL},       {"psel", PSEL_BITS, NULL}};
    ws_given given[MOST_OPTIONS + 1] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const ws_option *o = ws_cache_replacement_find(name)->options; o && o->name; o++)
            if (!strcmp(o->name, all[i].name))
                given[count++] = all[i];
    array a = make_array(name, given, SETS, WAYS);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    m.psel = (1 << (PSEL_BITS - 1)) - 1;
    m.far = (1 << rrpv_bits) - 1;
    bool hit;
    for (unsigned n = 0; n < 30000; n++) {
        /* Phases: what fits, what does not. */
        const unsigned long range = n / 3000 % 2 ? 3 * LINES : LINES + LINES / 4;
        const uint64_t block = gsl_rng_uniform_int(rng, range);
        const uint32_t line = ws_cache_find(&a.cache, a.memory, block);
        const unsigned long what = gsl_rng_uniform_int(rng, 24);
        if (line == WS_CACHE_NONE) {
            const int way = model_miss(&m, block);
            const uint32_t got = use_block(&a, block, &hit);
            assert_int_equal(got, way < 0 ? WS_CACHE_NONE : block % SETS * WAYS + (uint32_t)way);
        } else if (what == 0) {
            ws_cache_drop(&a.cache, a.memory, line, (ws_cache_end){0});
            m.line[line] = (held){0};
        } else if (what < 4) {
            m.line[line].locked = !m.line[line].locked;
            ws_cache_lock(&a.cache, a.memory, line, m.line[line].locked);
        } else {
            use_block(&a, block, &hit);
            model_hit(&m, &m.line[line]);
        }
    }
    gsl_rng_free(rng);
    free(a.memory);
}

/* A policy without a row here has its model in a file of its own. */
static const struct {
    const char *name;
    model model;
    const char *elsewhere;
} models[] = {
    {.name = "lru"},
    {.name = "fifo", .model = {.first_in = true}},
    {.name = "bip", .model = {.bimodal = true}},
    {.name = "dip", .model = {.duel = true}},
    {.name = "srrip", .model = {.rrip = true}},
    {.name = "brrip", .model = {.rrip = true, .bimodal = true}},
    {.name = "drrip", .model = {.rrip = true, .duel = true}},
    {.name = "dacache", .elsewhere = "tests/unit/test_dacache.c"},
    {.name = "sharing-l1", .elsewhere = "tests/unit/test_sharing_caches.c"},
    {.name = "sharing-l2", .elsewhere = "tests/unit/test_sharing_caches.c"},
    {.name = "streaming", .elsewhere = "tests/unit/test_sharing_caches.c"},
};
enum { MODELS = sizeof models / sizeof *models };

static void published_policies_do_as_their_models(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        for (unsigned long seed = 1; seed <= 2 && !models[i].elsewhere; seed++)
            for (unsigned frequency = 0; frequency <= models[i].model.rrip; frequency++)
                for (uint64_t bits = 1; bits <= (models[i].model.rrip ? 3 : 1); bits++) {
                    model m = models[i].model;
                    m.frequency = frequency;
                    against_model(models[i].name, m, bits, seed);
                }
}

/* Does a test make caches with that policy? */
static bool names(const char *path, const char *policy)
{
    char word[64], line[512];
    bool found = false;
    FILE *const f = fopen(path, "r");
    assert_non_null(f);
    snprintf(word, sizeof word, "make_array(\"%s\"", policy);
    while (!found && fgets(line, sizeof line, f))
        found = strstr(line, word) != NULL;
    fclose(f);
    return found;
}

static void every_policy_has_a_model(void **state)
{
    (void)state;
    for (size_t row = 0; ws_cache_replacement_at(row); row++) {
        const char *const name = ws_cache_replacement_at(row)->name;
        size_t i = 0;
        while (i < MODELS && strcmp(models[i].name, name))
            i++;
        if (i == MODELS || (models[i].elsewhere && !names(models[i].elsewhere, name)))
            fail_msg("cache_replacements.def: %s has no model", name);
    }
}

/* A row that does what another one does is none: of any two, some access finds another line. Blocks that are used again
 * within a set, then a stream of new ones, by several SMs and instructions. */
static void no_policy_is_another(void **state)
{
    (void)state;
    enum { MOST_ROWS = 32, STEPS = 40000, PHASE = STEPS / 2 };
    static uint32_t line[MOST_ROWS][STEPS];
    for (size_t row = 0; ws_cache_replacement_at(row); row++) {
        assert_true(row < MOST_ROWS);
        array a = make_array(ws_cache_replacement_at(row)->name, NULL, SETS, WAYS);
        gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
        for (unsigned n = 0; n < STEPS; n++) {
            const bool streams = n / PHASE % 2;
            ws_cache_use use = random_use(rng, streams ? 1000 + n : gsl_rng_uniform_int(rng, 2 * LINES));
            use.sm = (uint16_t)gsl_rng_uniform_int(rng, 4);
            use.note = (uint8_t)gsl_rng_uniform_int(rng, 2);
            bool hit;
            line[row][n] = use_as(&a, use, &hit);
        }
        gsl_rng_free(rng);
        free(a.memory);
        for (size_t k = 0; k < row; k++)
            if (!memcmp(line[row], line[k], sizeof line[row]))
                fail_msg("cache_replacements.def: %s does what %s does", ws_cache_replacement_at(row)->name,
                         ws_cache_replacement_at(k)->name);
    }
}

/* --- What they are for --- */

/* Round and round through twice as many blocks as there are lines. */
static unsigned hits_in_circle(const char *name, unsigned rounds)
{
    uint64_t blocks[2 * LINES];
    for (size_t i = 0; i < 2 * LINES; i++)
        blocks[i] = i;
    array a = make_array(name, NULL, SETS, WAYS);
    const unsigned hits = hits_of(&a, blocks, 2 * LINES, rounds);
    free(a.memory);
    return hits;
}

static void what_does_not_fit_is_kept_in_part(void **state)
{
    (void)state;
    enum { ROUNDS = 400, ALL = ROUNDS * 2 * LINES };
    assert_int_equal(hits_in_circle("lru", ROUNDS), 0);
    assert_int_equal(hits_in_circle("fifo", ROUNDS), 0);
    assert_int_equal(hits_in_circle("srrip", ROUNDS), 0);
    /* All but one line of a set stay, nearly always: 3 of 8 blocks. */
    assert_in_range(hits_in_circle("bip", ROUNDS), ALL * 30 / 100, ALL * 40 / 100);
    assert_in_range(hits_in_circle("brrip", ROUNDS), ALL * 25 / 100, ALL * 40 / 100);
    /* The leaders of lru and srrip, an eighth of the sets, have no hits. */
    assert_in_range(hits_in_circle("dip", ROUNDS), ALL * 25 / 100, ALL * 36 / 100);
    assert_in_range(hits_in_circle("drrip", ROUNDS), ALL * 20 / 100, ALL * 36 / 100);
}

/* Two blocks of a set are used again and again, and between that comes a scan of four blocks that are used once: lru
 * loses the two, distances of two bits do not. */
static void a_scan_leaves_what_is_used(void **state)
{
    (void)state;
    static const char *const names[] = {"lru", "srrip"};
    for (size_t i = 0; i < 2; i++) {
        array a = make_array(names[i], NULL, 1, WAYS);
        unsigned hits = 0;
        bool hit;
        for (uint64_t round = 0; round < 50; round++) {
            for (unsigned n = 0; n < 4; n++) {
                use_block(&a, n % 2, &hit);
                hits += hit;
            }
            for (uint64_t n = 0; n < WAYS; n++) {
                use_block(&a, 100 + WAYS * round + n, &hit);
                assert_false(hit);
            }
        }
        assert_int_equal(hits, i ? 4 * 50 - 2 : 2 * 50);
        free(a.memory);
    }
}

/* Blocks that lru keeps and bip does not: each is used twice, a set's worth of others in between, and never again. */
static unsigned hits_of_pairs(const char *name, unsigned rounds)
{
    uint64_t now = 0;
    unsigned hits = 0;
    bool hit;
    array a = make_array(name, NULL, SETS, WAYS);
    for (unsigned round = 0; round < rounds; round++, now += 2 * SETS)
        for (unsigned again = 0; again < 2; again++)
            for (uint64_t n = 0; n < 2 * SETS; n++) {
                use_block(&a, now + n, &hit);
                hits += hit;
            }
    free(a.memory);
    return hits;
}

static void a_duel_follows_the_better_rule(void **state)
{
    (void)state;
    enum { ROUNDS = 600 };
    const unsigned lru = hits_of_pairs("lru", ROUNDS), bip = hits_of_pairs("bip", ROUNDS),
                   dip = hits_of_pairs("dip", ROUNDS);
    assert_int_equal(lru, ROUNDS * 2 * SETS);
    assert_true(bip < lru * 6 / 10);
    assert_true(dip > lru * 85 / 100);
    /* Then the other way round, with the same cache: the counter turns. */
    uint64_t circle[2 * LINES];
    for (size_t i = 0; i < 2 * LINES; i++)
        circle[i] = i;
    array a = make_array("dip", NULL, SETS, WAYS);
    bool hit;
    for (uint64_t n = 0; n < 20000; n++)
        use_block(&a, (UINT64_C(1) << 20) + n / 2, &hit);
    hits_of(&a, circle, 2 * LINES, 400);
    assert_true(hits_of(&a, circle, 2 * LINES, 400) > 400u * 2 * LINES * 25 / 100);
    free(a.memory);
}

static void too_few_sets_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"dip", "drrip"};
    for (size_t i = 0; i < 2; i++) {
        array a;
        assert_int_equal(try_array(&a, names[i], NULL, 1, 8), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "expected at least 2 sets, there is 1"));
        const ws_given many[] = {{"leaders", 9, NULL}, {NULL, 0, NULL}};
        assert_int_equal(try_array(&a, names[i], many, 16, 8), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "leaders is 9, expected at most half of the 16 sets"));
    }
    array a;
    const ws_given psel[] = {{"psel", 8, "f:3:4"}, {NULL, 0, NULL}};
    assert_int_equal(try_array(&a, "srrip", psel, 16, 8), WS_EINPUT);
    assert_string_equal(ws_message(),
                        "f:3:4: psel is an option of replacement dip, but replacement is srrip; remove it");
}

/* Equal seeds, equal bytes; another seed, other lines. */
static void chance_hangs_on_the_seed(void **state)
{
    (void)state;
    static const char *const names[] = {"bip", "brrip", "dip", "drrip"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        array a[3];
        for (size_t k = 0; k < 3; k++) {
            const ws_given seed[] = {{"seed", k < 2 ? 5 : 6, NULL}, {"epsilon", 2, NULL}, {NULL, 0, NULL}};
            uint64_t blocks[3 * LINES];
            for (size_t n = 0; n < 3 * LINES; n++)
                blocks[n] = n * n;
            a[k] = make_array(names[i], seed, SETS, WAYS);
            hits_of(&a[k], blocks, 3 * LINES, 20);
        }
        assert_memory_equal(a[0].memory, a[1].memory, a[0].cache.bytes);
        assert_memory_not_equal(a[0].memory, a[2].memory, a[0].cache.own_at);
        for (size_t k = 0; k < 3; k++)
            free(a[k].memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_keeps_the_laws),
        cmocka_unit_test(every_option_is_taken_or_refused),
        cmocka_unit_test(published_policies_do_as_their_models),
        cmocka_unit_test(every_policy_has_a_model),
        cmocka_unit_test(no_policy_is_another),
        cmocka_unit_test(what_does_not_fit_is_kept_in_part),
        cmocka_unit_test(a_scan_leaves_what_is_used),
        cmocka_unit_test(a_duel_follows_the_better_rule),
        cmocka_unit_test(too_few_sets_are_refused),
        cmocka_unit_test(chance_hangs_on_the_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
