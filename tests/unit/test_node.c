/* test_node.c - the technology nodes that are shipped, their laws, and files that are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/tech/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const shipped[] = {"45nm", "40nm", "32nm", "28nm", "22nm", "16nm", "12nm"}; /* largest first */
enum { SHIPPED = sizeof shipped / sizeof *shipped };

static ws_node find(const char *name)
{
    ws_node node;
    if (ws_node_find("data/tech", name, &node))
        fail_msg("%s", ws_message());
    return node;
}

static void a_file_is_in_its_units(void **state)
{
    (void)state;
    const ws_node n = find("22nm");
    assert_true(n.vdd_v == 0.8);
    assert_float_equal(n.wire[WS_NODE_GLOBAL].pitch_m, 176e-9, 1e-15);
    assert_float_equal(n.size_m, 22e-9, 1e-15);
    assert_float_equal(n.on_a_m, 2626, 1e-9);
    assert_float_equal(n.gate_f_m, 3.27e-10, 1e-16);
    assert_float_equal(n.off_a_m[10], 4.88, 1e-9);
    assert_float_equal(n.stt.write_a, 80e-6, 1e-12);
    assert_float_equal(ws_node_gate(&n), 3.87e-10, 1e-16);
}

/* A smaller node takes less of everything that counts. */
static void nodes_shrink(void **state)
{
    (void)state;
    for (size_t i = 1; i < SHIPPED; i++) {
        const ws_node big = find(shipped[i - 1]), small = find(shipped[i]);
        assert_true(small.size_m < big.size_m && small.vdd_v <= big.vdd_v);
        assert_true(ws_node_switch_energy(&small, small.vdd_v) < ws_node_switch_energy(&big, big.vdd_v));
        assert_true(ws_node_switch_energy(&small, 1) < ws_node_switch_energy(&big, 1));
        for (int layer = 0; layer < WS_NODE_LAYERS; layer++) {
            assert_true(small.wire[layer].pitch_m < big.wire[layer].pitch_m);
            assert_true(small.wire[layer].ohm_m > big.wire[layer].ohm_m);
        }
    }
    for (size_t i = 0; i < SHIPPED; i++) {
        const ws_node n = find(shipped[i]);
        for (int layer = 1; layer < WS_NODE_LAYERS; layer++)
            assert_true(n.wire[layer].ohm_m < n.wire[layer - 1].ohm_m);
    }
}

static void off_current_rises(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHIPPED; i++) {
        const ws_node n = find(shipped[i]);
        for (double kelvin = 290; kelvin < 420; kelvin += 3) {
            assert_true(ws_node_off_current(&n, kelvin, 0) == 0);
            assert_true(ws_node_off_current(&n, kelvin + 3, n.vdd_v) > ws_node_off_current(&n, kelvin, n.vdd_v));
            for (double volts = 0; volts < 1.2; volts += 0.05)
                assert_true(ws_node_off_current(&n, kelvin, volts + 0.05) > ws_node_off_current(&n, kelvin, volts));
        }
        for (int row = 0; row < WS_NODE_KELVINS; row++)
            assert_float_equal(ws_node_off_current(&n, 300 + 10 * row, n.vdd_v) / n.off_a_m[row], 1, 1e-12);
    }
}

/* By hand: 22 nm at 350 K and 0.4 V is 0.2152 A/m * exp(-0.046 * 0.4 / (1.16 * 0.0301607)) = 0.12718 A/m, and 1 - exp(-13.26) of it. */
static void off_current_by_hand(void **state)
{
    (void)state;
    const ws_node n = find("22nm");
    assert_float_equal(ws_node_off_current(&n, 350, 0.4), 0.12718, 1e-4);
    assert_float_equal(ws_node_off_current(&n, 355, 0.8), 0.302635, 1e-5); /* sqrt(0.2152 * 0.4256) */
    const double square = ws_node_switch_energy(&n, 0.8) / ws_node_switch_energy(&n, 0.4);
    assert_float_equal(square, 4, 1e-12);
}

