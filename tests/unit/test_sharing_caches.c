/* test_sharing_caches.c - caches that know who shares (sharing-l1, sharing-l2) and caches that turn off (streaming):
 * the study's examples, models of the policies with lists, and what machines do with them. */
#include "model/machine/machine_internal.h"
#include "model/sim/memory/plain_internal.h"
#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include <gsl/gsl_rng.h>

enum { LINE = 128 };

/* ------------------------------------------------------------------------------------------------ arrays by hand */

typedef struct array {
    ws_cache cache;
    void *memory;
} array;

static array make_array(const char *name, const ws_given *given, uint32_t sets, uint32_t ways)
{
    array a;
    size_t count = 0;
    while (given && given[count].name)
        count++;
    if (ws_cache_setup(&a.cache, &(ws_cache_choice){.replacement = name, .given = given, .count = count}, sets, ways,
                       false))
        fail_msg("%s", ws_message());
    a.memory = malloc(a.cache.bytes);
    ws_cache_init(&a.cache, a.memory);
    return a;
}

static bool has(const array *a, uint64_t block)
{
    return ws_cache_find(&a->cache, a->memory, block) != WS_CACHE_NONE;
}

/* An access as a cache makes it; true: a hit. */
static bool access_to(array *a, ws_cache_use use)
{
    uint32_t line = ws_cache_find_served(&a->cache, a->memory, use.block);
    use.waits = line == WS_CACHE_NONE;
    if (line != WS_CACHE_NONE) {
        ws_cache_touch(&a->cache, a->memory, line, &use);
        return true;
    }
    ws_cache_miss(&a->cache, a->memory, &use);
    line = ws_cache_choose(&a->cache, a->memory, &use, NULL);
    assert_int_not_equal(line, WS_CACHE_NONE); /* nothing is locked here */
    if (line == WS_CACHE_BYPASS) {
        ws_cache_pass(&a->cache, a->memory, &use);
        return false;
    }
    ws_cache_drop(&a->cache, a->memory, line, (ws_cache_end){.replaced = true});
    ws_cache_put(&a->cache, a->memory, line, &use);
    return false;
}

/* A load of the SM through its L1 and the L2; the L1's line is chosen at the fill. True: the L1 has it. */
static bool load_through(array *l1, array *l2, uint16_t sm, uint64_t block, bool local)
{
    ws_cache_use use = {.block = block, .mask = UINT32_MAX, .sm = sm, .who.local = local};
    if (has(l1, block))
        return access_to(l1, use);
    access_to(l2, use);
    const uint32_t line = ws_cache_find(&l2->cache, l2->memory, block);
    use.note = line == WS_CACHE_NONE ? 0 : ws_cache_tell(&l2->cache, l2->memory, line);
    return access_to(l1, use);
}

static ws_cache_tally tally_of(const array *a)
{
    return *ws_cache_tally_of(&a->cache, a->memory);
}

static ws_cache_use filled(uint64_t block, bool shared)
{
    return (ws_cache_use){.block = block, .mask = UINT32_MAX, .note = shared};
}

/* Blocks A shared, B private, C shared, D private, D used longest ago. */
static array four_lines(const ws_given *given)
{
    array a = make_array("sharing-l1", given, 1, 4);
    access_to(&a, filled('D', false));
    access_to(&a, filled('C', true));
    access_to(&a, filled('B', false));
    access_to(&a, filled('A', true));
    return a;
}

