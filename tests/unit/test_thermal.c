/* The thermal network: HotSpot's numbers, closed forms, balances of heat, steps of any length, and refused files. */
#include "base/status.h"
#include "model/control/thermal_internal.h"
#include "tests/unit/close.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char two_blocks[] = "data/tech/thermal_hotspot.ini", renewable[] = "data/tech/thermal_renewable.ini";

static ws_thermal_chip read_chip(const char *file)
{
    ws_thermal_chip chip;
    if (ws_thermal_chip_read(file, &chip))
        fail_msg("%s", ws_message());
    return chip;
}

static ws_thermal *create(const ws_thermal_chip *chip, double step_s)
{
    ws_thermal *thermal;
    if (ws_thermal_create(chip, step_s, &thermal))
        fail_msg("%s", ws_message());
    return thermal;
}

/* HotSpot 7, block model: hotspot -c example.config -f two.flp -p two.ptrace -steady_file two.steady with the
 * configuration of its example1, blocks of 8 x 16 mm, 20 and 5 W. */
static void steady_as_hotspot(void **state)
{
    (void)state;
    static const double theirs[WS_THERMAL_LAYERS][2] = {
        {323.70, 322.00}, {323.52, 321.95}, {322.74, 321.75}, {322.41, 321.66}};
    static const double power[2] = {20, 5};
    const ws_thermal_chip chip = read_chip(two_blocks);
    ws_thermal *const thermal = create(&chip, 1);
    for (int layer = 0; layer < WS_THERMAL_LAYERS; layer++) {
        double k[2];
        ws_thermal_steady(thermal, power, (ws_thermal_layer)layer, k);
        for (size_t b = 0; b < 2; b++)
            assert_close(k[b], theirs[layer][b], 0.02); /* asked for is a tenth of the rise: 0.35 to 0.55 K */
    }
    ws_thermal_destroy(thermal);
}

/* The same, from ambient temperature: a row of 6000 times 20 and 5 W with -sampling_intvl 0.01,
 * without -steady_file. */
static void transient_as_hotspot(void **state)
{
    (void)state;
    static const struct {
        int step;
        double left, right;
    } theirs[] = {{1, 319.48, 318.49},   {10, 319.95, 318.66},   {100, 321.18, 319.57},  {200, 321.58, 319.94},
                  {500, 322.26, 320.58}, {1000, 322.93, 321.23}, {2000, 323.48, 321.78}, {6000, 323.70, 322.00}};
    static const double power[2] = {20, 5};
    const ws_thermal_chip chip = read_chip(two_blocks);
    ws_thermal *const thermal = create(&chip, 0.01);
    ws_thermal_state now;
    ws_thermal_start(thermal, NULL, &now);
    double k[2];
    for (int step = 1, next = 0; step <= 6000; step++) {
        ws_thermal_step(thermal, &now, power, k);
        if (step != theirs[next].step)
            continue;
        assert_close(k[0], theirs[next].left, 0.02);
        assert_close(k[1], theirs[next].right, 0.02);
        next++;
    }
    ws_thermal_destroy(thermal);
}

/* One block, everything a good conductor: what resists and stores is known. */
static ws_thermal_chip plain_chip(void)
{
    ws_thermal_chip chip = read_chip(two_blocks);
    chip.blocks = 1;
    chip.block[0].width_m = 16e-3;
    chip.die_w_mk = chip.interface_w_mk = chip.spreader_w_mk = chip.sink_w_mk = 5000;
    chip.lumping = 1;
    return chip;
}

/* All heat through R into one C: T = P R (1 - e^(-t / RC)). */
static void one_node(void **state)
{
    (void)state;
    ws_thermal_chip chip = plain_chip();
    chip.convection_k_w = 100;
    const double heat = chip.die_j_m3k * 256e-6 * chip.die_m + chip.interface_j_m3k * 256e-6 * chip.interface_m +
                        chip.spreader_j_m3k * 900e-6 * chip.spreader_m + chip.sink_j_m3k * 3600e-6 * chip.sink_m +
                        chip.convection_j_k;
    ws_thermal *const thermal = create(&chip, 500);
    size_t count;
    assert_close(ws_thermal_time_constants(thermal, &count)[0] / (100 * heat), 1, 1e-3);
    assert_int_equal(count, 16);
    ws_thermal_state now;
    ws_thermal_start(thermal, NULL, &now);
    const double power = 2;
    double k;
    for (int i = 1; i < 200; i++) {
        ws_thermal_step(thermal, &now, &power, &k);
        const double expected = 200 * (1 - exp(-500.0 * i / (100 * heat)));
        assert_close(k - ws_thermal_ambient_k(thermal), expected, 0.05 + 1e-3 * expected);
    }
    ws_thermal_destroy(thermal);
}

