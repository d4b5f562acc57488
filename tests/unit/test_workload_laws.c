/* test_workload_laws.c - laws that the kernels of the built-in workloads obey, at shapes that the workloads themselves
 * do not use: no reference computes the same thing here, only what must hold for any input. Run from the repository's
 * root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "collect/simt/engine.h"
#include "collect/simt/texture.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A device with one workload's PTX on it. */
typedef struct bench {
    ws_device *device;
    ws_module *module;
    ws_image *image;
    gsl_rng *rng;
} bench;

static void check(int rc)
{
    if (rc != WS_OK)
        fail_msg("%s", ws_message());
}

static bench open_bench(const char *path)
{
    const ws_device_options options = {.workers = 2, .memory_bytes = 1 << 26};
    bench b = {.rng = gsl_rng_alloc(gsl_rng_taus2)};
    assert_non_null(b.rng);
    gsl_rng_set(b.rng, 7);
    check(ws_ptx_load(path, &b.module));
    check(ws_device_create(&options, &b.device));
    check(ws_image_load(b.device, b.module, &b.image));
    return b;
}

static void close_bench(bench *b)
{
    ws_device_destroy(b->device);
    ws_module_destroy(b->module);
    gsl_rng_free(b->rng);
}

static double uniform(const bench *b, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(b->rng);
}

static uint64_t allocate(const bench *b, size_t bytes)
{
    uint64_t address = 0;
    check(ws_device_alloc(b->device, bytes, &address));
    return address;
}

/* The host's view of device memory. */
static void *view(const bench *b, uint64_t address, size_t bytes)
{
    void *const p = ws_device_pointer(b->device, address, bytes);
    assert_non_null(p);
    return p;
}

static void *view_symbol(const bench *b, const char *name)
{
    uint64_t address = 0, bytes = 0;
    check(ws_image_symbol(b->image, name, &address, &bytes));
    return view(b, address, bytes);
}

typedef struct shape {
    uint32_t grid[2], block[2], shared;
} shape;

static void launch(const bench *b, const char *kernel, shape s, const void *params)
{
    ws_kernel *k = NULL;
    ws_run_result result;
    const ws_run run = {
        .grid = {s.grid[0], s.grid[1], 1},
        .block = {s.block[0], s.block[1], 1},
        .dynamic_shared = s.shared,
        .params = params,
    };
    check(ws_image_kernel(b->image, kernel, &k));
    check(ws_kernel_run(k, &run, &result));
    assert_int_equal(result.blocks_done, s.grid[0] * s.grid[1]);
}

/* ------------------------------------------------------------------------------------------------ FWT */

static void walsh(const bench *b, uint64_t values, uint32_t log2n, uint32_t shared_log2)
{
    uint32_t piece = log2n;
    for (; piece > shared_log2; piece -= 2) {
        const struct {
            uint64_t values;
            uint32_t stride;
        } params = {values, 1u << (piece - 2)};
        const uint32_t threads = 1u << (log2n - 2), block = threads < 64 ? threads : 64;
        launch(b, "fwt_global", (shape){{threads / block, 1}, {block, 1}, 0}, &params);
    }
    const struct {
        uint64_t values;
        uint32_t log2n;
    } params = {values, piece};
    launch(b, "fwt_shared", (shape){{1u << (log2n - piece), 1}, {1u << (piece - 2), 1}, 4u << piece}, &params);
}

/* A transform of a transform is the signal times its length: exactly, for small whole numbers. Even and odd lengths
 * go through radix-4 stages alone and through the radix-2 stage. */
static void test_walsh_twice(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/walsh/walsh.ptx");
    for (uint32_t log2n = 4; log2n <= 13; log2n++) {
        const size_t n = (size_t)1 << log2n;
        const uint64_t values = allocate(&b, n * sizeof(float));
        float *const v = view(&b, values, n * sizeof(float)), *const before = malloc(n * sizeof *before);
        assert_non_null(before);
        for (size_t i = 0; i < n; i++)
            v[i] = before[i] = (float)gsl_rng_uniform_int(b.rng, 7) - 3;
        walsh(&b, values, log2n, log2n > 8 ? 7 : 11);
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += before[i];
        assert_true(v[0] == (float)sum); /* the lowest coefficient */
        walsh(&b, values, log2n, 11);
        for (size_t i = 0; i < n; i++)
            assert_true(v[i] == before[i] * (float)n);
        free(before);
        check(ws_device_free(b.device, values));
    }
    close_bench(&b);
}

/* ------------------------------------------------------------------------------------------------ 64H */