/* The study's example of a dead block (figure 2.10): D is spared, C goes in its place; then D is dead and goes. */
static void a_private_line_is_spared_once(void **state)
{
    (void)state;
    array a = four_lines(NULL);
    access_to(&a, filled('F', false));
    assert_true(!has(&a, 'C') && has(&a, 'D'));
    access_to(&a, filled('E', false));
    assert_true(!has(&a, 'D') && has(&a, 'A'));
    assert_int_equal(tally_of(&a).left_dead, 1);
    assert_int_equal(tally_of(&a).left_private, 1);
    assert_int_equal(tally_of(&a).left_shared, 1);
    free(a.memory);
    /* Used again, it is not dead any more: B is spared next, and then A goes. */
    a = four_lines(NULL);
    access_to(&a, filled('F', false));
    assert_true(access_to(&a, filled('D', false)));
    access_to(&a, filled('E', false));
    assert_true(has(&a, 'D') && has(&a, 'B') && !has(&a, 'A'));
    assert_int_equal(tally_of(&a).left_dead, 0);
    free(a.memory);
}

/* Never spared it is lru; always spared, private lines go when there is nothing else. */
static void it_is_spared_as_often_as_one_likes(void **state)
{
    (void)state;
    static const ws_given never[] = {{"spare", 0, NULL}, {NULL, 0, NULL}},
                          always[] = {{"spare", 255, NULL}, {NULL, 0, NULL}};
    array a = four_lines(never);
    access_to(&a, filled('F', false));
    assert_true(!has(&a, 'D') && has(&a, 'C'));
    free(a.memory);
    a = four_lines(always);
    access_to(&a, filled('F', false));
    access_to(&a, filled('G', false));
    assert_true(has(&a, 'D') && has(&a, 'B') && !has(&a, 'A') && !has(&a, 'C'));
    access_to(&a, filled('H', false));
    assert_true(!has(&a, 'D') && has(&a, 'B'));
    assert_int_equal(tally_of(&a).left_dead, 0);
    free(a.memory);
}

/* What is shared drives out nothing private that is not dead, with `fill` 1 nothing private at all, and with `fill` 0
 * it is not kept. */
static void what_is_shared_gives_way(void **state)
{
    (void)state;
    static const ws_given never[] = {{"fill", 0, NULL}, {NULL, 0, NULL}},
                          shared_only[] = {{"fill", 1, NULL}, {NULL, 0, NULL}};
    for (unsigned round = 0; round < 2;
         round++) { /* a set of private lines alone, no longer used, is not closed for ever */
        array full = make_array("sharing-l1", round ? shared_only : NULL, 1, 2);
        access_to(&full, filled(1, false));
        access_to(&full, filled(2, false));
        access_to(&full, filled(3, true));
        assert_true(!has(&full, 3) && has(&full, 1)); /* 1 is spared */
        access_to(&full, filled(3, true));
        assert_int_equal(has(&full, 3), !round);
        assert_int_equal(tally_of(&full).left_dead, !round);
        assert_true(has(&full, 2) && tally_of(&full).broken == 0);
        free(full.memory);
    }
    array a = make_array("sharing-l1", shared_only, 1, 2);
    access_to(&a, filled(1, true));
    assert_true(has(&a, 1));
    access_to(&a, filled(2, false));
    access_to(&a, filled(3, true));
    assert_true(!has(&a, 1) && has(&a, 2) && has(&a, 3));
    access_to(&a, filled(4, false));
    assert_true(has(&a, 2) && has(&a, 4)); /* 2 was spared */
    access_to(&a, filled(5, true));
    assert_true(!has(&a, 5) && has(&a, 2) && has(&a, 4));
    ws_cache_use local = filled(6, true);
    local.who.local = true; /* private, whatever is said */
    access_to(&a, local);
    assert_true(has(&a, 6) && !has(&a, 2));
    free(a.memory);
    a = make_array("sharing-l1", never, 1, 2);
    access_to(&a, filled(1, true));
    assert_false(has(&a, 1));
    access_to(&a, filled(2, false));
    assert_true(has(&a, 2));
    free(a.memory);
}

/* The study's example of replication: A of one SM, B of four take 7 lines for 2 blocks; where L1s have nothing empty,
 * and B is found to be shared, only who came first has a copy. */
