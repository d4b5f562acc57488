/* test_tech_race.c - are the costs of signatures those of the file, and on lines between? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/tech/race.h"

#include <math.h>
#include <string.h>

#define IS_ABOUT(a, b) assert_true(fabs((a) - (b)) <= 1e-9 * fabs(b))

static void test_costs(void **unused)
{
    (void)unused;
    ws_race_tech tech;
    ws_race_costs c;
    assert_int_equal(ws_race_tech_read("data/tech/race_40nm.ini", &tech), WS_OK);
    assert_int_equal(ws_race_costs_of(&tech, 1024, &c), WS_OK);
    IS_ABOUT(c.filter_access_j, 0.94e-12);
    IS_ABOUT(c.detector_leakage_w, 1.81e-3);
    assert_int_equal(ws_race_costs_of(&tech, 4096, &c), WS_OK);
    IS_ABOUT(c.filter_access_j, 3.76e-12);
    IS_ABOUT(c.filter_leakage_w, 0.43e-3);
    IS_ABOUT(c.detector_read_j, 60.13e-12);
    IS_ABOUT(c.detector_write_j, 62.89e-12);
    assert_int_equal(ws_race_costs_of(&tech, 16384, &c), WS_OK);
    IS_ABOUT(c.detector_write_j, 251.20e-12);
    assert_int_equal(ws_race_costs_of(&tech, 6144, &c), WS_OK);
    IS_ABOUT(c.filter_access_j, (3.76e-12 + 7.51e-12) / 2);
    /* A look-up in the detector costs as much as one in each of 16 filters. */
    for (uint32_t bits = 1024; bits <= 16384; bits *= 2) {
        assert_int_equal(ws_race_costs_of(&tech, bits, &c), WS_OK);
        assert_true(fabs(c.detector_read_j / c.filter_access_j - 16) < 0.1);
    }
    assert_int_equal(ws_race_costs_of(&tech, 512, &c), WS_EINPUT);
    assert_int_equal(ws_race_costs_of(&tech, 32768, &c), WS_EINPUT);
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

/* 16 SMs with L1s of 128 lines, epochs of 5 bits: 1.1 KB an SM with 4 Kb, 66.8 KB in all with 16 Kb. */
static void test_storage(void **unused)
{
    (void)unused;
    assert_true(fabs((double)ws_race_storage_bits(1, 128, 5, 4096) / 8 / 1024 - 1.08) < 0.01);
    assert_true(fabs((double)ws_race_storage_bits(16, 128, 5, 4096) / 8 / 1000 - 17.7) < 0.1);
    assert_true(fabs((double)ws_race_storage_bits(16, 128, 5, 16384) / 8 / 1000 - 66.8) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_costs), cmocka_unit_test(test_files), cmocka_unit_test(test_storage)};
    return cmocka_run_group_tests_name("tech_race", tests, NULL, NULL);
}