/* Counts data of `packs` packs of 16 bytes by `blocks` blocks. */
static void histogram(const bench *b, uint64_t data, uint32_t packs, uint32_t blocks, uint32_t *bins)
{
    const uint64_t partial = allocate(b, (size_t)blocks * 64 * 4), total = allocate(b, 64 * 4);
    const struct {
        uint64_t partial, data;
        uint32_t packs;
    } count = {partial, data, packs};
    const struct {
        uint64_t histogram, partial;
        uint32_t partials;
    } merge = {total, partial, blocks};
    launch(b, "h64_count", (shape){{blocks, 1}, {64, 1}, 0}, &count);
    launch(b, "h64_merge", (shape){{64, 1}, {256, 1}, 0}, &merge);
    memcpy(bins, view(b, total, 64 * 4), 64 * 4);
}

/* Every byte the same: one bin holds all, also when each thread counts 240, near what its counter can take. */
static void test_histogram_of_one_value(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/histogram64/histogram64.ptx");
    const uint32_t blocks = 3, packs = blocks * 64 * 15;
    const uint64_t data = allocate(&b, (size_t)packs * 16);
    for (unsigned value = 0; value < 256; value += 51) {
        uint32_t bins[64];
        memset(view(&b, data, (size_t)packs * 16), (int)value, (size_t)packs * 16);
        histogram(&b, data, packs, blocks, bins);
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(bins[i], i == value >> 2 ? packs * 16 : 0);
    }
    close_bench(&b);
}

/* Bins add up to the bytes, for numbers of packs that leave threads without work. */
static void test_histogram_total(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/histogram64/histogram64.ptx");
    const uint64_t data = allocate(&b, 1000 * 16);
    uint8_t *const bytes = view(&b, data, 1000 * 16);
    for (size_t i = 0; i < 1000 * 16; i++)
        bytes[i] = (uint8_t)gsl_rng_uniform_int(b.rng, 256);
    for (uint32_t packs = 1; packs <= 1000; packs += 111) {
        uint32_t bins[64], sum = 0;
        histogram(&b, data, packs, 2, bins);
        for (unsigned i = 0; i < 64; i++)
            sum += bins[i];
        assert_int_equal(sum, packs * 16);
    }
    close_bench(&b);
}

/* ------------------------------------------------------------------------------------------------ BS, BN */

/* A call less a put is worth spot less discounted strike, whatever the volatility. */
static void test_put_call_parity(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/blackscholes/blackscholes.ptx");
    const uint32_t n = 1001; /* not a multiple of the threads */
    uint64_t address[5];
    float *v[5];
    for (int i = 0; i < 5; i++) {
        address[i] = allocate(&b, n * sizeof(float));
        v[i] = view(&b, address[i], n * sizeof(float));
    }
    for (uint32_t i = 0; i < n; i++) {
        v[2][i] = (float)uniform(&b, 5, 50);
        v[3][i] = (float)uniform(&b, 5, 50);
        v[4][i] = (float)uniform(&b, 0.1, 5);
    }
    for (float volatility = 0.05f; volatility < 1; volatility += 0.3f) {
        const struct {
            uint64_t call, put, spot, strike, years;
            float rate, volatility;
            uint32_t options;
        } params = {address[0], address[1], address[2], address[3], address[4], 0.05f, volatility, n};
        launch(&b, "bs_price", (shape){{3, 1}, {64, 1}, 0}, &params);
        for (uint32_t i = 0; i < n; i++) {
            const double spot = v[2][i], discounted = v[3][i] * exp(-0.05 * v[4][i]);
            assert_true(fabs(v[0][i] - v[1][i] - (spot - discounted)) <= 2e-6 * (spot + v[3][i]));
            /* Bounds that no model may cross. */
            assert_true(v[0][i] >= fmax(0, spot - discounted) - 1e-4 && v[0][i] <= spot + 1e-4);
            assert_true(v[1][i] >= fmax(0, discounted - spot) - 1e-4 && v[1][i] <= discounted + 1e-4);
        }
    }
    close_bench(&b);
}

/* One step up or down with price 1 or 0 behind it: values of the tree are known by hand, for one fold and for many
 * tiles. */
