/* test_tally.c - counts per key: exact below the cap, a sample that does not depend on order or splits above it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "metrics/tally.h"

#include <stdlib.h>

static void add(ws_tally *t, uint64_t key, uint64_t n)
{
    ws_tally_entry *e;
    assert_int_equal(ws_tally_add(t, key, n, &e), WS_OK);
    assert_true(!e || e->key == key);
}

static void test_exact_below_the_cap(void **unused)
{
    (void)unused;
    ws_tally t;
    ws_tally_init(&t, 1000, 0);
    for (unsigned turn = 1; turn <= 3; turn++)
        for (uint64_t key = 0; key < 1000; key++)
            add(&t, key * 4096, turn);
    ws_tally_entry *e;
    size_t n;
    assert_int_equal(ws_tally_sorted(&t, &e, &n), WS_OK);
    assert_int_equal(n, 1000);
    assert_int_equal(t.level, 0);
    for (size_t i = 0; i < n; i++)
        assert_true(e[i].key == i * 4096 && e[i].count == 6);
    free(e);
    ws_tally_fini(&t);
}

static void test_sample_is_a_share_of_groups(void **unused)
{
    (void)unused;
    ws_tally t;
    ws_tally_init(&t, 4096, 4); /* groups of 16 keys */
    for (unsigned turn = 0; turn < 2; turn++)
        for (uint64_t key = 0; key < 100000; key++)
            add(&t, key, key + 1);
    ws_tally_entry *e;
    size_t n;
    assert_int_equal(ws_tally_sorted(&t, &e, &n), WS_OK);
    assert_true(n <= 4096 && n > 1024);
    assert_int_equal(t.level, 5); /* 100000 / 2^5 = 3125 */
    assert_int_equal(n % 16, 0);
    for (size_t i = 0; i < n; i++) {
        assert_true(e[i].count == 2 * (e[i].key + 1)); /* what is kept is complete */
        assert_true(ws_tally_samples(&t, e[i].key));
    }
    free(e);
    ws_tally_fini(&t);
}

static void join(ws_tally_entry *into, const ws_tally_entry *from)
{
    into->mark[0] |= from->mark[0];
}

/* Keys of part p of `parts`, in an order of their own; each leaves its part's bit in the mark. */
static void fill(ws_tally *t, unsigned p, unsigned parts)
{
    ws_tally_entry *e;
    for (uint64_t i = p; i < 60000; i += parts) {
        const uint64_t key = i * 7919 % 20011 * 4;
        assert_int_equal(ws_tally_add(t, key, 1 + key % 3, &e), WS_OK);
        if (e)
            e->mark[0] |= 1u << (i % 8);
    }
}

static void test_splits_do_not_matter(void **unused)
{
    (void)unused;
    ws_tally whole;
    ws_tally_init(&whole, 2000, 6);
    fill(&whole, 0, 1);
    ws_tally_entry *want, *got;
    size_t n, m;
    assert_int_equal(ws_tally_sorted(&whole, &want, &n), WS_OK);
    assert_true(whole.level > 0);
    for (unsigned parts = 2; parts <= 40; parts += 19) {
        ws_tally sum;
        ws_tally_init(&sum, 2000, 6);
        for (unsigned p = 0; p < parts; p++) {
            ws_tally part;
            ws_tally_init(&part, 2000, 6);
            fill(&part, p, parts);
            assert_int_equal(ws_tally_merge(&sum, &part, join), WS_OK);
            ws_tally_fini(&part);
        }
        assert_int_equal(ws_tally_sorted(&sum, &got, &m), WS_OK);
        assert_int_equal(sum.level, whole.level);
        assert_int_equal(n, m);
        assert_memory_equal(want, got, n * sizeof *want);
        free(got);
        ws_tally_fini(&sum);
    }
    free(want);
    ws_tally_fini(&whole);
}

static void test_empty_and_one_group(void **unused)
{
    (void)unused;
    ws_tally t, u;
    ws_tally_init(&t, 4, 20);
    ws_tally_init(&u, 4, 20);
    assert_int_equal(ws_tally_merge(&t, &u, NULL), WS_OK);
    assert_int_equal(t.used, 0);
    for (uint64_t key = 0; key < 10; key++) /* more keys than the cap in one group: all or nothing */
        add(&t, key, 1);
    assert_true(t.used == 0 && t.level > 0);
    ws_tally_fini(&t);
    ws_tally_fini(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_below_the_cap),
        cmocka_unit_test(test_sample_is_a_share_of_groups),
        cmocka_unit_test(test_splits_do_not_matter),
        cmocka_unit_test(test_empty_and_one_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
