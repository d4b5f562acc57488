/* test_sim_told.c - counts of caches, loads and blocks in any run of the cycle simulator: sums come out, counting
 * changes nothing, and counts are the same however the machine is run. */
#include "sim_random.h"
#include "tests/unit/machine_word.h"

#include "model/load_class.h"

/* What caches that know who shares promise of every run: each line that was given up for another is of one kind, and P1
 * and P2 hold. */
static void check_tallies(const ws_machine *m, const ws_sim_sums *d)
{
    assert_int_equal(d->l1.broken + d->l2.broken, 0);
    if (ws_machine_plain_l1(m)->tallies & WS_CACHE_TALLY_LEFT)
        assert_int_equal(d->l1.left_private + d->l1.left_shared, d->l1.evictions);
    if (ws_machine_plain_l2(m)->tallies & WS_CACHE_TALLY_LEFT)
        assert_int_equal(d->l2.left_private + d->l2.left_shared, d->l2.evictions);
    assert_true(d->l1.left_dead <= d->l1.left_private);
    assert_true(d->l1.off <= d->l1.loads && d->l2.off <= d->l2.loads);
}

/* Caches that know who shares, and caches that turn off, under every CTA scheduler and with options at random: the same
 * with every cycle executed, on threads, and after a checkpoint. */