static void copies_of_what_is_shared(void **state)
{
    (void)state;
    for (unsigned sharing = 0; sharing < 2; sharing++) {
        array l1[4], l2 = make_array(sharing ? "sharing-l2" : "lru", NULL, 1, 16);
        for (uint16_t sm = 0; sm < 4; sm++) {
            l1[sm] = make_array(sharing ? "sharing-l1" : "lru", NULL, 1, 4);
            for (unsigned i = 0; i < 3 + (sm > 0); i++)
                load_through(&l1[sm], &l2, sm, 100u * (sm + 1u) + i, true);
        }
        load_through(&l1[0], &l2, 0, 'A', false);
        for (uint16_t sm = 0; sm < 4; sm++)
            load_through(&l1[sm], &l2, sm, 'B', false);
        unsigned copies = (unsigned)has(&l2, 'A') + has(&l2, 'B');
        for (uint16_t sm = 0; sm < 4; sm++) {
            copies += (unsigned)has(&l1[sm], 'A') + has(&l1[sm], 'B');
            free(l1[sm].memory);
        }
        assert_int_equal(copies, sharing ? 4 : 7);
        free(l2.memory);
    }
}

/* Of L2: private lines go first, local memory that misses gets no line when it is read, and none in the place of a
 * shared one when it is written. */
static void private_lines_go_first_from_l2(void **state)
{
    (void)state;
    array a = make_array("sharing-l2", NULL, 1, 3);
    for (uint64_t block = 1; block < 4; block++)
        access_to(&a, (ws_cache_use){.block = block, .mask = 1, .sm = 5});
    access_to(&a, (ws_cache_use){.block = 1, .mask = 1, .sm = 6}); /* shared, and the latest */
    access_to(&a, (ws_cache_use){.block = 2, .mask = 1, .sm = 5}); /* again, private */
    access_to(&a, (ws_cache_use){.block = 4, .mask = 1, .sm = 5});
    assert_true(!has(&a, 3) && has(&a, 1) && has(&a, 2));
    access_to(&a, (ws_cache_use){.block = 5, .mask = 1, .sm = 5});
    access_to(&a, (ws_cache_use){.block = 6, .mask = 1, .sm = 5});
    assert_true(has(&a, 1) && has(&a, 5) && has(&a, 6)); /* though 1 was used longest ago */
    access_to(&a, (ws_cache_use){.block = 7, .mask = 1, .sm = 5, .who.local = true});
    assert_false(has(&a, 7));
    access_to(&a, (ws_cache_use){.block = 7, .mask = 1, .sm = 5, .kind = WS_CACHE_STORE, .who.local = true});
    assert_true(has(&a, 7) && !has(&a, 5));
    access_to(&a, (ws_cache_use){
                      .block = 7, .mask = 1, .sm = 6, .who.local = true}); /* whoever has that memory now: private */
    access_to(&a, (ws_cache_use){.block = 6, .mask = 1, .sm = 7});
    access_to(&a, (ws_cache_use){.block = 8, .mask = 1, .sm = 7});
    assert_true(!has(&a, 7) && has(&a, 1) && has(&a, 6));
    access_to(&a, (ws_cache_use){.block = 8, .mask = 1, .sm = 8}); /* all are shared */
    access_to(&a, (ws_cache_use){.block = 9, .mask = 1, .sm = 5, .kind = WS_CACHE_STORE, .who.local = true});
    assert_true(!has(&a, 9) && has(&a, 1));
    access_to(&a, (ws_cache_use){.block = 10, .mask = 1, .sm = 5});
    assert_true(has(&a, 10) && !has(&a, 1));
    assert_int_equal(tally_of(&a).made_shared, 3);
    assert_int_equal(tally_of(&a).left_shared, 1);
    free(a.memory);
}

