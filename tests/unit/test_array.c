/* Arrays: beside what CACTI 7 and NVSim print, in order of size and node, and by their laws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "model/array/array.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static ws_node node_of(unsigned nm)
{
    char path[64];
    ws_node node;
    snprintf(path, sizeof path, "data/tech/node_%unm.ini", nm);
    assert_int_equal(ws_node_read(path, &node), WS_OK);
    return node;
}

static ws_cell cell_of(const char *name)
{
    char path[64];
    ws_cell cell;
    snprintf(path, sizeof path, "data/tech/cell_%s.ini", name);
    assert_int_equal(ws_cell_read(path, &cell), WS_OK);
    return cell;
}

/* Of CACTI 7.0.3 (commit 1ffd8df), cache.cfg with no ECC, 350 K, one bank, one port, all else as it comes;
 * docs/power-measured.md has the command. A way of 0 is a plain memory. `odd`: quantities that are further off than the
 * band, with the reason there: CACTI folds caches whose ways do not fit side by side badly. */
enum { ACCESS = 1, READ = 2, WRITE = 4, LEAKAGE = 8, AREA = 16 };
static const struct {
    uint32_t bytes, ways, line, nm;
    double access_ns, read_pj, write_pj, leakage_mw, area_mm2;
    unsigned odd;
} cacti[] = {
    {16384, 8, 64, 45, 1.21752, 176, 159.656, 19.7754, 0.263598, AREA},
    {32768, 8, 64, 45, 1.2737, 181.061, 167.312, 34.697, 0.306373, AREA},
    {65536, 8, 64, 45, 1.21061, 228.487, 238.402, 66.1483, 0.771314, 0},
    {131072, 8, 64, 45, 1.25447, 240.317, 253.332, 126.57, 0.974997, 0},
    {32768, 8, 64, 40, 1.06741, 177.986, 178.29, 24.2145, 0.541136, 0},
    {16384, 8, 64, 32, 0.870718, 121.613, 119.389, 6.19581, 0.325106, 0},
    {32768, 8, 64, 32, 0.89854, 123.424, 123.748, 10.8395, 0.34708, 0},
    {65536, 8, 64, 32, 0.933176, 126.843, 132.14, 20.097, 0.390782, 0},
    {131072, 8, 64, 32, 0.987617, 133.917, 140.293, 38.3942, 0.49383, 0},
    {32768, 8, 64, 28, 0.814666, 102.571, 102.942, 8.46938, 0.265651, 0},
    {16384, 8, 64, 22, 0.66476, 64.0797, 63.1724, 3.26561, 0.154346, 0},
    {32768, 8, 64, 22, 0.688533, 65.1235, 65.4401, 5.52193, 0.164736, 0},
    {65536, 8, 64, 22, 0.718691, 67.1211, 69.8222, 10.024, 0.185171, 0},
    {131072, 8, 64, 22, 0.770622, 71.286, 74.1496, 18.9211, 0.233839, 0},
    {32768, 4, 128, 22, 0.686988, 123.199, 124.001, 5.84282, 0.300073, AREA},
    {262144, 16, 128, 22, 2.45544, 614.026, 633.683, 37.1826, 1.53792, ACCESS | READ | WRITE | AREA},
    {1048576, 16, 64, 32, 2.04369, 379.503, 415.896, 294.624, 2.29435, 0},
    {8192, 0, 8, 45, 0.287487, 5.28833, 6.50229, 8.75319, 0.0262912, READ | WRITE},
    {16384, 0, 128, 45, 0.367014, 78.2499, 101.81, 16.3657, 0.141199, 0},
    {65536, 0, 32, 45, 0.504959, 41.7095, 51.8869, 59.8119, 0.198931, 0},
    {8192, 0, 8, 32, 0.211039, 2.90825, 3.43055, 2.68822, 0.0133141, WRITE},
    {16384, 0, 128, 32, 0.276332, 43.2433, 55.8708, 4.97958, 0.0717459, 0},
    {65536, 0, 32, 32, 0.392448, 23.6644, 28.0881, 18.1036, 0.100681, 0},
    {8192, 0, 8, 22, 0.134702, 1.50402, 1.68587, 1.32939, 0.00627193, 0},
    {16384, 0, 128, 22, 0.199226, 23.0423, 29.4916, 2.52781, 0.0341936, 0},
    {65536, 0, 32, 22, 0.292941, 12.8837, 14.4551, 8.77095, 0.0476002, 0},
};
enum { TAG_BITS = 28 };
static const double band = 1.5, odd_band = 3;