static void another_node_is_refused_by_name(void **state)
{
    (void)state;
    ws_node n;
    assert_int_equal(ws_node_find("data/tech", "7nm", &n), WS_ENOTFOUND);
    assert_string_equal(ws_message(), "7nm is no technology node; those of data/tech are 12nm, 16nm, 22nm, 28nm, 32nm, 40nm and 45nm");
    assert_int_equal(ws_node_find("data/tech", "../tech/22nm", &n), WS_ENOTFOUND);
    assert_int_equal(ws_node_find("tests", "22nm", &n), WS_ENOTFOUND);
    assert_string_equal(ws_message(), "22nm is no technology node; those of tests are none");
}

static void refuse(const char *text, const char *at, const char *instead, const char *expected)
{
    char changed[8192];
    const char *const found = strstr(text, at);
    if (!found)
        fail_msg("no %s in the file", at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(found - text), text, instead, found + strlen(at));
    ws_node n;
    assert_int_equal(ws_node_parse("f", changed, strlen(changed), &n), WS_EINPUT);
    if (!strstr(ws_message(), expected) || strchr(ws_message(), '\n'))
        fail_msg("expected %s, got %s", expected, ws_message());
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *at, *instead, *expected;
    } wrong[] = {
        {"supply = 0.8 V", "supply = 0.8", ": supply = 0.8: expected the unit V or mV"},
        {"gate = 0.327 fF/um", "gate = 0.327 fF", ": gate = 0.327 fF: expected the unit F/m or fF/um"},
        {"on = 2626 uA/um", "on = -2626 uA/um", ": on = -2626 uA/um: expected 1 to 100000 A/m"},
        {"junction = 0 fF/um2", "junction = -1 fF/um2", "expected 0 to 0.1 F/m2"},
        {"pulse = 10 ns", "pulse = 10 s", "expected the unit ns or ps"},
        {"dibl = 0.046", "dibl = 0.046\ndible = 0.1", ": a technology node has no dible in section [transistor]"},
        {"350K = 215.2 nA/um", "350K = 2 nA/um", "f: [off] falls from 340 to 350 K"},
        {"threshold = 0.1395 V", "threshold = 0.9 V", "f: the threshold of 0.9 V must be less than the supply of 0.8 V"},
        {"low = 3000 ohm", "low = 7000 ohm", "f: [stt] high = 6000 ohm must be more than low = 7000 ohm"},
        {"cell = 146 F2", "cell = nan F2", "cell = nan F2"},
    };
    char text[8192];
    FILE *const file = fopen("data/tech/node_22nm.ini", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse(text, wrong[i].at, wrong[i].instead, wrong[i].expected);
    static const char *const keys[][2] = {
#define FIELD(section, key, member, unit, least, most, meaning) {#section, #key},
#include "model/tech/node.def"
#undef FIELD
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) { /* each line away in turn */
        char section[32], line[32], expected[64];
        snprintf(section, sizeof section, "\n[%s]", keys[i][0]);
        snprintf(line, sizeof line, "\n%s = ", keys[i][1]);
        snprintf(expected, sizeof expected, "f: [%s] lacks %s", keys[i][0], keys[i][1]);
        const char *const begin = strstr(strstr(text, section), line) + 1, *const end = strchr(begin, '\n') + 1;
        char less[8192];
        const size_t length = (size_t)snprintf(less, sizeof less, "%.*s%s", (int)(begin - text), text, end);
        ws_node n;
        assert_int_equal(ws_node_parse("f", less, length, &n), WS_EINPUT);
        assert_non_null(strstr(ws_message(), expected));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_in_its_units),
        cmocka_unit_test(nodes_shrink),
        cmocka_unit_test(off_current_rises),
        cmocka_unit_test(off_current_by_hand),
        cmocka_unit_test(another_node_is_refused_by_name),
        cmocka_unit_test(wrong_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
