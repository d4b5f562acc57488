/* What configures the server: every row of the tables has a value with a meaning, and bad ones are named. */
#include "tests/unit/control_setup.h"

#include <stdio.h>
#include <unistd.h>

static void every_row_has_a_value_within_its_bounds(void **state)
{
    (void)state;
    ws_control c;
    assert_int_equal(ws_control_read("data", NULL, &c), WS_OK);
    ws_control_option o;
    size_t rows = 0, swept = 0;
    for (; ws_control_option_row(rows, &o); rows++) {
        const double value = ws_control_value(&c, rows);
        assert_true(value >= o.least && value <= o.most);
        assert_true(o.low >= o.least && o.high <= o.most && o.low <= o.high);
        assert_true(o.low == o.high || (o.low <= value && value <= o.high));
        assert_true(strlen(o.meaning) > 10);
        swept += o.low != o.high;
    }
    assert_true(rows > 30 && swept > 20);
    assert_int_equal(c.levels, 6);
    assert_int_equal(c.modes, 2);
    assert_true(c.level[5].core_voltage == 1.45 && c.level[0].core_clock == 1.2);
}

static void values_are_set_with_their_units(void **state)
{
    (void)state;
    ws_control c;
    assert_int_equal(ws_control_read("data", NULL, &c), WS_OK);
    set_option(&c, "battery.capacity", "0.1 kWh");
    assert_true(c.battery_capacity == 100);
    set_option(&c, "loop.coarse", "2 min");
    assert_true(c.loop_coarse == 120);
    set_option(&c, "battery.capacity", "0");
    assert_true(c.battery_capacity == 0);
    set_option(&c, "state.mismatch", "8");
    assert_int_equal(c.state_mismatch, 8);
    set_option(&c, "level.6.core_clock", "2300 MHz");
    assert_true(fabs(c.level[5].core_clock - 2.3) < 1e-12);
    set_option(&c, "mode.saver.level", "3");
    set_option(&c, "mode.saver.battery", "0.5");
    assert_int_equal(c.modes, 3);
    assert_string_equal(c.mode[2].name, "saver");
    assert_true(c.mode[2].battery == 0.5 && c.mode[2].level == 3);
}

static void bad_values_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *option, *value, *says;
    } bad[] = {
        {"learning.discount", "1.5", "learning.discount = 1.5: expected 0 to 0.9999"},
        {"learning.discount", "much", "expected a number"},
        {"battery.capacity", "64", "expected the unit Wh or kWh"},
        {"battery.capacity", "64 Ah", "expected the unit Wh or kWh"},
        {"battery.capacity", "-1 Wh", "expected 0 to"},
        {"learning.rate", "0.3 W", "without a unit"},
        {"state.mismatch", "3.5", "a whole number"},
        {"state.mismatch", "0", "a whole number from 1"},
        {"battery.size", "3", "unknown option"},
        {"capacity", "3", "SECTION.NAME"},
        {"level.8.core_clock", "3 GHz", "level below this one"},
        {"level.x.core_clock", "3 GHz", "numbered"},
        {"level.6.volts", "3 V", "unknown value"},
        {"mode.saver.speed", "3", "unknown value"},
        {"mode.abcdefghijklmnopqrstuvwxyz.level", "3", "1 to 23 characters"},
        {"battery.start", "0.1", "at least battery.floor"},
        {"chip.core_share", "0.95", "together at most 1"},
        {"chip.nominal_level", "9", "there are 6 levels"},
        {"loop.coarse", "1.5 s", "a multiple of loop.fine"},
        {"activity.stall_length", "0.5 s", "at least 1 s"},
        {"level.6.core_clock", "1 GHz", "a higher core_clock"},
        {"level.7.core_clock", "3 GHz", "a level needs"},
        {"mode.energy.level", "7", "a level from 1 to 6"},
        {"mode.energy.least", "7", "expected 0, a level up to mode.energy.level, 6"},
        {"mode.energy.least", "2.5", "expected 0, a level up to"},
        {"mode.performance.level", "5",
         "mode.performance.least = 6: expected 0, a level up to mode.performance.level, 5"},
        {"mode.energy.battery", "nominal", "expected a number"},
        {"mode.energy.level", "highest", "expected a number"},
        {"mode.energy.priority", "2", "expected 0 to 1"},
        {"battery.resume", "0.9", "together at most 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_control c;
        assert_int_equal(ws_control_read("data", NULL, &c), WS_OK);
        int rc = ws_control_set(&c, bad[i].option, bad[i].value);
        if (!rc)
            rc = ws_control_check(&c);
        if (rc != WS_EINPUT || !strstr(ws_message(), bad[i].says))
            fail_msg("%s = %s gave %d: %s", bad[i].option, bad[i].value, rc, ws_message());
    }
}