/* A cache: tags of `tag_bits`, and the data of a line. At once: all ways' data are sensed while tags are looked up;
 * else that of the way that hits, after them. */
typedef struct cache_arrays {
    uint64_t bytes;
    uint32_t ways, line, tag_bits;
    bool at_once;
} cache_arrays;

static int evaluate_cache(const ws_node *node, const ws_cell *cell, const cache_arrays *s, double volts, double kelvin,
                          ws_array_result *out)
{
    const uint32_t tag = (s->tag_bits + CHAR_BIT - 1) / CHAR_BIT;
    const ws_array_shape data = {.bytes = s->bytes, .word = s->line, .ways = s->at_once ? s->ways : 1};
    const ws_array_shape tags = {.bytes = s->bytes / s->line * tag, .word = tag, .ways = s->ways};
    ws_array_result look;
    int status = ws_array_evaluate(node, cell, &data, volts, kelvin, out);
    if (!status)
        status = ws_array_evaluate(node, cell, &tags, volts, kelvin, &look);
    if (status)
        return status;
    out->read_j += look.read_j;
    out->write_j += look.read_j;
    out->leakage_w += look.leakage_w;
    out->area_m2 += look.area_m2;
    out->access_s = s->at_once ? fmax(out->access_s, look.access_s) : out->access_s + look.access_s;
    out->write_s += look.access_s;
    return WS_OK;
}

static ws_array_result evaluate(const ws_node *node, const ws_cell *cell, uint32_t bytes, uint32_t ways, uint32_t line)
{
    ws_array_result r;
    const cache_arrays cache = {.bytes = bytes, .ways = ways, .line = line, .tag_bits = TAG_BITS, .at_once = true};
    const ws_array_shape memory = {.bytes = bytes, .word = line};
    assert_int_equal(ways ? evaluate_cache(node, cell, &cache, node->nominal_v, 350, &r)
                          : ws_array_evaluate(node, cell, &memory, node->nominal_v, 350, &r),
                     WS_OK);
    return r;
}

static void hold(const char *what, size_t row, double ours, double theirs, bool odd)
{
    const double ratio = ours / theirs, most = odd ? odd_band : band;
    if (theirs > 0 && !(ratio < most && ratio > 1 / most))
        fail_msg("%s of row %zu: %g times what it is there, at most %g is expected", what, row, ratio, most);
    if (theirs > 0 && odd && ratio < band && ratio > 1 / band)
        fail_msg("%s of row %zu: %g times what it is there; it is no longer odd", what, row, ratio);
}

static void beside_cacti(void **state)
{
    (void)state;
    const ws_cell cell = cell_of("sram");
    for (size_t i = 0; i < sizeof cacti / sizeof *cacti; i++) {
        const ws_node node = node_of(cacti[i].nm);
        const ws_array_result r = evaluate(&node, &cell, cacti[i].bytes, cacti[i].ways, cacti[i].line);
        hold("access", i, r.access_s * 1e9, cacti[i].access_ns, cacti[i].odd & ACCESS);
        hold("read", i, r.read_j * 1e12, cacti[i].read_pj, cacti[i].odd & READ);
        hold("write", i, r.write_j * 1e12, cacti[i].write_pj, cacti[i].odd & WRITE);
        hold("leakage", i, r.leakage_w * 1e3, cacti[i].leakage_mw, cacti[i].odd & LEAKAGE);
        hold("area", i, r.area_m2 * 1e6, cacti[i].area_mm2, cacti[i].odd & AREA);
    }
}

/* Of NVSim (commit 6334d00), sample_STTRAM.cell, high performance, 350 K, read EDP: plain memories of rows of 512 bits,
 * one of 128, and a cache. Its leakage is left out: it has some seven times what CACTI has for an SRAM of the same
 * size, too (docs/power-measured.md). */