/* Two SMs in two halves of a line share it by lines, and not by 64 bytes. */
static void who_asked_is_known_by_units(void **state)
{
    (void)state;
    static const struct {
        uint64_t unit;
        uint32_t first, second;
        bool shared;
    } rows[] = {{0, 0xffff, 0xffff0000, true},   {128, 0xffff, 0xffff0000, true},    {64, 0xffff, 0xffff0000, false},
                {64, 0x1ffff, 0xffff0000, true}, {32, 0xff, 0xff00, false},          {64, 0xff, 0xff00, true},
                {32, 0xff, 0x100ff00, false},    {32, 0xff000000, 0x80000000, true}, {32, 0xff, 0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ws_given given[] = {{"unit", rows[i].unit, NULL}, {NULL, 0, NULL}};
        array a = make_array("sharing-l2", given, 1, 1);
        access_to(&a, (ws_cache_use){.block = 1, .mask = rows[i].first, .sm = 2});
        access_to(&a, (ws_cache_use){.block = 1, .mask = rows[i].second, .sm = 3});
        assert_int_equal(ws_cache_tell(&a.cache, a.memory, 0), rows[i].shared);
        assert_int_equal(tally_of(&a).made_shared, rows[i].shared);
        free(a.memory);
    }
}

/* ------------------------------------------------------------------------------------------------ models */

enum { SMS = 3, L1_WAYS = 4, L1_SETS = 2, L2_WAYS = 4, L2_SETS = 4, MODEL_WAYS = 4 };

typedef struct held {
    uint64_t block, used;
    uint16_t owner;
    bool there, shared, dead, local;
} held;

/* The least recently used of those of that kind; NULL: there are none. */
static held *oldest(held *set, unsigned ways, bool any, bool shared)
{
    held *best = NULL;
    for (unsigned way = 0; way < ways; way++)
        if (set[way].there && (any || set[way].shared == shared) && (!best || set[way].used < best->used))
            best = &set[way];
    return best;
}

static held *find(held *set, unsigned ways, uint64_t block)
{
    for (unsigned way = 0; way < ways; way++)
        if (set[way].there && set[way].block == block)
            return &set[way];
    return NULL;
}

static held *empty_one(held *set, unsigned ways)
{
    for (unsigned way = 0; way < ways; way++)
        if (!set[way].there)
            return &set[way];
    return NULL;
}

/* A fill of an L1, as sections 2.4.2 and 2.5.2 say. */
static void model_fill(held *set, uint64_t block, bool shared, uint64_t now)
{
    held *to = empty_one(set, L1_WAYS);
    held *const p = oldest(set, L1_WAYS, true, false);
    if (!to && (p->shared || p->dead)) {
        to = p;
    } else if (!to) {
        held *const q = oldest(set, L1_WAYS, false, true);
        to = q ? q : p;
        p->dead = q || shared;
        if (shared && !q)
            return; /* P1 */
    }
    *to = (held){.block = block, .used = now, .there = true, .shared = shared};
}

/* A load of L2: what it tells. */
static bool model_l2(held *set, uint64_t block, uint16_t sm, bool local, uint64_t now)
{
    held *l = find(set, L2_WAYS, block);
    if (l) {
        l->used = now;
        l->shared |= !l->local && l->owner != sm;
        return l->shared;
    }
    if (local)
        return false;
    l = empty_one(set, L2_WAYS);
    if (!l)
        l = oldest(set, L2_WAYS, false, false);
    if (!l)
        l = oldest(set, L2_WAYS, true, false);
    *l = (held){.block = block, .used = now, .owner = sm, .there = true, .local = local};
    return false;
}

/* Three SMs load at random, each some blocks of its own, some of all, some of local memory; L1s and L2 hold what the
 * models do. */
static void loads_go_as_in_the_model(void **state)
{
    (void)state;
    held m1[SMS][L1_SETS][MODEL_WAYS] = {0}, m2[L2_SETS][MODEL_WAYS] = {0};
    array l1[SMS], l2 = make_array("sharing-l2", NULL, L2_SETS, L2_WAYS);
    for (unsigned sm = 0; sm < SMS; sm++)
        l1[sm] = make_array("sharing-l1", NULL, L1_SETS, L1_WAYS);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned hits = 0, dead = 0;
    for (uint64_t now = 1; now < 20000; now++) {
        const uint16_t sm = (uint16_t)gsl_rng_uniform_int(rng, SMS);
        const unsigned long what = gsl_rng_uniform_int(rng, 8);
        const bool local = what == 0, own = what < 4;
        const uint64_t block = local ? 1000 + 10 * (uint64_t)sm + gsl_rng_uniform_int(rng, 4)
                                     : (own ? 100 * (sm + 1u) : 0) + gsl_rng_uniform_int(rng, own ? 8 : 12);
        held *const set = m1[sm][block % L1_SETS], *const there = find(set, L1_WAYS, block);
        if (there &&
            gsl_rng_uniform_int(rng, 2)) { /* a store gives the copy up: else nothing shared would ever come again */
            *there = (held){0};
            ws_cache_drop(&l1[sm].cache, l1[sm].memory, ws_cache_find(&l1[sm].cache, l1[sm].memory, block),
                          (ws_cache_end){0});
            continue;
        }
        hits += there != NULL;
        if (there) {
            there->used = now;
            there->dead = false;
        } else {
            model_fill(set, block, model_l2(m2[block % L2_SETS], block, sm, local, now) && !local, now);
        }
        assert_int_equal(load_through(&l1[sm], &l2, sm, block, local), there != NULL);
        for (unsigned way = 0; way < L1_WAYS; way++)
            assert_true(!set[way].there || has(&l1[sm], set[way].block));
        for (unsigned way = 0; way < L2_WAYS; way++)
            assert_true(!m2[block % L2_SETS][way].there || has(&l2, m2[block % L2_SETS][way].block));
    }
    for (unsigned sm = 0; sm < SMS; sm++) {
        dead += (unsigned)tally_of(&l1[sm]).left_dead;
        assert_int_equal(tally_of(&l1[sm]).broken, 0);
        free(l1[sm].memory);
    }
    assert_true(hits > 1000);
    assert_in_range(dead, 20, 20000);
    assert_in_range(tally_of(&l2).made_shared, 10, 20000);
    assert_int_equal(tally_of(&l2).broken, 0);
    free(l2.memory);
    gsl_rng_free(rng);
}

/* With one SM nothing is shared: both levels are lru, for stores and loads of global memory. */
static void one_sm_has_nothing_to_share(void **state)
{
    (void)state;
    array pair[2][2] = {{make_array("sharing-l1", NULL, 4, 4), make_array("sharing-l2", NULL, 8, 4)},
                        {make_array("lru", NULL, 4, 4), make_array("lru", NULL, 8, 4)}};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned i = 0; i < 5000; i++) {
        const uint64_t block = gsl_rng_uniform_int(rng, 50);
        assert_int_equal(load_through(&pair[0][0], &pair[0][1], 7, block, false),
                         load_through(&pair[1][0], &pair[1][1], 7, block, false));
    }
    for (uint64_t block = 0; block < 50; block++)
        for (unsigned level = 0; level < 2; level++)
            assert_int_equal(has(&pair[0][level], block), has(&pair[1][level], block));
    for (unsigned level = 0; level < 2; level++) {
        assert_int_equal(tally_of(&pair[0][level]).left_shared, 0);
        free(pair[0][level].memory);
        free(pair[1][level].memory);
    }
    gsl_rng_free(rng);
}