/* Writes text to a file that the test removes again. */
static void write_file(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void a_file_changes_some_values(void **state)
{
    (void)state;
    char path[] = "/tmp/ws_control_XXXXXX";
    ws_control c;
    close(mkstemp(path));
    write_file(path, "[battery]\ncapacity = 2 kWh\n");
    assert_int_equal(ws_control_read("data", path, &c), WS_OK);
    assert_true(c.battery_capacity == 2000 && c.learning_rate == 0.3);
    write_file(path, "[learning]\n\ndiscount = 1.5\n");
    assert_int_equal(ws_control_read("data", path, &c), WS_EINPUT);
    assert_non_null(strstr(ws_message(), ":3:12: learning.discount = 1.5"));
    unlink(path);
    assert_int_equal(ws_control_read("data", path, &c), WS_EIO);
    assert_int_equal(ws_control_read("no such folder", NULL, &c), WS_EIO);
}

static int read_loads(const char *text, ws_load **loads, size_t *count)
{
    char path[] = "/tmp/ws_loads_XXXXXX";
    close(mkstemp(path));
    write_file(path, text);
    const int rc = ws_loads_read(path, loads, count);
    unlink(path);
    return rc;
}

static void loads_are_read_and_checked(void **state)
{
    (void)state;
    ws_load *loads;
    size_t count;
    const ws_load *found;
    assert_int_equal(ws_loads_read("data/control/loads.csv", &loads, &count), WS_OK);
    assert_int_equal(count, 10);
    assert_int_equal(ws_loads_find(loads, count, "loads", "mum", &found), WS_OK);
    assert_true(found->power_w == 202.8 && found->ipc == 11.9 && isnan(found->memory_share));
    assert_int_equal(ws_loads_find(loads, count, "loads", "BFS", &found), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "BFS"));
    assert_non_null(strstr(ws_message(), "ST3D"));
    free(loads);
    assert_int_equal(read_loads("w,power_w,ipc,memory_share\nA,10,2,0.5\n", &loads, &count), WS_OK);
    assert_true(loads[0].memory_share == 0.5);
    free(loads);
    static const char *const bad[][2] = {{"w,ipc\nA,2\n", "power_w"},
                                         {"w,power_w\nA,2\n", "ipc"},
                                         {"w,power_w,ipc\nA,0,2\n", "row 1 (A)"},
                                         {"w,power_w,ipc\nA,5,2\nB,NA,2\n", "row 2 (B)"},
                                         {"w,power_w,ipc\nA,5,-2\n", "ipc"},
                                         {"w,power_w,ipc,memory_share\nA,5,2,1.5\n", "memory_share"},
                                         {"# column power_w unit=kW\nw,power_w,ipc\nA,5,2\n", "kW"},
                                         {"w,power_w,ipc\nabcdefghijklmnopqrstuvwxyz,5,2\n", "longer"},
                                         {"w,power_w,ipc\n", "no load"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read_loads(bad[i][0], &loads, &count), WS_EINPUT);
        if (!strstr(ws_message(), bad[i][1]))
            fail_msg("%s", ws_message());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_a_value_within_its_bounds),
        cmocka_unit_test(values_are_set_with_their_units),
        cmocka_unit_test(bad_values_are_named),
        cmocka_unit_test(a_file_changes_some_values),
        cmocka_unit_test(loads_are_read_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