/* A bad interface makes two nodes: C1 T1' = P - (T1 - T2) / R1, C2 T2' = (T1 - T2) / R1 - T2 / R2. */
static void two_nodes(void **state)
{
    (void)state;
    ws_thermal_chip chip = plain_chip();
    chip.die_m = 0.01;
    chip.die_j_m3k = 1e8;
    chip.interface_m = 1e-3;
    chip.interface_w_mk = 0.1;
    chip.interface_j_m3k = 1e3;
    chip.convection_k_w = 50;
    const double c1 = 1e8 * 256e-6 * 0.01, r1 = 1e-3 / (0.1 * 256e-6), r2 = 50;
    const double c2 =
        chip.spreader_j_m3k * 900e-6 * chip.spreader_m + chip.sink_j_m3k * 3600e-6 * chip.sink_m + chip.convection_j_k;
    /* Eigenvalues of [[1/(R1 C1), -1/(R1 C1)], [-1/(R1 C2), (1/R1 + 1/R2) / C2]] */
    const double a = 1 / (r1 * c1), d = (1 / r1 + 1 / r2) / c2, bc = 1 / (r1 * c1 * r1 * c2);
    const double root = sqrt((a - d) * (a - d) / 4 + bc), slow = (a + d) / 2 - root, quick = (a + d) / 2 + root;
    ws_thermal *const thermal = create(&chip, 100);
    size_t count;
    const double *const tau = ws_thermal_time_constants(thermal, &count);
    assert_close(tau[0] * slow, 1, 2e-3);
    assert_close(tau[1] * quick, 1, 2e-3);
    /* T1 = P (R1 + R2) + u e^(-slow t) + v e^(-quick t), T1(0) = 0, C1 T1'(0) = P */
    const double end = r1 + r2, v = (1 / c1 - slow * end) / (slow - quick), u = -end - v;
    ws_thermal_state now;
    ws_thermal_start(thermal, NULL, &now);
    const double power = 1;
    double k;
    for (int i = 1; i < 400; i++) {
        ws_thermal_step(thermal, &now, &power, &k);
        const double t = 100.0 * i, expected = end + u * exp(-slow * t) + v * exp(-quick * t);
        assert_close(k - ws_thermal_ambient_k(thermal), expected, 2e-3 * end);
    }
    ws_thermal_destroy(thermal);
}

/* What goes in is stored or has left through the sink; the integral by trapezoids of 5 ms. */
static void heat_is_conserved(void **state)
{
    (void)state;
    const char *const files[] = {two_blocks, renewable};
    for (size_t f = 0; f < 2; f++) {
        const ws_thermal_chip chip = read_chip(files[f]);
        static const double step_s = 0.005;
        ws_thermal *const thermal = create(&chip, step_s);
        const ws_thermal_network *const net = ws_thermal_network_of(thermal);
        ws_thermal_state now;
        ws_thermal_start(thermal, NULL, &now);
        double rise[WS_THERMAL_MOST], k[2], in = 0, out = 0, before = 0;
        for (int i = 0; i < 8000; i++) {
            const double power[2] = {i / 1000 % 2 ? 10 : 150, i / 700 % 2 ? 40 : 0};
            ws_thermal_step(thermal, &now, power, k);
            ws_thermal_nodes(thermal, &now, power, rise);
            double flow = 0;
            for (size_t n = 0; n < net->nodes; n++)
                flow += net->ambient[n] * rise[n];
            in += (power[0] + power[1]) * step_s;
            out += (before + flow) / 2 * step_s;
            before = flow;
        }
        double stored = 0;
        for (size_t n = 0; n < net->nodes; n++)
            stored += net->capacity[n] * rise[n];
        assert_true(stored > 0.01 * in && out > 0.3 * in);
        assert_close((stored + out) / in, 1, 2e-5);
        assert_close(k[0] - ws_thermal_ambient_k(thermal), rise[0], 1e-9);
        ws_thermal_destroy(thermal);
    }
}

