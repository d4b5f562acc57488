/* When operands are there: closed forms, and a reference that marks every cycle of every bank. */
#include "model/sim/register_file.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BANKS, PORTS, COLLECTORS, READ, WRITE };

static void *start(const ws_register_file_ops *f, const uint64_t *values)
{
    const size_t size = f->state_size(values);
    void *const state = calloc(1, size + 8);
    assert_non_null(state);
    return state;
}

static void closed_forms(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_find("banked");
    const uint64_t values[] = {16, 1, 2, 1, 3};
    void *const m = start(f, values);
    const uint16_t apart[] = {0, 1, 2}, same[] = {0, 16, 32};
    uint64_t again;
    assert_int_equal(f->read(m, values, 0, NULL, 0, 10), 10);
    assert_int_equal(f->read(m, values, 0, apart, 3, 10), 11);
    assert_int_equal(f->read(m, values, 0, same, 3, 20), 23);
    assert_true(f->has_room(m, values, 20, &again));
    assert_int_equal(f->read(m, values, 1, same, 1, 20), 21); /* another warp, another bank */
    assert_false(f->has_room(m, values, 20, &again));
    assert_int_equal(again, 21);
    /* A write in the future keeps its bank then, not before: 3 cycles from 40 on. */
    assert_int_equal(f->write(m, values, 0, 16, 40, NULL), 43);
    assert_int_equal(f->read(m, values, 0, same, 1, 30), 31);
    assert_int_equal(f->read(m, values, 0, same, 1, 40), 44);
    /* 1 cycle is free at 49, not enough for 3. */
    assert_int_equal(f->write(m, values, 0, 0, 50, NULL), 53);
    assert_int_equal(f->write(m, values, 0, 0, 49, NULL), 56);
    free(m);
}

/* A write reads first; it goes on only when a bit of a lane that takes part changes, or nobody knows. */
static void only_what_changes(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_find("differential");
    const uint64_t values[] = {16, 1, 2, 2, 5};
    uint64_t before[WS_WARP] = {0}, after[WS_WARP] = {[3] = 1};
    ws_value value = {.bytes = 4, .exec = UINT32_MAX, .before = before, .after = before};
    void *const m = start(f, values);
    assert_true(f->wants_values);
    assert_int_equal(f->write(m, values, 0, 0, 10, &value), 12);
    value.after = after;
    assert_int_equal(f->write(m, values, 0, 1, 10, &value), 17);
    value.exec = ~8u; /* the lane that would change does not write */
    assert_int_equal(f->write(m, values, 0, 2, 10, &value), 12);
    assert_int_equal(f->write(m, values, 0, 3, 10, NULL), 17);
    assert_int_equal(f->write(m, values, 0, 16, 10, &value), 14); /* the bank of register 0 */
    free(m);
}

static void random_traffic(void **state)
{
    (void)state;
    enum { CYCLES = 4000, REACH = 6000, AHEAD = 180 }; /* AHEAD: the calendar of a bank reaches farther */
    const ws_register_file_ops *const f = ws_register_file_find("banked");
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus);
    gsl_rng_set(rng, 3);
    for (unsigned trial = 0; trial < 4; trial++) {
        const uint64_t values[] = {4 + trial, 1 + trial / 2, 64, 1 + trial % 2, 1 + trial};
        void *const m = start(f, values);
        uint8_t(*const used)[REACH] = calloc(values[BANKS], sizeof *used);
        assert_non_null(used);
        for (uint64_t now = 0; now < CYCLES; now++) {
            if (gsl_rng_uniform_int(rng, 4))
                continue;
            const unsigned warp = (unsigned)gsl_rng_uniform_int(rng, 64);
            const uint16_t reg = (uint16_t)gsl_rng_uniform_int(rng, 256);
            const int writes = now && gsl_rng_uniform_int(rng, 3) == 0;
            uint16_t unused = 0;
            if (writes) /* the file learns the time from reads */
                assert_int_equal(f->read(m, values, 0, &unused, 0, now), now);
            const uint64_t from = writes ? now + gsl_rng_uniform_int(rng, AHEAD) : now,
                           length = values[writes ? WRITE : READ];
            uint8_t *const bank = used[(reg + warp) % values[BANKS]];
            uint64_t at = from;
            for (uint64_t i = 0; i < length; i++)
                if (bank[at + i] == values[PORTS]) {
                    at += i + 1;
                    i = UINT64_MAX;
                }
            for (uint64_t i = 0; i < length; i++)
                bank[at + i]++;
            assert_int_equal(writes ? f->write(m, values, warp, reg, from, NULL) : f->read(m, values, warp, &reg, 1, now),
                             at + length);
        }
        free(used);
        free(m);
    }
    gsl_rng_free(rng);
}

static void ideal_and_names(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_find("ideal");
    const uint16_t same[] = {0, 16, 32};
    uint64_t again;
    assert_int_equal(f->state_size(NULL), 0);
    assert_true(f->has_room(NULL, NULL, 9, &again));
    assert_int_equal(f->read(NULL, NULL, 0, same, 3, 20), 20);
    assert_int_equal(f->write(NULL, NULL, 0, 0, 20, NULL), 20);
    assert_false(f->wants_values);
    assert_null(ws_register_file_find("none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(only_what_changes), cmocka_unit_test(random_traffic),
                                       cmocka_unit_test(ideal_and_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