/* Periods of four loads, of which more than half have to miss; then three periods off, then one on. */
static void a_cache_turns_off(void **state)
{
    (void)state;
    static const ws_given given[] = {{"period", 4, NULL}, {"threshold", 50, NULL}, {"probe", 3, NULL}, {NULL, 0, NULL}};
    array a = make_array("streaming", given, 1, 8);
    uint64_t block = 100;
    for (unsigned i = 0; i < 4; i++) { /* two of four miss: not more than half */
        access_to(&a, (ws_cache_use){.block = i / 2});
        access_to(&a, (ws_cache_use){.block = 99, .kind = WS_CACHE_STORE}); /* does not count */
    }
    access_to(&a, (ws_cache_use){.block = ++block});
    assert_true(has(&a, block));
    for (unsigned i = 0; i < 2; i++)
        access_to(&a, (ws_cache_use){.block = ++block});
    for (unsigned round = 0; round < 3; round++) {
        access_to(&a,
                  (ws_cache_use){
                      .block = ++block}); /* ends a period of misses; the first time it is kept, too late to count */
        assert_int_equal(tally_of(&a).off, 12 * round);
        for (unsigned i = 0; i < 12; i++) {
            access_to(&a, (ws_cache_use){.block = ++block});
            assert_int_equal(has(&a, block), i == 11); /* the load that ends the last of them finds it on */
        }
        for (unsigned i = 0; i < 3; i++) {
            access_to(&a, (ws_cache_use){.block = ++block});
            assert_true(has(&a, block));
        }
    }
    /* What it has does not serve while it is off: the line that is asked for is left. A period that hits leaves it on.
     */
    access_to(&a, (ws_cache_use){.block = ++block});
    assert_true(has(&a, block - 1));
    assert_false(access_to(&a, (ws_cache_use){.block = block - 1}));
    assert_false(has(&a, block - 1));
    for (unsigned i = 0; i < 11; i++)
        assert_false(access_to(&a, (ws_cache_use){.block = block - 1}));
    assert_true(has(&a, block - 1)); /* the last one found it on */
    for (unsigned i = 0; i < 4; i++)
        assert_true(access_to(&a, (ws_cache_use){.block = block - 1}));
    access_to(&a, (ws_cache_use){.block = ++block});
    assert_true(has(&a, block));
    free(a.memory);
}

