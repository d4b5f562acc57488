/* test_cta_groups.c - CTA schedulers on a chip whose CTAs take known times: who gets what, and what neighbours share.
 *
 * Examples of Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018,
 * chapter 2. */
#include "tests/unit/close.h"

#include "base/status.h"
#include "model/placement/cta_scheduler.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SMS = 64, CTAS = 8192, PLACES = 8 };

/* A launch: what stands in it, and what came of it. */
typedef struct chip {
    uint32_t grid[3], sms, places;
    uint64_t option[4];
    uint64_t cost[CTAS]; /* time of a CTA */
    uint32_t sm_of[CTAS];
    uint64_t order[CTAS], starts, first_wave, busy[SMS], makespan;
} chip;

typedef struct slot {
    uint64_t cta, ends;
} slot;

static slot (*slots_of(void))[PLACES]
{
    static slot slots[SMS][PLACES];
    return slots;
}

static uint64_t resident(const void *of, uint32_t sm, uint32_t index)
{
    const chip *const c = of;
    slot(*const at)[PLACES] = slots_of();
    for (uint32_t i = 0; i < c->places; i++)
        if (at[sm][i].ends && !index--)
            return at[sm][i].cta;
    return WS_NO_CTA;
}

static void place(chip *c, ws_cta_choice choice, ws_cta_sm *about, uint64_t now)
{
    slot(*const at)[PLACES] = slots_of();
    uint32_t i = 0;
    while (at[choice.sm][i].ends)
        i++;
    assert_true(i < c->places && about[choice.sm].room);
    at[choice.sm][i] = (slot){choice.cta, now + c->cost[choice.cta]};
    about[choice.sm].room--;
    about[choice.sm].ctas++;
    about[choice.sm].warps++;
    c->sm_of[choice.cta] = choice.sm;
    c->busy[choice.sm] += c->cost[choice.cta];
    c->order[c->starts++] = choice.cta;
    c->first_wave += !now;
}

/* Ends what ends first; returns the time. */
static uint64_t step(chip *c, ws_cta_sm *about)
{
    slot(*const at)[PLACES] = slots_of();
    uint64_t now = UINT64_MAX;
    for (uint32_t sm = 0; sm < c->sms; sm++)
        for (uint32_t i = 0; i < c->places; i++)
            now = at[sm][i].ends && at[sm][i].ends < now ? at[sm][i].ends : now;
    assert_true(now != UINT64_MAX); /* else the policy waits for nothing */
    for (uint32_t sm = 0; sm < c->sms; sm++)
        for (uint32_t i = 0; i < c->places; i++)
            if (at[sm][i].ends == now) {
                at[sm][i] = (slot){0};
                about[sm].room++;
                about[sm].ctas--;
                about[sm].warps--;
            }
    return now;
}

static bool any_left(const chip *c)
{
    for (uint32_t sm = 0; sm < c->sms; sm++)
        for (uint32_t i = 0; i < c->places; i++)
            if (slots_of()[sm][i].ends)
                return true;
    return false;
}

static void run(chip *c, const char *name)
{
    const ws_cta_scheduler_ops *const ops = ws_cta_scheduler_find(name);
    ws_cta_sm about[SMS] = {{0}};
    ws_cta_set left = {0};
    uint64_t now = 0;
    assert_non_null(ops);
    assert_int_equal(ws_cta_set_fill(&left, (uint64_t)c->grid[0] * c->grid[1] * c->grid[2]), WS_OK);
    assert_true(left.left <= CTAS && c->sms <= SMS && c->places <= PLACES);
    for (uint32_t i = 0; i < c->sms; i++)
        about[i].room = c->places;
    memset(slots_of(), 0, SMS * sizeof *slots_of());
    memset(c->busy, 0, sizeof c->busy);
    c->starts = c->first_wave = c->makespan = 0;
    ws_cta_scheduler s = {.state = calloc(1, ops->state_size(c->sms) + 1),
                          .values = c->option,
                          .view = {.grid = c->grid,
                                   .ctas = left.left,
                                   .left = &left,
                                   .sm = about,
                                   .sms = c->sms,
                                   .chips = 1,
                                   .of = c,
                                   .resident = resident}};
    assert_non_null(s.state);
    while (left.left || any_left(c)) {
        ws_cta_choice choice;
        while (left.left && ops->choose(&s, &choice)) {
            assert_int_equal(ws_cta_set_take(&left, choice.cta), WS_OK);
            place(c, choice, about, now);
        }
        if (any_left(c))
            c->makespan = now = step(c, about);
    }
    free(s.state);
    ws_cta_set_fini(&left);
}