static void test_binomial_of_known_trees(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/binomial/binomial.ptx");
    typedef struct option {
        float spot, strike, sway, up, down;
    } option;
    option *const o = view_symbol(&b, "bn_options");
    for (uint32_t steps = 32; steps <= 1024; steps *= 2) {
        /* 0: the price stands still and nothing is discounted: 20 - 5. 1: worth nothing at any leaf. 2: up and down add
         * up to 31/32, which discounts the 15 at each step. */
        o[0] = (option){20, 5, 0, 0.5f, 0.5f};
        o[1] = (option){1, 1e6f, 0.001f, 0.5f, 0.5f};
        o[2] = (option){20, 5, 0, 0.375f, 0.59375f};
        const uint32_t pitch = steps + 16;
        const struct {
            uint64_t levels, value;
            uint32_t steps, pitch;
        } params = {allocate(&b, (size_t)3 * pitch * 4), allocate(&b, 3 * sizeof(float)), steps, pitch};
        launch(&b, "bn_value", (shape){{3, 1}, {256, 1}, 0}, &params);
        const float *const value = view(&b, params.value, 3 * sizeof(float));
        assert_float_equal(value[0], 15, 0);
        assert_float_equal(value[1], 0, 0);
        assert_float_equal(value[2], 15 * pow(0.96875, steps), 15e-5 * pow(0.96875, steps));
    }
    close_bench(&b);
}

/* ------------------------------------------------------------------------------------------------ KM */

/* Points that are centres belong to themselves; of two equal centres the first wins. */
static void test_kmeans_of_centres(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/kmeans/kmeans.ptx");
    enum { CLUSTERS = 7, FEATURES = 13, POINTS = 300 };
    const uint64_t rows = allocate(&b, POINTS * FEATURES * 4), columns = allocate(&b, POINTS * FEATURES * 4);
    const uint64_t member = allocate(&b, POINTS * 4);
    const ws_texture floats = {
        .address = columns, .width = POINTS * FEATURES, .texel = WS_TEXEL_F32, .channels = 1, .by_index = true};
    uint64_t texture = 0;
    check(ws_texture_create(b.device, WS_IS_TEXTURE, &floats, &texture));
    float *const centre = view_symbol(&b, "km_centre"), *const row = view(&b, rows, POINTS * FEATURES * 4);
    for (int i = 0; i < CLUSTERS * FEATURES; i++)
        centre[i] = (float)uniform(&b, -1, 1);
    memcpy(centre + (CLUSTERS - 1) * FEATURES, centre, FEATURES * sizeof(float)); /* the last is the first again */
    for (int p = 0; p < POINTS; p++)
        memcpy(row + p * FEATURES, centre + p % CLUSTERS * FEATURES, FEATURES * sizeof(float));
    const struct {
        uint64_t rows, columns;
        uint32_t points, features;
    } transpose = {rows, columns, POINTS, FEATURES};
    const struct {
        uint64_t columns, member;
        uint32_t points, features, clusters;
    } assign = {texture, member, POINTS, FEATURES, CLUSTERS};
    launch(&b, "km_transpose", (shape){{5, 1}, {64, 1}, 0}, &transpose);
    launch(&b, "km_assign", (shape){{5, 1}, {64, 1}, 0}, &assign);
    const int32_t *const got = view(&b, member, POINTS * 4);
    for (int p = 0; p < POINTS; p++)
        assert_int_equal(got[p], p % CLUSTERS % (CLUSTERS - 1));
    close_bench(&b);
}

/* ------------------------------------------------------------------------------------------------ BP */

/* Weights of one: partial sums are sums of inputs. No gradient and no momentum: nothing changes. */
static void test_backprop_without_gradient(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/backprop/backprop.ptx");
    enum { INPUTS = 64, HIDDEN = 32, WEIGHTS = (INPUTS + 1) * (HIDDEN + 1) };
    const uint64_t input = allocate(&b, (INPUTS + 1) * 4), weight = allocate(&b, WEIGHTS * 4);
    const uint64_t change = allocate(&b, WEIGHTS * 4), partial = allocate(&b, INPUTS / 16 * HIDDEN * 4);
    const uint64_t delta = allocate(&b, (HIDDEN + 1) * 4);
    float *const in = view(&b, input, (INPUTS + 1) * 4), *const w = view(&b, weight, WEIGHTS * 4);
    for (int i = 0; i <= INPUTS; i++)
        in[i] = (float)(int)gsl_rng_uniform_int(b.rng, 100);
    for (int i = 0; i < WEIGHTS; i++)
        w[i] = 1;
    const struct {
        uint64_t input, weight, partial;
        uint32_t hidden;
    } forward = {input, weight, partial, HIDDEN};
    const struct {
        uint64_t delta, input, weight, change;
        uint32_t hidden;
        float rate, momentum;
    } adjust = {delta, input, weight, change, HIDDEN, 0.5f, 0.5f};
    launch(&b, "bp_forward", (shape){{HIDDEN / 16, INPUTS / 16}, {16, 16}, 0}, &forward);
    launch(&b, "bp_adjust", (shape){{HIDDEN / 16, INPUTS / 16}, {16, 16}, 0}, &adjust);
    const float *const sums = view(&b, partial, INPUTS / 16 * HIDDEN * 4);
    for (int i = 0; i < INPUTS / 16; i++) {
        float want = 0;
        for (int k = 1; k <= 16; k++)
            want += in[i * 16 + k];
        for (int j = 0; j < HIDDEN; j++)
            assert_true(sums[i * HIDDEN + j] == want);
    }
    for (int i = 0; i < WEIGHTS; i++)
        assert_true(w[i] == 1);
    close_bench(&b);
}