/* ------------------------------------------------------------------------------------------------ machines */

static void sharing_machine(ws_machine *m, uint32_t sms, bool sharing)
{
    script_machine(m, "none");
    m->chip_sms = sms;
    m->l1_sets = 2;
    m->l1_ways = 2;
    m->l2_sets = 8;
    m->l2_ways = 2;
    m->memory_channels = 1;
    m->l2_slices = 1;
    machine_word(m, l1_allocate, "fill");
    machine_word(m, l1_replacement, sharing ? "sharing-l1" : "lru");
    machine_word(m, l2_replacement, sharing ? "sharing-l2" : "lru");
}

/* On one SM caches that know who shares do cycle for cycle what lru does. */
static void a_machine_of_one_sm_is_as_with_lru(void **state)
{
    (void)state;
    ws_sim_sums sums[2];
    for (unsigned sharing = 0; sharing < 2; sharing++) {
        ws_machine m;
        sharing_machine(&m, 1, sharing);
        script *const s = script_make(6, 128);
        for (uint32_t i = 0; i < 6 * 4 * 40; i++) {
            step *const p = script_add(s, i % 6, i / 6 % 4,
                                       i % 5   ? LOAD
                                       : i % 3 ? STORE
                                               : ATOMIC,
                                       (uint64_t)(i * i % 37) * LINE);
            p->stride = i % 7 || i % 5 == 0 ? 4 : 64;
        }
        sums[sharing] = script_sums(&m, s);
    }
    assert_true(sums[1].l1.left_private > 0 && sums[1].l2.left_private > 0);
    assert_int_equal(sums[1].l1.bypassed + sums[1].l2.bypassed + sums[1].l2.made_shared + sums[1].l1.left_shared, 0);
    sums[1].l1.left_private = sums[1].l2.left_private = 0;
    assert_memory_equal(&sums[0], &sums[1], offsetof(ws_sim_sums, greatest_timestamp));
}