/* A step is exact: one of 10 s is 1000 of 10 ms; a very long one is the steady state; none swings over. */
static void any_step(void **state)
{
    (void)state;
    const ws_thermal_chip chip = read_chip(renewable);
    static const double power[2] = {120, 30};
    double fine[2], coarse[2], steady[2];
    ws_thermal *thermal = create(&chip, 0.01);
    ws_thermal_state now;
    ws_thermal_start(thermal, NULL, &now);
    for (int i = 0; i < 1000; i++)
        ws_thermal_step(thermal, &now, power, fine);
    ws_thermal_steady(thermal, power, WS_THERMAL_DIE, steady);
    ws_thermal_destroy(thermal);
    thermal = create(&chip, 10);
    ws_thermal_start(thermal, NULL, &now);
    ws_thermal_step(thermal, &now, power, coarse);
    for (size_t b = 0; b < 2; b++)
        assert_close(fine[b], coarse[b], 1e-8);
    ws_thermal_destroy(thermal);
    static const double steps[] = {1e-9, 1e-6, 1e-3, 0.1, 1, 60, 3600, 1e7};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        thermal = create(&chip, steps[s]);
        ws_thermal_start(thermal, NULL, &now);
        double before = ws_thermal_ambient_k(thermal);
        for (int i = 0; i < 50; i++) {
            ws_thermal_step(thermal, &now, power, coarse);
            assert_true(coarse[0] >= before - 1e-9 && coarse[0] <= steady[0] + 1e-8);
            before = coarse[0];
        }
        assert_true(steps[s] < 60 || fabs(coarse[0] - steady[0]) < 1e-8);
        ws_thermal_start(thermal, power, &now); /* from the steady state, nothing moves */
        for (int i = 0; i < 50; i++)
            ws_thermal_step(thermal, &now, power, coarse);
        assert_true(fabs(coarse[0] - steady[0]) < 1e-8 && fabs(coarse[1] - steady[1]) < 1e-8);
        ws_thermal_destroy(thermal);
    }
}

/* Reciprocal, balanced, and heated by a watt anywhere; the steady flow to the air is the power. */
static void network_laws(void **state)
{
    (void)state;
    const char *const files[] = {two_blocks, renewable};
    for (size_t f = 0; f < 2; f++) {
        const ws_thermal_chip chip = read_chip(files[f]);
        ws_thermal *const thermal = create(&chip, 1);
        const ws_thermal_network *const net = ws_thermal_network_of(thermal);
        double ambient = 0;
        for (size_t i = 0; i < net->nodes; i++) {
            double sum = 0;
            for (size_t j = 0; j < net->nodes; j++) {
                sum += net->conductance[i][j];
                assert_true(net->conductance[i][j] == net->conductance[j][i] &&
                            (i == j || net->conductance[i][j] <= 0));
            }
            assert_true(fabs(sum - net->ambient[i]) < 1e-9 * net->conductance[i][i] && net->capacity[i] > 0);
            ambient += net->ambient[i];
        }
        assert_true(1 / ambient > chip.convection_k_w && 1 / ambient < 1.1 * chip.convection_k_w);
        double left[2], right[2], both[2];
        ws_thermal_steady(thermal, (const double[]){100, 0}, WS_THERMAL_DIE, left);
        ws_thermal_steady(thermal, (const double[]){0, 100}, WS_THERMAL_DIE, right);
        ws_thermal_steady(thermal, (const double[]){100, 100}, WS_THERMAL_DIE, both);
        assert_close(left[1], right[0], 1e-9);
        assert_true(left[0] > left[1] && right[1] > right[0] && left[1] > chip.ambient_k);
        assert_close(left[0] + right[0] - chip.ambient_k, both[0], 1e-9);
        ws_thermal_state now;
        double rise[WS_THERMAL_MOST], flow = 0;
        ws_thermal_start(thermal, (const double[]){70, 50}, &now);
        ws_thermal_nodes(thermal, &now, (const double[]){70, 50}, rise);
        for (size_t i = 0; i < net->nodes; i++)
            flow += net->ambient[i] * rise[i];
        assert_close(flow, 120, 1e-7);
        assert_true(ws_thermal_kept_modes(thermal) < net->nodes);
        ws_thermal_destroy(thermal);
    }
}

