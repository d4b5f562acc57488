/* test_table.c - does a table find what was put into it, and nothing else? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/table.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

enum { MANY = 20000 };

static const char *const kinds[] = {"small", "aligned", "high", "near the end", "random"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint64_t key_of(size_t kind, uint64_t i, const gsl_rng *rng)
{
    switch (kind) {
    case 0:
        return i;
    case 1:
        return i << 12;
    case 2:
        return i << 44;
    case 3:
        return UINT64_MAX - 1 - i;
    default:
        return (uint64_t)gsl_rng_get(rng) << 32 | gsl_rng_get(rng);
    }
}

static void what_was_added_is_found(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    uint64_t *const key = malloc(MANY * sizeof *key);
    assert_non_null(key);
    for (size_t kind = 0; kind < KINDS; kind++) {
        ws_table table = WS_TABLE(uint32_t);
        assert_null(ws_table_find(&table, 7));
        assert_false(ws_table_has(&table, 7));
        for (uint32_t i = 0; i < MANY; i++) {
            key[i] = key_of(kind, i, rng);
            uint32_t *const value = ws_table_put(&table, key[i]);
            assert_non_null(value);
            assert_int_equal(*value, 0);
            *value = i + 1;
        }
        assert_int_equal(table.used, MANY);
        assert_true(2 * table.used <= table.slots);
        for (uint32_t i = 0; i < MANY; i++) {
            const uint32_t *const value = ws_table_find(&table, key[i]);
            assert_non_null(value);
            assert_int_equal(*value, i + 1);
            assert_ptr_equal(ws_table_put(&table, key[i]), value);
        }
        assert_int_equal(table.used, MANY);
        if (kind < 4) /* those are every key of their kind */
            for (uint64_t i = MANY; i < 2 * MANY; i++)
                assert_null(ws_table_find(&table, key_of(kind, i, rng)));
        ws_table_fini(&table);
    }
    free(key);
    gsl_rng_free(rng);
}

static void all_keys_are_met_once(void **state)
{
    (void)state;
    ws_table set = {0};
    size_t slot;
    uint64_t key, sum = 0, met = 0;
    for (size_t i = 0; ws_table_next(&set, &i, &key); i++)
        met++;
    assert_int_equal(met, 0);
    for (uint64_t i = 0; i < MANY; i++)
        assert_int_equal(ws_table_add(&set, i * 3, &slot), WS_OK);
    for (size_t i = 0; ws_table_next(&set, &i, &key); i++, met++)
        sum += key;
    assert_int_equal(met, MANY);
    assert_int_equal(sum, 3 * (uint64_t)MANY * (MANY - 1) / 2);
    ws_table_fini(&set);
}

/* Values that were there before are gone, whatever their slots held. */
static void cleared_is_empty(void **state)
{
    (void)state;
    ws_table table = WS_TABLE(uint64_t);
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < 1000; i++) {
            uint64_t *const value = ws_table_put(&table, i);
            assert_true(value && *value == 0);
            *value = UINT64_MAX;
        }
        const size_t slots = table.slots;
        ws_table_clear(&table);
        assert_int_equal(table.used, 0);
        assert_int_equal(table.slots, slots);
        assert_false(ws_table_has(&table, 5));
    }
    ws_table_fini(&table);
    const uint64_t *const again = ws_table_put(&table, 1); /* it may be used again */
    assert_true(again && *again == 0);
    ws_table_fini(&table);
}

/* A table that cannot grow says so and stays as it was. */
static void no_room(void **state)
{
    (void)state;
    ws_table table = {.value_bytes = PTRDIFF_MAX / 32};
    size_t slot;
    assert_int_equal(ws_table_add(&table, 1, &slot), WS_EMEM);
    assert_string_equal(ws_message(), "out of memory");
    assert_null(ws_table_put(&table, 1));
    assert_true(table.used == 0 && !ws_table_has(&table, 1));
    ws_table_fini(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_added_is_found),
        cmocka_unit_test(all_keys_are_met_once),
        cmocka_unit_test(cleared_is_empty),
        cmocka_unit_test(no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