/* Two SMs ask for a line that none has: the read under way knows of both, and the answer to both says so. */
static void a_read_under_way_knows_who_shares(void **state)
{
    (void)state;
    for (unsigned sms = 1; sms <= 2; sms++) {
        ws_machine m;
        sharing_machine(&m, 2, true);
        m.l1_sets = m.l1_ways = 1;
        script *const s = script_make(sms, 32);
        for (uint32_t block = 0; block < sms; block++) {
            script_add(s, block, 0, LOAD, 0);
            script_add(s, block, 0, USE, 0);
            script_add(s, block, 0, LOAD, (uint64_t)(block + 1) * LINE); /* private: drives out what is there */
        }
        const ws_sim_sums d = script_sums(&m, s);
        assert_int_equal(d.l2.misses, 1 + sms);
        assert_int_equal(d.l2.merged, sms - 1);
        assert_int_equal(d.l2.made_shared, sms - 1);
        assert_int_equal(d.l1.left_shared, sms == 2 ? 2 : 0);
        assert_int_equal(d.l1.left_private, sms == 2 ? 0 : 1);
    }
}

/* What an L1 full of private lines gets of a shared line it does not keep, and asks for each time. */
static void shared_lines_stay_in_l2(void **state)
{
    (void)state;
    for (unsigned sharing = 0; sharing < 2; sharing++) {
        ws_machine m;
        sharing_machine(&m, 2, sharing);
        m.l1_sets = 1;
        script *const s = script_make(2, 32);
        for (uint32_t block = 0; block < 2; block++) {
            for (unsigned i = 0; i < 2; i++)
                script_add(s, block, 0, LOAD, (uint64_t)(1 + 2 * block + i) * LINE);
            script_add(s, block, 0, USE, 0);
            for (unsigned i = 0; i < 3; i++) {
                script_add(s, block, 0, LOAD, 0);
                script_add(s, block, 0, USE, 0);
            }
            for (unsigned i = 0; i < 2; i++)
                script_add(s, block, 0, LOAD, (uint64_t)(1 + 2 * block + i) * LINE);
        }
        const ws_sim_sums d = script_sums(&m, s);
        assert_int_equal(d.l1.bypassed, sharing ? 2 : 0); /* the first time; the second time a private line is dead */
        assert_int_equal(d.l1.hits, 4);                   /* the shared line, and of the private ones the other one */
        assert_int_equal(d.l1.evictions, sharing ? 4 : 6);
    }
}

/* Local memory that is read goes past L2, each time that the L1 lost it. */
static void local_memory_goes_past_l2(void **state)
{
    (void)state;
    for (unsigned sharing = 0; sharing < 2; sharing++) {
        ws_machine m;
        sharing_machine(&m, 1, sharing);
        m.l1_sets = m.l1_ways = 1;
        script *const s = script_make(1, 32);
        for (unsigned i = 0; i < 6; i++) {
            script_add(s, 0, 0, LOCAL_LOAD, i % 2 ? 0 : 64)->stride = 0;
            script_add(s, 0, 0, USE, 0);
        }
        const ws_sim_sums d = script_sums(&m, s);
        assert_int_equal(d.l1.misses, 6);
        assert_int_equal(d.l2.bypassed, sharing ? 6 : 0);
        assert_int_equal(d.l2.misses, sharing ? 6 : 2);
        assert_int_equal(d.l1.evictions, 5);
    }
}

/* Caches that are turned off: memory serves each load, and words that L2 alone has are written when they are asked for.
 */