/* One block, or four with a quarter of its power each: the same temperature but for what lumping costs. */
static void finer_plans(void **state)
{
    (void)state;
    ws_thermal_chip chip = read_chip(two_blocks);
    chip.blocks = 1;
    chip.block[0].width_m = 16e-3;
    const double whole = 40, quarter[4] = {10, 10, 10, 10};
    double one, four[4];
    ws_thermal *thermal = create(&chip, 1);
    ws_thermal_steady(thermal, &whole, WS_THERMAL_DIE, &one);
    ws_thermal_destroy(thermal);
    chip.blocks = 4;
    for (size_t b = 0; b < 4; b++)
        chip.block[b] = (ws_thermal_block){"", 8e-3 * (double)(b % 2), 8e-3 * (double)(b / 2), 8e-3, 8e-3};
    thermal = create(&chip, 1);
    ws_thermal_steady(thermal, quarter, WS_THERMAL_DIE, four);
    ws_thermal_destroy(thermal);
    for (size_t b = 0; b < 4; b++)
        assert_close((four[b] - chip.ambient_k) / (one - chip.ambient_k), 1, 0.1);
    assert_close(four[0], four[3], 1e-9);
}

static void study_chip(void **state)
{
    (void)state;
    const ws_thermal_chip chip = read_chip(renewable);
    ws_thermal *const thermal = create(&chip, 1);
    assert_int_equal(ws_thermal_blocks(thermal), 2);
    assert_int_equal(ws_thermal_find_block(thermal, "uncore"), 1);
    assert_int_equal(ws_thermal_find_block(thermal, "core"), -1);
    assert_string_equal(ws_thermal_block_name(thermal, 0), "cores");
    double area = 0, k[2];
    for (size_t b = 0; b < 2; b++)
        area += chip.block[b].width_m * chip.block[b].height_m;
    assert_close(area * 1e6, 530, 0.5);
    ws_thermal_steady(thermal, (const double[]){150, 52.8}, WS_THERMAL_DIE, k); /* MUM of table 7-12 */
    assert_true(k[0] > 350 && k[0] < 370);
    ws_thermal_destroy(thermal);
    ws_thermal *none;
    assert_int_equal(ws_thermal_create(&chip, 0, &none), WS_EINPUT);
    assert_int_equal(ws_thermal_create(&chip, NAN, &none), WS_EINPUT);
    assert_null(none);
    ws_thermal_destroy(NULL);
}