/* ------------------------------------------------------------------------------------------------ SRAD */

/* What leaves a pixel enters its neighbour: the sum of the image stays, and a flat image stays as it is. The image is
 * not square here. */
static void test_srad_conserves(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/srad/srad.ptx");
    enum { COLUMNS = 48, ROWS = 32, PIXELS = COLUMNS * ROWS };
    uint64_t address[6]; /* image, north, south, west, east, coefficient */
    for (int i = 0; i < 6; i++)
        address[i] = allocate(&b, PIXELS * 4);
    float *const image = view(&b, address[0], PIXELS * 4);
    const struct {
        uint64_t image, north, south, west, east, coefficient;
        uint32_t columns, rows;
        float q0;
    } first = {address[0], address[1], address[2], address[3], address[4], address[5], COLUMNS, ROWS, 0.05f};
    const struct {
        uint64_t image, north, south, west, east, coefficient;
        uint32_t columns, rows;
        float lambda;
    } second = {address[0], address[1], address[2], address[3], address[4], address[5], COLUMNS, ROWS, 0.5f};
    const shape tiles = {{COLUMNS / 16, ROWS / 16}, {16, 16}, 0};
    double before = 0, after = 0, moved = 0;
    for (int i = 0; i < PIXELS; i++)
        before += image[i] = (float)uniform(&b, 1, 2);
    const float corner = image[PIXELS - 1];
    for (int round = 0; round < 3; round++) {
        launch(&b, "srad_coefficient", tiles, &first);
        launch(&b, "srad_update", tiles, &second);
    }
    for (int i = 0; i < PIXELS; i++)
        after += image[i];
    moved = fabs((double)image[PIXELS - 1] - corner);
    assert_true(fabs(after - before) <= 1e-6 * before);
    assert_true(moved > 1e-4); /* it did something */

    for (int i = 0; i < PIXELS; i++)
        image[i] = 1.5f;
    launch(&b, "srad_coefficient", tiles, &first);
    launch(&b, "srad_update", tiles, &second);
    for (int i = 0; i < PIXELS; i++)
        assert_true(image[i] == 1.5f);
    close_bench(&b);
}

/* Sums of whole numbers are exact; extracting and compressing are inverse. */
static void test_srad_statistics(void **state)
{
    (void)state;
    bench b = open_bench("data/workloads/srad/srad.ptx");
    enum { COUNT = 1000 };
    const uint64_t image = allocate(&b, COUNT * 4), sum = allocate(&b, 8), sum2 = allocate(&b, 8);
    float *const v = view(&b, image, COUNT * 4);
    double want = 0, want2 = 0;
    for (int i = 0; i < COUNT; i++) {
        v[i] = (float)(int)gsl_rng_uniform_int(b.rng, 90);
        want += v[i];
        want2 += v[i] * v[i];
    }
    const struct {
        uint64_t first, second, sum, sum2;
        uint32_t count, squares;
    } params = {image, image, sum, sum2, COUNT, 1};
    launch(&b, "srad_statistics", (shape){{2, 1}, {256, 1}, 0}, &params);
    const float *const got = view(&b, sum, 8), *const got2 = view(&b, sum2, 8);
    assert_true(got[0] + got[1] == (float)want);
    assert_true((double)got2[0] + got2[1] == want2);

    float before[COUNT];
    memcpy(before, v, sizeof before);
    const struct {
        uint64_t image;
        uint32_t pixels;
    } all = {image, COUNT};
    launch(&b, "srad_extract", (shape){{4, 1}, {256, 1}, 0}, &all);
    launch(&b, "srad_compress", (shape){{4, 1}, {256, 1}, 0}, &all);
    for (int i = 0; i < COUNT; i++)
        assert_float_equal(v[i], before[i], 1e-4);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walsh_twice),
        cmocka_unit_test(test_histogram_of_one_value),
        cmocka_unit_test(test_histogram_total),
        cmocka_unit_test(test_put_call_parity),
        cmocka_unit_test(test_binomial_of_known_trees),
        cmocka_unit_test(test_kmeans_of_centres),
        cmocka_unit_test(test_backprop_without_gradient),
        cmocka_unit_test(test_srad_conserves),
        cmocka_unit_test(test_srad_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