static void caches_that_are_off_serve_nothing(void **state)
{
    (void)state;
    for (unsigned off = 0; off < 2; off++) {
        static ws_given given[] = {
            {.name = "period", .value = 4}, {.name = "threshold", .value = 0}, {.name = "probe", .value = 1000}};
        ws_machine m;
        sharing_machine(&m, 1, false);
        machine_word(&m, l1_replacement, off ? "streaming" : "lru");
        machine_word(&m, l2_replacement, off ? "streaming" : "lru");
        if (off)
            m.l1 = m.l2 = (ws_machine_options){.list = given, .count = 3};
        script *const s = script_make(1, 32);
        script_add(s, 0, 0, STORE, 9 * LINE);
        for (unsigned i = 0; i < 4 + 6; i++) {
            script_add(s, 0, 0, LOAD, i < 4 ? i * LINE : 3 * LINE);
            script_add(s, 0, 0, USE, 0);
        }
        script_add(s, 0, 0, LOAD, 9 * LINE);
        script_add(s, 0, 0, USE, 0);
        const ws_sim_sums d = script_sums(&m, s);
        assert_int_equal(d.l1.hits, off ? 0 : 6);
        assert_int_equal(d.l1.off, off ? 7 : 0);
        assert_int_equal(d.l2.off, off ? 7 : 0);
        assert_int_equal(d.l2.misses, 1 + (off ? 11 : 4));
        assert_int_equal(d.memory.reads, (off ? 10 : 4) * 2); /* bursts; line 9 is still with the writes */
        assert_int_equal(d.l2.writebacks, off);
    }
}

/* ------------------------------------------------------------------------------------------------ what is refused */

static void parse_and_fail(const char *text, const char *expected)
{
    ws_machine *m = NULL;
    const int rc = ws_machine_parse("data", "f", text, strlen(text), &m);
    if (rc != WS_EINPUT || !strstr(ws_message(), expected))
        fail_msg("%s: %s", text, rc ? ws_message() : "taken");
    ws_machine_destroy(m);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"[l1]\nreplacement = sharing-l2\n", "l1.replacement = sharing-l2: it is for an L2"},
        {"[l2]\nreplacement = sharing-l1\n", "l2.replacement = sharing-l1: it is for an L1"},
        {"[l3]\nreplacement = sharing-l1\n", "l3.replacement = sharing-l1: it is for an L1"},
        {"[l1]\nreplacement = sharing-l1\nallocate = fill\n",
         "l2.replacement = lru has none; expected l2.replacement = sharing-l2"},
        {"[l1]\nreplacement = sharing-l1\n[l2]\nreplacement = sharing-l2\n", "expected l1.allocate = fill"},
        {"[l2]\nreplacement = sharing-l2\nunit = 48 bytes\n", "unit is 48"},
        {"[l2]\nreplacement = sharing-l2\nunit = 256 bytes\n", "unit = 256"},
        {"[l2]\nfill = 0\nreplacement = sharing-l2\n", "fill"},
        {"[l1]\nline = 64 bytes\nsector = 64 bytes\n[texture]\nline = 64 bytes\n[l2]\nline = 64 bytes\nsector = 64 "
         "bytes\nstripe = 64 bytes\nreplacement = sharing-l2\nunit = 128 bytes\n",
         "unit is 128, more than a line of 64 bytes"},
        {"[l1]\nreplacement = sharing-l1\nallocate = fill\nbypass = 32 bytes\n[l2]\nreplacement = sharing-l2\n",
         "l1.bypass"},
        {"[l2]\nreplacement = streaming\nperiod = 0 loads\n", "period = 0"},
        {"[l2]\nreplacement = streaming\nthreshold = 101 percent\n", "threshold = 101"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text, "[coherence]\nprotocol = none\n%s", rows[i][0]);
        parse_and_fail(text, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_private_line_is_spared_once),
        cmocka_unit_test(it_is_spared_as_often_as_one_likes),
        cmocka_unit_test(what_is_shared_gives_way),
        cmocka_unit_test(copies_of_what_is_shared),
        cmocka_unit_test(private_lines_go_first_from_l2),
        cmocka_unit_test(who_asked_is_known_by_units),
        cmocka_unit_test(loads_go_as_in_the_model),
        cmocka_unit_test(one_sm_has_nothing_to_share),
        cmocka_unit_test(a_cache_turns_off),
        cmocka_unit_test(a_machine_of_one_sm_is_as_with_lru),
        cmocka_unit_test(a_read_under_way_knows_who_shares),
        cmocka_unit_test(shared_lines_stay_in_l2),
        cmocka_unit_test(local_memory_goes_past_l2),
        cmocka_unit_test(caches_that_are_off_serve_nothing),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
