/* test_race_ages.c - closed forms of race detection: two SMs by hand, random accesses beside the controllers, filters
 * beside filters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/coherence/log_replay.h"
#include "model/mechanism/races/race_ages.h"
#include "model/mechanism/races/race_form.h"
#include "model/coherence/race_signature.h"
#include "tests/unit/access_logs.h"

#include <math.h>

static void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fabs(b))))
        fail_msg("%.12g is not %.12g", a, b);
}

enum { LINE = 128 };

/* SM 0: load X, store P, load X, store P, load X, load X. SM 1 loads Q six times. Their accesses take turns. */
static ws_access_log *two_sms(script **out)
{
    script *const s = *out = script_create(2, 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    const bool stores[] = {false, true, false, true, false, false};
    for (unsigned i = 0; i < 6; i++) {
        access_line(s, 0, 0, stores[i] ? store : load, 1, stores[i] ? 40 * LINE : 10 * LINE, 0);
        access_line(s, 1, 0, load, 1, 30 * LINE, 0);
    }
    return log_of(s);
}

static ws_race_aged aged_of(const ws_access_log *log, const ws_race_ages_machine *m)
{
    ws_race_ages *ages;
    ws_race_aged sum = {0};
    assert_int_equal(ws_race_ages_create(m->sms, &ages), WS_OK);
    assert_int_equal(ws_race_ages_add(ages, log, m, &sum), WS_OK);
    ws_race_ages_destroy(ages);
    return sum;
}

static void by_hand(void **state)
{
    (void)state;
    script *s;
    ws_access_log *const log = two_sms(&s);
    ws_race_ages_machine m = {
        .sms = 2, .residents = 1, .sets = 4, .ways = 2, .hits = 4, .depth = 1, .units = 1, .capacity = 100};
    /* Nobody begins epochs but SM 0, by its stores: after one the filter is asked, after two the copy is gone, and the
     * new one is good. */
    ws_race_aged a = aged_of(log, &m);
    assert_close(a.loads, 10);
    assert_close(a.misses, 2);
    assert_close(a.writes, 2);
    assert_close(a.expired, 1);
    assert_close(a.filtered, 1);
    assert_close(a.checks, 1); /* SM 1 loads Q once from L2, four times from its copy, then asks */
    assert_close(a.forced, 0);
    assert_close(a.signatures, 0); /* SM 1 stores nothing */
    /* As if its two stores in six accesses came at random: by race_form.h, from fetch to use. */
    const double first = ws_race_form_expired(1, 0, 2 / 6.0, 2), filtered = ws_race_form_filtered(1, 0, 2 / 6.0, 2),
                 age = 2 + (1 - first) * 2;
    const double second = ws_race_form_expired(1, 0, 2 / 6.0, age), last = 1 + (1 - second) * age;
    assert_close(a.random_expired, first + second + ws_race_form_expired(1, 0, 2 / 6.0, last));
    assert_close(a.random_filtered,
                 filtered + ws_race_form_filtered(1, 0, 2 / 6.0, age) + ws_race_form_filtered(1, 0, 2 / 6.0, last));
    /* Room for two: SM 1's signature is full once in its six accesses, and as many races besides. */
    m.capacity = 2;
    m.races = 1;
    a = aged_of(log, &m);
    assert_close(a.forced, 1);
    assert_close(a.signatures, 2);
    const double rate = 0.5 / 6, rate_of_q = 1.5 / 6;
    double expired = 0, fetched = 1, stores = 0; /* of X, used by accesses 3, 5 and 6 */
    static const double uses[][2] = {{3, 1}, {5, 2}, {6, 2}};
    for (unsigned i = 0; i < 3; i++) {
        const double k = uses[i][1] - stores, none = exp(-rate * (uses[i][0] - fetched));
        const double p = k >= 2 ? 1 : k >= 1 ? 1 - none : ws_race_form_expired(1, 0, rate, uses[i][0] - fetched);
        expired += p;
        fetched = uses[i][0] - (1 - p) * (uses[i][0] - fetched);
        stores = uses[i][1] - (1 - p) * (uses[i][1] - stores);
    }
    double of_q = 0, q = 1;
    for (unsigned now = 2; now <= 6; now++) {
        const double p = ws_race_form_expired(1, 0, rate_of_q, now - q);
        of_q += p;
        q = now - (1 - p) * (now - q);
    }
    assert_close(a.expired, expired + of_q);
    /* Two units of a store, and races that somebody counted. */
    m.units = 2;
    m.races = 3;
    a = aged_of(log, &m);
    assert_close(a.forced, 2);
    assert_close(a.signatures, 5);
    drop(log);
    script_destroy(s);
}

/* Signatures begin anew with each launch: a capacity of one fills at each store, one of three never does, however many
 * launches there are. */
static void across_launches(void **state)
{
    (void)state;
    script *s;
    ws_access_log *const log = two_sms(&s);
    static const unsigned capacity[] = {1, 3}, forced[] = {2, 0};
    for (unsigned c = 0; c < 2; c++) {
        const ws_race_ages_machine m = {
            .sms = 2, .residents = 1, .sets = 4, .ways = 2, .hits = 4, .depth = 1, .units = 1, .capacity = capacity[c]};
        ws_race_ages *ages;
        ws_race_aged sum = {0};
        assert_int_equal(ws_race_ages_create(2, &ages), WS_OK);
        for (unsigned i = 1; i <= 5; i++) {
            assert_int_equal(ws_race_ages_add(ages, log, &m, &sum), WS_OK);
            assert_close(sum.forced, i * forced[c]);
        }
        ws_race_ages_destroy(ages);
    }
    drop(log);
    script_destroy(s);
}

/* Blocks of two warps; SMs store unlike each other, some lines are used again, some by all. */
static script *random_script(uint64_t seed, unsigned store_percent)
{
    enum { BLOCKS = 8, WARPS = 2, ACCESSES = 400 };
    script *const s = script_create(BLOCKS, WARPS * 32);
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    for (unsigned b = 0; b < BLOCKS; b++)
        for (unsigned i = 0; i < ACCESSES * WARPS; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const bool stores = (seed >> 50) % 100 < store_percent * (b % 4) / 2;
            const uint64_t line = stores ? 100000 + 1000 * b + (seed >> 20) % 500 : 1000 * b + (seed >> 33) % 24;
            access_line(s, b, i % WARPS, stores ? store : load, 1, LINE * line, 0);
        }
    return s;
}

/* What the controllers count of the same accesses: nobody reads what others store, so there are no races, and epochs
 * are those of stores and of full signatures. The latter fill up evenly, not at random as the form has it: so much it
 * may be off. */
static void beside_controllers(void **state)
{
    (void)state;
    static const unsigned percents[] = {1, 3, 10, 30};
    for (unsigned i = 0; i < sizeof percents / sizeof *percents; i++)
        for (uint32_t capacity = 16; capacity <= 256; capacity *= 4) {
            script *const s = random_script(i + 1, percents[i]);
            ws_access_log *const log = log_of(s);
            ws_coherence_config g = ws_coherence_defaults;
            g.protocol = "drd";
            g.sms = 4;
            g.warps = 8;
            g.l1_sets = 32;
            g.l1_ways = 4;
            g.race.exact = true;
            g.race.capacity = capacity;
            ws_coherence_replay *replay;
            ws_coherence_traffic t;
            uint64_t now = 1;
            assert_int_equal(ws_coherence_replay_create(&g, &ws_message_default_sizes, &replay), WS_OK);
            assert_int_equal(ws_log_replay(replay, log, 4, 2, &now), WS_OK);
            ws_coherence_replay_sum(replay, &t);
            ws_coherence_replay_destroy(replay);
            const ws_race_aged a = aged_of(log, &(ws_race_ages_machine){.sms = 4,
                                                                        .residents = 2,
                                                                        .sets = 32,
                                                                        .ways = 4,
                                                                        .hits = g.race.hits,
                                                                        .depth = 1,
                                                                        .units = 1,
                                                                        .capacity = capacity});
            assert_int_equal(t.races.race_syncs, 0);
            assert_close(a.writes, (double)t.races.store_syncs);
            assert_close(a.forced, (double)t.races.forced_syncs);
            assert_close(a.signatures, (double)t.races.signatures);
            const double off = fabs(a.expired - (double)t.races.expired);
            if (off > 0.16 * (double)t.races.expired && off > 0.01 * a.loads)
                fail_msg("%u %%, %u entries: %.1f expired copies expected, %llu counted", percents[i], capacity,
                         a.expired, (unsigned long long)t.races.expired);
            drop(log);
            script_destroy(s);
        }
}

static uint64_t next_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 16;
}

