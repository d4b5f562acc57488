/* test_tech_race.c - are the costs of signatures those of the file, and on lines between? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/tech/race_tech.h"

#include <math.h>
#include <string.h>

#define IS_ABOUT(a, b) assert_true(fabs((a) - (b)) <= 1e-9 * fabs(b))

static void test_costs(void **unused)
{
    (void)unused;
    ws_race_tech tech;
    ws_race_costs c;
    assert_int_equal(ws_race_tech_read("data/tech/race_40nm.ini", &tech), WS_OK);
    assert_int_equal(ws_race_costs_of(&tech, 1024, 16, &c), WS_OK);
    IS_ABOUT(c.filter_access_j, 0.94e-12);
    IS_ABOUT(c.detector_leakage_w, 1.81e-3);
    assert_int_equal(ws_race_costs_of(&tech, 4096, 16, &c), WS_OK);
    IS_ABOUT(c.filter_access_j, 3.76e-12);
    IS_ABOUT(c.filter_leakage_w, 0.43e-3);
    IS_ABOUT(c.detector_read_j, 60.13e-12);
    IS_ABOUT(c.detector_write_j, 62.89e-12);
    assert_int_equal(ws_race_costs_of(&tech, 16384, 16, &c), WS_OK);
    IS_ABOUT(c.detector_write_j, 251.20e-12);
    assert_int_equal(ws_race_costs_of(&tech, 6144, 16, &c), WS_OK);
    IS_ABOUT(c.filter_access_j, (3.76e-12 + 7.51e-12) / 2);
    /* A look-up in the detector costs as much as one in each of 16 filters. */
    for (uint32_t bits = 1024; bits <= 16384; bits *= 2) {
        assert_int_equal(ws_race_costs_of(&tech, bits, 16, &c), WS_OK);
        assert_true(fabs(c.detector_read_j / c.filter_access_j - 16) < 0.1);
    }
    /* The detector of 8 SMs has half of the signatures; filters and tables are those of an SM. */
    ws_race_costs half;
    assert_int_equal(ws_race_costs_of(&tech, 2048, 16, &c), WS_OK);
    assert_int_equal(ws_race_costs_of(&tech, 2048, 8, &half), WS_OK);
    IS_ABOUT(half.detector_write_j, 31.51e-12 / 2);
    IS_ABOUT(half.detector_read_j, c.detector_read_j / 2);
    IS_ABOUT(half.detector_leakage_w, c.detector_leakage_w / 2);
    IS_ABOUT(half.filter_access_j, c.filter_access_j);
    IS_ABOUT(half.renaming_read_j, 1.39e-12);
    IS_ABOUT(half.renaming_write_j, 1.21e-12);
    IS_ABOUT(half.renaming_leakage_w, 3.63e-3);
    assert_int_equal(ws_race_costs_of(&tech, 512, 16, &c), WS_EINPUT);
    assert_int_equal(ws_race_costs_of(&tech, 32768, 16, &c), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "32768 bits"));
}

static void test_files(void **unused)
{
    (void)unused;
    ws_race_tech tech;
    static const char missing[] = "[filter]\naccess_1024 = 1 pJ\n", unknown[] = "[filter]\nacess = 1 pJ\n";
    assert_int_equal(ws_race_tech_parse("x", missing, sizeof missing - 1, &tech), WS_EINPUT);
    assert_int_equal(ws_race_tech_parse("x", unknown, sizeof unknown - 1, &tech), WS_EINPUT);
    assert_int_equal(ws_race_tech_read("data/tech/no_such_file.ini", &tech), WS_EIO);
}

/* Straight lines through the origin, nearly: 0.938 pJ a Kb of the filter; 15.005, 15.69 pJ and 1.674 mW a Kb of the
 * detector. */
static void test_lines(void **unused)
{
    (void)unused;
    ws_race_tech tech;
    ws_race_costs c;
    assert_int_equal(ws_race_tech_read("data/tech/race_40nm.ini", &tech), WS_OK);
    for (uint32_t kb = 1; kb <= 16; kb++) {
        assert_int_equal(ws_race_costs_of(&tech, kb * 1024, 16, &c), WS_OK);
        const double of[][2] = {{c.filter_access_j, 0.938e-12 * kb},
                                {c.detector_read_j, (15.005 * kb + 0.11) * 1e-12},
                                {c.detector_write_j, (15.69 * kb + 0.12) * 1e-12},
                                {c.detector_leakage_w, (1.674 * kb + 0.14) * 1e-3}};
        for (size_t i = 0; i < sizeof of / sizeof *of; i++)
            assert_true(fabs(of[i][0] - of[i][1]) < 0.005 * of[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_costs), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests_name("tech_race", tests, NULL, NULL);
}