static const struct {
    uint32_t nm, bytes, word;
    double read_pj, write_pj, read_ns, write_ns, area_um2;
} nvsim[] = {
    {22, 16384, 64, 122.327, 519.733, 1.627, 10.161, 22522}, {22, 32768, 64, 122.394, 527.034, 1.668, 10.197, 27349},
    {22, 65536, 64, 123.285, 527.654, 1.743, 10.247, 34557}, {22, 131072, 64, 123.724, 542.254, 1.861, 10.446, 51842},
    {32, 32768, 64, 98.859, 534.732, 1.333, 10.226, 58430},  {45, 32768, 64, 79.987, 551.495, 1.081, 10.245, 115547},
    {22, 65536, 16, 31.861, 132.491, 1.739, 10.241, 22717},
};

static void beside_nvsim(void **state)
{
    (void)state;
    const ws_cell cell = cell_of("stt");
    for (size_t i = 0; i < sizeof nvsim / sizeof *nvsim; i++) {
        const ws_node node = node_of(nvsim[i].nm);
        const ws_array_result r = evaluate(&node, &cell, nvsim[i].bytes, 0, nvsim[i].word);
        hold("read", i, r.read_j * 1e12, nvsim[i].read_pj, false);
        hold("write", i, r.write_j * 1e12, nvsim[i].write_pj, false);
        hold("read latency", i, r.access_s * 1e9, nvsim[i].read_ns, false);
        hold("write latency", i, r.write_s * 1e9, nvsim[i].write_ns, false);
        hold("area", i, r.area_m2 * 1e12, nvsim[i].area_um2, false);
    }
    const ws_node node = node_of(22);
    const ws_array_result cache = evaluate(&node, &cell, 32768, 8, 64);
    hold("hit of a cache", 0, cache.read_j * 1e12, 485, false);
    hold("latency of a cache", 0, cache.access_s * 1e9, 1.905, false);
    hold("area of a cache", 0, cache.area_m2 * 1e6, 0.088, false);
}

static void in_order(void **state)
{
    (void)state;
    static const unsigned nm[] = {45, 40, 32, 28, 22};
    const ws_cell sram = cell_of("sram"), stt = cell_of("stt");
    for (size_t n = 0; n < sizeof nm / sizeof *nm; n++) {
        const ws_node node = node_of(nm[n]);
        for (uint32_t bytes = 4096; bytes < 1 << 20; bytes *= 2) {
            const ws_array_result a = evaluate(&node, &sram, bytes, 0, 64),
                                  b = evaluate(&node, &sram, 2 * bytes, 0, 64);
            assert_true(b.leakage_w > a.leakage_w && b.area_m2 > a.area_m2 && b.access_s > a.access_s);
            assert_true(evaluate(&node, &stt, bytes, 0, 64).write_j > a.write_j);
            assert_true(evaluate(&node, &stt, bytes, 0, 64).leakage_w < a.leakage_w);
            if (n) {
                const ws_node larger = node_of(nm[n - 1]);
                const ws_array_result c = evaluate(&larger, &sram, bytes, 0, 64);
                assert_true(c.read_j > a.read_j && c.area_m2 > a.area_m2 && c.access_s > a.access_s);
            }
        }
    }
}

/* Lines switch C V^2; nothing leaks without a voltage, more does where it is hotter. */
static void laws(void **state)
{
    (void)state;
    const ws_node node = node_of(22);
    const ws_cell cell = cell_of("sram");
    const ws_array_shape shape = {.bytes = 32768, .word = 64};
    ws_array_result one, two, hot, none;
    assert_int_equal(ws_array_evaluate(&node, &cell, &shape, 0.8, 350, &one), WS_OK);
    assert_int_equal(ws_array_evaluate(&node, &cell, &shape, 1.0, 350, &two), WS_OK);
    assert_int_equal(ws_array_evaluate(&node, &cell, &shape, 0.8, 380, &hot), WS_OK);
    assert_int_equal(ws_array_evaluate(&node, &cell, &shape, 0, 350, &none), WS_OK);
    assert_true(two.write_j > one.write_j && hot.leakage_w > one.leakage_w && hot.read_j == one.read_j);
    assert_true(none.leakage_w == 0);
    const ws_array_shape small = {.bytes = 32, .word = 64};
    assert_int_equal(ws_array_evaluate(&node, &cell, &small, 0.8, 350, &one), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "no room"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_cacti),
        cmocka_unit_test(beside_nvsim),
        cmocka_unit_test(in_order),
        cmocka_unit_test(laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
