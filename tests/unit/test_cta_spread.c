/* test_cta_spread.c - cycles of groups of CTAs, worked out by hand, in any order, in two parts, and cut short. */
#include "base/status.h"
#include "model/sim/sm/cta_spread.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>

#include <cmocka.h>

enum { CTAS = 40, ROW = 10, OWN = 3, MANY = 65536 };

/* CTA k takes 100 cycles, CTA 13 takes 900: of groups of 8 the second has 1600, of 16 the first 2400, of rows the
 * second 1800, of threes 12 .. 14 1100. */
static uint64_t cycles_of(uint64_t cta)
{
    return cta == 13 ? 900 : 100;
}

static uint64_t peak(double most, double groups)
{
    const double sum = 100 * (CTAS - 1) + 900;
    return (uint64_t)(most * groups / sum * CTAS * WS_CTA_SPREAD_SCALE + 0.5);
}

static void check(const ws_cta_spread *spread)
{
    assert_int_equal(ws_cta_spread_peak(spread, WS_CTA_SPREAD_8), peak(1600, 5));
    assert_int_equal(ws_cta_spread_peak(spread, WS_CTA_SPREAD_16), peak(2400, 3));
    assert_int_equal(ws_cta_spread_peak(spread, WS_CTA_SPREAD_ROW), peak(1800, 4));
    assert_int_equal(ws_cta_spread_peak(spread, WS_CTA_SPREAD_OWN), peak(1100, 14));
}

static void add(ws_cta_spread *spread, uint64_t cta)
{
    assert_int_equal(ws_cta_spread_add(spread, cta, cycles_of(cta)), WS_OK);
}

static void by_hand(void **state)
{
    (void)state;
    ws_cta_spread spread = {0};
    for (unsigned turn = 0; turn < 2; turn++) { /* the second launch knows nothing of the first */
        ws_cta_spread_begin(&spread, CTAS, ROW, turn ? OWN : 0);
        for (uint64_t cta = 0; cta < CTAS; cta++)
            add(&spread, turn ? cta * 7 % CTAS : cta);
        if (!turn)
            assert_int_equal(ws_cta_spread_peak(&spread, WS_CTA_SPREAD_OWN), 0);
    }
    check(&spread);
    ws_cta_spread_fini(&spread);
}

static void goes_on(void **state)
{
    (void)state;
    ws_cta_spread first = {0}, second = {0};
    ws_bytes bytes = {0};
    ws_cta_spread_begin(&first, CTAS, ROW, OWN);
    for (uint64_t i = 0; i < CTAS / 2; i++)
        add(&first, i * 7 % CTAS);
    ws_cta_spread_save(&first, &bytes);
    ws_reader reader = ws_reader_of(&bytes);
    assert_int_equal(ws_cta_spread_load(&second, &reader), WS_OK);
    assert_ptr_equal(reader.next, reader.end);
    for (uint64_t i = CTAS / 2; i < CTAS; i++)
        add(&second, i * 7 % CTAS);
    check(&second);
    for (size_t length = 0; length < bytes.length; length++) {
        reader = (ws_reader){.next = bytes.data, .end = bytes.data + length};
        assert_int_equal(ws_cta_spread_load(&second, &reader), WS_EINPUT);
    }
    ws_cta_spread_fini(&first);
    ws_cta_spread_fini(&second);
    ws_bytes_fini(&bytes);
}

/* Groups that are complete are forgotten: memory goes with those that are not. */
static void forgets(void **state)
{
    (void)state;
    ws_cta_spread spread = {0};
    ws_cta_spread_begin(&spread, MANY, 1, 0);
    for (uint64_t cta = 0; cta < MANY; cta++)
        assert_int_equal(ws_cta_spread_add(&spread, cta, 1 + (cta == 5)), WS_OK);
    for (unsigned i = 0; i < WS_CTA_SPREADS; i++)
        assert_true(spread.by[i].group.slots <= 512);
    const double peak_of_one = 2.0 * MANY / (MANY + 1) * MANY * WS_CTA_SPREAD_SCALE;
    assert_true(ws_cta_spread_peak(&spread, WS_CTA_SPREAD_ROW) == (uint64_t)(peak_of_one + 0.5));
    ws_cta_spread_fini(&spread);
}

/* A launch that is cut short: of what has ended. */
static void cut_short(void **state)
{
    (void)state;
    ws_cta_spread spread = {0};
    ws_cta_spread_begin(&spread, CTAS, ROW, 0);
    assert_int_equal(ws_cta_spread_peak(&spread, WS_CTA_SPREAD_8), 0);
    for (uint64_t cta = 0; cta < 12; cta++)
        add(&spread, cta);
    assert_int_equal(ws_cta_spread_peak(&spread, WS_CTA_SPREAD_8),
                     (uint64_t)(800.0 * 2 / 1200 * 12 * WS_CTA_SPREAD_SCALE + 0.5));
    ws_cta_spread_fini(&spread);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(goes_on),
        cmocka_unit_test(forgets),
        cmocka_unit_test(cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