/* Epochs that end after each insertion with the same chance, look-ups of what nobody put in: 2 % of the closed form. */
static void mistakes(void **state)
{
    (void)state;
    static const double lengths[] = {60, 200};
    for (unsigned i = 0; i < 2; i++) {
        ws_signature_shape shape;
        const ws_signature_choice choice = {.bits = 1024, .hashes = 6, .unit = 128, .block = 128, .filter = true};
        assert_int_equal(ws_signature_setup(&shape, &choice), WS_OK);
        void *const filter = calloc(1, shape.bytes);
        assert_non_null(filter);
        uint64_t seed = 5;
        double wrong = 0, asked = 0, entries = 0, epochs = 0;
        for (unsigned n = 0; n < 400000; n++) {
            for (unsigned k = 0; k < 3; k++, asked++)
                wrong += ws_signature_test(&shape, filter, (UINT64_C(1) << 40) + next_number(&seed), 1).in;
            ws_signature_insert(&shape, filter, next_number(&seed) % (UINT64_C(1) << 39), 1);
            if (!ws_signature_is_full(&shape, filter) && (double)(next_number(&seed) % 10000) >= 10000 / lengths[i])
                continue;
            entries += ws_signature_count(filter);
            epochs++;
            ws_signature_clear(&shape, filter);
        }
        /* Those that fill up are cut off, so of the mean of all only what would be without an end is the closed form's:
         * epochs end with 1/length. */
        const ws_race_filter form = {
            .bits = 1024, .hashes = 6, .capacity = shape.capacity, .entries = lengths[i] - 1, .units = 1};
        const double predicted = ws_race_form_mistaken(&form), is = wrong / asked;
        assert_true(entries / epochs < lengths[i]);
        if (fabs(predicted / is - 1) > 0.1)
            fail_msg("epochs of %g: %g of look-ups wrong, %g expected", lengths[i], is, predicted);
        free(filter);
    }
    /* Two units are wrong about twice as often, an empty signature never. */
    ws_race_filter f = {.bits = 4096, .hashes = 6, .capacity = 512, .entries = 100, .units = 1};
    const double one = ws_race_form_mistaken(&f);
    f.units = 2;
    assert_true(fabs(ws_race_form_mistaken(&f) / (2 * one) - 1) < 0.02);
    f.entries = 0;
    assert_true(ws_race_form_mistaken(&f) == 0);
}

/* 10 copies are fetched again, 3 are good, 4 signatures of 512 bytes, 7 words ahead; 100 requests of 200 cycles in
 * 10000, a quarter of it hidden. */
static void bytes_and_time(void **state)
{
    (void)state;
    const ws_race_traffic t = {.refetches = 10, .checks = 3, .signatures = 4, .told = 7};
    assert_close(ws_race_form_bytes(&t, 8, 128, 512), 10 * 144 + 3 * 16 + 4 * 520 + 7 * 8);
    assert_close(ws_race_form_slowdown(100, 200, 0.25, 10000), 2.5);
    assert_close(ws_race_form_slowdown(0, 200, 0, 10000), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(across_launches),
                                       cmocka_unit_test(beside_controllers), cmocka_unit_test(mistakes),
                                       cmocka_unit_test(bytes_and_time)};
    return cmocka_run_group_tests_name("race_ages", tests, NULL, NULL);
}