static void test_sharing_caches(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"sharing-l1", "sharing-l2"}, {"streaming", "streaming"}, {"lru", "sharing-l2"}, {"streaming", "sharing-l2"}};
    const ws_sim_options stepped = {.every_cycle = true}, threads = {.workers = 2};
    uint64_t bypassed = 0, shared = 0, dead = 0, off = 0;
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    const unsigned apart = thrift > 1 ? PAIRS : 1; /* --more: each scheduler with all pairs */
    for (unsigned row = 0; ws_cta_scheduler_at(row); row++)
        for (unsigned i = row % apart; i < PAIRS; i += apart) {
            ws_machine m;
            const unsigned seed = 4 * row + i;
            static ws_given short_periods[] = {{.name = "period", .value = 16},
                                               {.name = "threshold", .value = 40},
                                               {.name = "probe", .value = 2}},
                            units[] = {{.name = "unit", .value = 32}};
            random_machine(&m, "none", seed);
            m.port_cycles = 16;
            m.chip_cta_scheduler = ws_cta_scheduler_at(row);
            machine_word(&m, l1_replacement, pairs[i][0]);
            machine_word(&m, l2_replacement, pairs[i][1]);
            suit_the_l1(&m);
            random_options(&m, seed);
            if (!strcmp(pairs[i][1], "streaming"))
                m.l2 = (ws_machine_options){.list = short_periods, .count = 3};
            else if (row % 2)
                m.l2 = (ws_machine_options){.list = units, .count = 1};
            random_knowledge(&m, seed);
            const ws_sim_sums once = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
            check_tallies(&m, &once);
            ws_sim_sums other = run_whole(&m, &stepped, random_script(seed, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            other = run_whole(&m, &threads, random_script(seed, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            bool done;
            other = run_in_two(&m, seed, 1 + once.cycles / 2, &done);
            compare(&once, &other);
            bypassed += once.l1.bypassed + once.l2.bypassed;
            shared += once.l1.left_shared + once.l2.left_shared + once.l2.made_shared;
            dead += once.l1.left_dead;
            off += once.l1.off + once.l2.off;
        }
    assert_true(bypassed && shared && dead && off);
}

/* The loads of plain L1s, told apart: nothing is counted twice or not at all, whatever is remembered; and it changes
 * nothing. */
static void check_loads(const ws_sim_sums *d)
{
    const ws_cache_counts *const c = &d->l1;
    const ws_sm_counts *const s = &d->sm;
    assert_int_equal(c->loads, c->load_hits + c->load_merged + c->cold + c->intra + c->inter + c->passed);
    assert_true(c->load_hits <= c->hits && c->load_merged <= c->merged && c->cold + c->intra + c->inter <= c->misses);
    assert_true(c->bypassed <= c->cold + c->intra + c->inter && c->lines_dead <= c->lines_left &&
                c->evictions <= c->lines_left);
    const uint64_t coherent = s->coherent_0 + s->coherent_1 + s->coherent_2;
    const uint64_t divergent = s->divergent_0 + s->divergent_1 + s->divergent_2 + s->divergent_3_31 + s->divergent_32;
    assert_true(coherent + divergent > 0 && coherent + divergent <= s->loads);
    const uint64_t fewest = s->coherent_1 + 2 * s->coherent_2 + s->divergent_1 + 2 * s->divergent_2 +
                            3 * s->divergent_3_31 + 32 * s->divergent_32;
    assert_true(fewest <= s->load_touches);
    assert_true(s->coherent_partial <= s->coherent_1);
    assert_true(s->divergent_1 + s->divergent_2 <= s->divergent_partial &&
                s->divergent_partial <= divergent - s->divergent_0);
}

static void test_loads_are_told_apart(void **state)
{
    (void)state;
    const ws_sim_options stepped = {.every_cycle = true};
    unsigned seen[WS_MISS_CLASSES] = {0}, bypassed = 0;
    for (unsigned row = 0; ws_cache_replacement_at(row); row++)
        for (unsigned seed = row; seed < row + draws(4); seed++) {
            ws_machine m;
            random_machine(&m, "none", seed);
            machine_word(&m, l1_replacement, ws_cache_replacement_at(row)->name);
            machine_word(&m, l1_allocate, seed % 4 == 3 ? "fill" : "miss");
            m.l1_sector = seed / 2 % 2 ? 32 : LINE;
            m.l1_mshrs = 8;
            m.port_packets = 6; /* a message for each sector, and one more */
            random_options(&m, seed);
            random_knowledge(&m, seed + 1);
            m.l1_classify = 0;
            ws_sim_sums without = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
            m.l1_classify = seed % 3 ? 4096 : 3;
            const ws_sim_sums once = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
            check_loads(&once);
            assert_true(m.l1_classify == 3 || !once.l1.forgotten);
            seen[WS_MISS_COLD] += once.l1.cold > 0;
            seen[WS_MISS_INTRA] += once.l1.intra > 0;
            seen[WS_MISS_INTER] += once.l1.inter > 0;
            bypassed += once.l1.bypassed > 0;
            ws_sim_sums other = run_whole(&m, &stepped, random_script(seed, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            bool done;
            other = run_in_two(&m, seed, 1 + once.cycles / 2, &done);
            compare(&once, &other);
            assert_int_equal(without.l1.load_hits + without.l1.cold + without.l1.lines_left, 0);
#define TAKE(name) without.l1.name = once.l1.name;
            /* clang-format off */
            TAKE(load_hits) TAKE(load_merged) TAKE(cold) TAKE(intra) TAKE(inter)
            TAKE(passed) TAKE(forgotten) TAKE(lines_left) TAKE(lines_dead)
            /* clang-format on */
#undef TAKE
                    compare(&once, &without);
        }
    assert_true(seen[WS_MISS_COLD] && seen[WS_MISS_INTRA] && seen[WS_MISS_INTER] && bypassed);
}

/* What was followed of a launch, all of it. */
static void check_sharing(const ws_sim_sums *d, uint32_t sms)
{
    const ws_sharing_counts *const c = &d->sharing;
    assert_int_equal(c->launches, 1);
    assert_int_equal(c->ctas, d->sm.ctas);
    assert_true(c->cta_shortest <= c->cta_cycles && c->cta_cycles <= c->cta_longest &&
                c->cta_longest <= d->cycles * c->ctas);
    assert_true(c->stores_abreast <= c->stores_most);
    /* The longest group is no shorter than the mean one, and no longer than all. */
    const uint64_t peak[] = {c->peak_8, c->peak_16, c->peak_row};
    for (size_t i = 0; i < sizeof peak / sizeof *peak; i++)
        assert_true(peak[i] + WS_CTA_SPREAD_SCALE / 2 >= c->ctas * WS_CTA_SPREAD_SCALE &&
                    peak[i] <= c->ctas * c->ctas * WS_CTA_SPREAD_SCALE + 1);
    const uint64_t by[] = {0, c->by_1, c->by_2, c->by_3, c->by_4, c->by_6, c->by_8, c->by_12, c->by_16, c->blocks};
    for (size_t i = 1; i < sizeof by / sizeof *by; i++)
        assert_true(by[i - 1] <= by[i]);
    assert_int_equal(c->by_1, c->blocks - c->shared_blocks);
    assert_true(c->blocks && c->shared_blocks <= c->blocks && c->blocks <= c->copies && c->copies <= c->blocks * sms);
    assert_int_equal(c->copies - c->shared_copies, c->blocks - c->shared_blocks);
    assert_true(c->shared_copies >= 2 * c->shared_blocks);
    assert_true(c->first_missed <= c->missed && c->first_missed <= c->copies && c->shared_missed <= c->missed &&
                c->shared_merged <= c->merged);
    assert_true(c->missed + c->merged <= d->l1.loads && c->stay_hits + c->missed + c->merged <= d->l1.loads);
    assert_true(c->shared_near + c->shared_far <= c->stay_hits && c->busy_stays <= c->stays);
    assert_true(c->sampled_copies >= c->sampled_blocks && c->sampled_copies <= c->sampled_blocks * sms);
}

/* Blocks that are followed change nothing; a table that is too small has a sample of them, the same whatever is skipped
 * and however often the run stops. */
static void test_sharing_follows(void **state)
{
    (void)state;
    const ws_sim_options stepped = {.every_cycle = true};
    unsigned thinned = 0;
    for (unsigned seed = 0; seed < draws(24) * seeds; seed++) {
        ws_machine m;
        random_machine(&m, "none", seed);
        m.l1_sector = LINE;
        m.l1_sharing = 0;
        ws_sim_sums without = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        m.l1_sharing = 4096;
        const ws_sim_sums whole = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        check_sharing(&whole, ws_machine_sms(&m));
        m.l1_sharing = seed % 2 ? 8 : 4096;
        const ws_sim_sums once = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        thinned += once.sharing.blocks != whole.sharing.blocks;
        assert_true(seed % 2 || !memcmp(&once, &whole, offsetof(ws_sim_sums, timestamp_resets)));
        ws_sim_sums other = run_whole(&m, &stepped, random_script(seed, 10, 96, 64, 20), 1000);
        compare(&once, &other);
        other = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 7);
        compare(&once, &other);
        bool done;
        other = run_in_two(&m, seed, 1 + once.cycles / 2, &done);
        compare(&once, &other);
        assert_int_equal(without.sharing.blocks + without.sharing.ctas, 0);
        without.sharing = once.sharing;
        compare(&once, &without);
    }
    assert_true(thinned);
}

int main(int argc, char **argv)
{
    sim_random_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sharing_caches),
        cmocka_unit_test(test_loads_are_told_apart),
        cmocka_unit_test(test_sharing_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