static void refused_chips(void **state)
{
    (void)state;
    static const struct {
        const char *line, *instead, *message;
    } bad[] = {
        {"thickness = 0.15 mm", "thickness = 0.15", ":13: thickness = 0.15: expected the unit m, cm, mm or um"},
        {"thickness = 0.15 mm", "thickness = 15 mm", "expected 1e-06 to 0.01 m (thickness of the die)"},
        {"thickness = 0.15 mm\n", "", "c: [die] lacks thickness"},
        {"conductivity = 130 W/mK", "conductivity = 130 W/cmK", "expected the unit W/mK"},
        {"resistance = 0.1 K/W", "resistance = 0 K/W", "expected 0.0001 to 1000 K/W (from the whole sink to the air)"},
        {"lumping = 0.333", "lumping = 0.333\nnodes = 3", "a chip has no nodes in section [network]"},
        {"side = 30 mm", "side = 16 mm", "the spreader's side of 16 mm must be more than the die of 16 x 16 mm"},
        {"side = 60 mm", "side = 30 mm", "the sink's side of 30 mm must be more than the spreader's 30 mm"},
        {"right = 8 0 8 16 mm", "right = 7 0 9 16 mm", "[blocks] left and right overlap"},
        {"right = 8 0 8 16 mm", "right = 8 0 8 15 mm", "[blocks] leave holes in the die of 16 x 16 mm"},
        {"right = 8 0 8 16 mm", "right = 8 0 8 mm", "expected x, y, width, height and a unit, such as 0 0 8 16 mm"},
        {"right = 8 0 8 16 mm", "right = 8 0 8 16", "expected x, y, width"},
        {"right = 8 0 8 16 mm", "right = 8 0 -8 16 mm", "expected x, y, width"},
        {"right = 8 0 8 16 mm", "right = 8 0 8 NaN mm", "expected x, y, width"},
        {"right = 8 0 8 16 mm", "right = 8 0 8 16 mm\nright = 1 1 1 1 mm", "right stands in line"},
        {"left = 0 0 8 16 mm\nright = 8 0 8 16 mm", "", "[blocks] has no block"},
        {"right = 8 0 8 16 mm", "right = 8 0 8 16 mm\n[parts]\nsupply = left middle",
         "supply = left middle: expected names of"},
        {"right = 8 0 8 16 mm", "right = 8 0 8 16 mm\n[parts]\nsupply = lef", "supply = lef: expected names of"},
    };
    FILE *const file = fopen(two_blocks, "r");
    assert_non_null(file);
    char good[4096], text[4600];
    good[fread(good, 1, sizeof good - 1, file)] = '\0';
    fclose(file);
    ws_thermal_chip chip;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const at = strstr(good, bad[i].line);
        assert_non_null(at);
        const int length =
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, bad[i].instead, at + strlen(bad[i].line));
        assert_int_equal(ws_thermal_chip_parse("c", text, (size_t)length, &chip), WS_EINPUT);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
    int length = snprintf(text, sizeof text, "[blocks]\n");
    for (int b = 0; b <= WS_THERMAL_BLOCKS; b++)
        length += snprintf(text + length, sizeof text - (size_t)length, "b%d = %d 0 1 1 mm\n", b, b);
    assert_int_equal(ws_thermal_chip_parse("c", text, (size_t)length, &chip), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "c:34:7: b32 = 32 0 1 1 mm: one block too many"));
    length = snprintf(text, sizeof text, "[blocks]\nb = 0 0 1 1 mm\n[parts]\n");
    for (int p = 0; p <= WS_THERMAL_PARTS; p++)
        length += snprintf(text + length, sizeof text - (size_t)length, "p%d = b\n", p);
    assert_int_equal(ws_thermal_chip_parse("c", text, (size_t)length, &chip), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "c:36:7: p32 = b: one part too many"));
    assert_int_equal(ws_thermal_chip_read("no/such.ini", &chip), WS_EIO);
}

/* A part heats the blocks of its names: one, or all that have a number behind it. */
static void parts_of_a_chip(void **state)
{
    (void)state;
    const ws_thermal_chip chip = read_chip("data/tech/thermal_gf100.ini");
    assert_int_equal(chip.blocks, 27);
    for (size_t p = 0; p < chip.parts; p++)
        for (size_t b = 0; b < chip.blocks; b++) {
            const char *const name = chip.block[b].name, *const part = chip.part[p].name;
            const bool is_core = !strncmp(name, "core.", 5);
            const bool expected = !strcmp(part, "network")      ? !strcmp(name, "network")
                                  : !strcmp(part, "l2")         ? !strncmp(name, "l2.", 3)
                                  : !strcmp(part, "controller") ? !strncmp(name, "memory.", 7)
                                  : !strcmp(part, "uncore")     ? !is_core
                                                                : is_core;
            assert_int_equal(chip.part[p].heats[b], expected);
        }
    assert_int_equal(read_chip(two_blocks).parts, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_as_hotspot), cmocka_unit_test(transient_as_hotspot), cmocka_unit_test(one_node),
        cmocka_unit_test(two_nodes),         cmocka_unit_test(heat_is_conserved),    cmocka_unit_test(any_step),
        cmocka_unit_test(network_laws),      cmocka_unit_test(finer_plans),          cmocka_unit_test(study_chip),
        cmocka_unit_test(refused_chips),     cmocka_unit_test(parts_of_a_chip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