static chip *new_chip(uint32_t x, uint32_t y, uint32_t sms, uint32_t places)
{
    static chip c;
    c = (chip){.grid = {x, y, 1}, .sms = sms, .places = places};
    for (unsigned i = 0; i < CTAS; i++)
        c.cost[i] = 100;
    return &c;
}

static void chunks(chip *c, uint64_t chunk, uint64_t balance, uint64_t cap)
{
    c->option[0] = chunk;
    c->option[1] = balance;
    c->option[2] = cap;
    run(c, "chunked");
}

/* ------------------------------------------------------------------------------------------------ the cases */

static void round_robin_goes_to_who_ends_first(void **state)
{
    (void)state;
    chip *const c = new_chip(7, 1, 3, 2);
    c->cost[4] = 10; /* of SM 1 */
    run(c, "round-robin");
    static const uint32_t sm[] = {0, 1, 2, 0, 1, 2, 1};
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(c->sm_of[i], sm[i]);
}

/* 17 equal groups on 16 SMs take the time of two; 15 SMs idle half of it. Adaptively they do not. */
static void groups_are_uneven(void **state)
{
    (void)state;
    chip *const c = new_chip(8, 17, 16, 1);
    chunks(c, 0, 0, 0);
    assert_int_equal(c->makespan, 2 * 8 * 100);
    unsigned twice = 0;
    for (unsigned sm = 0; sm < 16; sm++)
        twice += c->busy[sm] == 2 * 8 * 100;
    assert_int_equal(twice, 1);
    assert_close(17 * 8 * 100.0 / (16.0 * (double)c->makespan), 17.0 / 32, 1e-12);
    chunks(c, 0, 1, 0); /* the last CTAs go one by one: no SM has more than one beyond its share */
    assert_int_equal(c->makespan, 9 * 100);
    for (unsigned i = 0; i < 2 * 8; i++) /* groups that were given before that stay whole */
        assert_int_equal(c->sm_of[i], i / 8);
}

/* Each SM has one group before one has two, also where an SM holds several: of 17 groups SM 0 gets the last one. */
static void groups_go_in_turn(void **state)
{
    (void)state;
    chip *const c = new_chip(3, 17, 16, 8);
    chunks(c, 0, 0, 0);
    for (unsigned i = 0; i < 17 * 3; i++)
        assert_int_equal(c->sm_of[i], i / 3 % 16);
}

/* A grid of one row is one group. */
static void one_row(void **state)
{
    (void)state;
    chip *const c = new_chip(32, 1, 4, 2);
    chunks(c, 0, 0, 0);
    assert_int_equal(c->busy[0], 32 * 100); /* literally: all on one SM */
    chunks(c, 0, 0, 1);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(c->sm_of[i], i / 8);
    chunks(c, 0, 1, 1); /* one group is fewer than SMs: in turn */
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(c->sm_of[i], i % 4);
    /* Where there are rows, only `cap` 2 shortens groups; a number that is given counts. */
    new_chip(16, 2, 8, 2);
    chunks(c, 0, 0, 1);
    assert_int_equal(c->busy[0], 16 * 100);
    chunks(c, 0, 0, 2);
    assert_int_equal(c->busy[0], 4 * 100);
}

/* The last group is smaller; it is handed out as any. */
static void a_rest_group(void **state)
{
    (void)state;
    chip *const c = new_chip(19, 1, 4, 1);
    chunks(c, 8, 0, 1);
    for (unsigned i = 0; i < 19; i++)
        assert_int_equal(c->sm_of[i], i / 8);
    assert_int_equal(c->busy[2], 3 * 100);
}

static void bcs_waits_for_two(void **state)
{
    (void)state;
    /* Three places an SM: at first three CTAs each. CTA 1 ends early: SM 0 waits for a second place. */
    chip *const c = new_chip(13, 1, 3, 3);
    c->option[0] = 2;
    c->cost[1] = 10;
    c->cost[4] = 20;
    c->cost[5] = 30;
    c->cost[0] = 50;
    run(c, "bcs");
    static const uint32_t sm[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 1, 1, 0, 0};
    for (unsigned i = 0; i < 13; i++)
        assert_int_equal(c->sm_of[i], sm[i]);
    /* One place only: one by one. A single CTA that is left goes to any place. */
    new_chip(5, 1, 2, 1);
    c->option[0] = 2;
    c->cost[1] = 10;
    run(c, "bcs");
    static const uint32_t single[] = {0, 1, 1, 0, 1};
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(c->sm_of[i], single[i]);
    new_chip(7, 1, 2, 3);
    c->option[0] = 2;
    c->cost[2] = 10;
    run(c, "bcs");
    assert_int_equal(c->sm_of[6], 0);
}

/* Whatever the policy, times and room: each CTA runs once. */
static void everything_runs(void **state)
{
    (void)state;
    const ws_cta_scheduler_ops *o;
    for (size_t row = 0; (o = ws_cta_scheduler_at(row)); row++)
        for (unsigned seed = 0; seed < 60; seed++) {
            chip *const c = new_chip(1 + seed * 7 % 23, 1 + seed % 5, 1 + seed % 7, 1 + seed % 4);
            uint64_t random = seed + 1, ctas = (uint64_t)c->grid[0] * c->grid[1];
            for (unsigned i = 0; i < CTAS; i++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                c->cost[i] = 1 + (random >> 60);
            }
            for (size_t i = 0; i < ws_option_count(o->options); i++)
                c->option[i] = (uint64_t)(seed % 3 ? o->options[i].fallback : o->options[i].least);
            run(c, o->name);
            assert_int_equal(c->starts, ctas);
            const uint64_t fit = (uint64_t)c->sms * c->places;
            if (strcmp(o->name, "chunked") != 0) /* which may keep SMs without a chunk */
                assert_int_equal(c->first_wave, ctas < fit ? ctas : fit);
        }
}

/* SMs that use data which CTAs first .. first + k - 1 share. */
static unsigned sharers(const chip *c, unsigned first, unsigned k)
{
    uint64_t mask = 0;
    for (unsigned i = first; i < first + k; i++)
        mask |= (uint64_t)1 << c->sm_of[i];
    return (unsigned)__builtin_popcountll(mask);
}

static double mean_sharers(const chip *c, unsigned ctas, unsigned k)
{
    uint64_t sum = 0;
    for (unsigned first = 0; first + k <= ctas; first++)
        sum += sharers(c, first, k);
    return (double)sum / (ctas - k + 1);
}

/* Data of k consecutive CTAs anywhere: k SMs in turn, 1 + (k - 1) / N with groups of N. */
static void runs_of_k(void **state)
{
    (void)state;
    static const unsigned group[] = {8, 16}, run_of[] = {2, 3, 5, 8};
    for (unsigned i = 0; i < 4; i++) {
        const unsigned k = run_of[i];
        chip *c = new_chip(CTAS, 1, 15, 2);
        run(c, "round-robin");
        assert_close(mean_sharers(c, CTAS, k), k, 0.02 * k);
        for (unsigned g = 0; g < 2; g++) {
            c = new_chip(CTAS, 1, 15, 2);
            chunks(c, group[g], 0, 1);
            const double expected = 1 + (k - 1.0) / group[g];
            assert_close(mean_sharers(c, CTAS, k), expected, 0.02 * expected);
        }
    }
}

/* Rows of a grid that share data: rows on one SM have fewer sharers than in turn. */
static void rows_share(void **state)
{
    (void)state;
    for (uint32_t x = 2; x < 40; x += 3) {
        chip *c = new_chip(x, 64, 15, 2);
        run(c, "round-robin");
        double in_turn = 0, together = 0, adapted = 0;
        for (uint32_t y = 0; y < 64; y++)
            in_turn += sharers(c, y * x, x);
        chunks(c, 0, 0, 1);
        for (uint32_t y = 0; y < 64; y++)
            together += sharers(c, y * x, x);
        chunks(c, 0, 1, 1);
        for (uint32_t y = 0; y < 64; y++)
            adapted += sharers(c, y * x, x);
        assert_true(together == 64 && together <= adapted && adapted <= in_turn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_goes_to_who_ends_first),
        cmocka_unit_test(groups_are_uneven),
        cmocka_unit_test(groups_go_in_turn),
        cmocka_unit_test(one_row),
        cmocka_unit_test(a_rest_group),
        cmocka_unit_test(bcs_waits_for_two),
        cmocka_unit_test(everything_runs),
        cmocka_unit_test(runs_of_k),
        cmocka_unit_test(rows_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
