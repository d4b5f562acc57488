/* test_modern_engine.c - do the kernels of bench/six, really run, give the modern set's closed forms, on any number of
 * workers? Run from the root of the repository: the kernels are read from bench/six. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/simt/engine.h"
#include "metrics/collector.h"
#include "metrics/metric_layout.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 1024, BUFFER = 1 << 20 };

/* A kernel of bench/six: pointers, then n. */
typedef struct job {
    const char *kernel;
    uint32_t grid[3], block[3];
    unsigned pointers;
    int n;
    uint32_t input; /* first buffer: word i holds i % input */
} job;

typedef struct result {
    ws_layout layout;
    double value[COLUMNS];
} result;

static void must(int status)
{
    if (status != WS_OK)
        fail_msg("%s", ws_message());
}

static void fill_params(ws_device *device, const job *j, uint8_t *params)
{
    for (unsigned i = 0; i < j->pointers; i++) {
        uint64_t address;
        must(ws_device_alloc(device, BUFFER, &address));
        memcpy(params + 8 * i, &address, 8);
        uint32_t *const word = ws_device_pointer(device, address, BUFFER);
        for (uint32_t k = 0; i == 0 && k < BUFFER / 4; k++)
            word[k] = k % j->input;
    }
    memcpy(params + 8 * j->pointers, &j->n, sizeof j->n);
}

static void read_columns(const ws_collector *collector, result *out)
{
    size_t families, sinks;
    const ws_metric *const *const all = ws_metrics(&families);
    ws_collector_sinks(collector, &sinks);
    for (size_t i = 0; i < sinks; i++) {
        const ws_metric *const m = ws_collector_metric(collector, i);
        double value[256];
        assert_true(ws_metric_columns(m) <= 256);
        m->emit(ws_collector_counters(collector, i), value);
        for (size_t c = 0; c < out->layout.columns; c++)
            if (all[out->layout.column[c].family] == m)
                out->value[c] = value[out->layout.column[c].value];
    }
}

static void measure_job(const job *j, unsigned workers, result *out)
{
    char path[64];
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    ws_collector *collector;
    uint8_t params[64] = {0};
    ws_run_result done;
    snprintf(path, sizeof path, "bench/six/%s.ptx", j->kernel);
    must(ws_ptx_load(path, &module));
    must(ws_device_create(&(ws_device_options){.workers = workers}, &device));
    must(ws_image_load(device, module, &image));
    must(ws_image_kernel(image, j->kernel, &kernel));
    must(ws_collector_create("modern", &collector));
    must(ws_layout_init("modern", &out->layout));
    assert_true(out->layout.columns <= COLUMNS);
    fill_params(device, j, params);
    ws_run run = {.grid = {j->grid[0], j->grid[1], j->grid[2]},
                  .block = {j->block[0], j->block[1], j->block[2]},
                  .params = params,
                  .workers = workers,
                  .collect = ws_collector_collect,
                  .context = collector};
    run.sinks = ws_collector_sinks(collector, &run.sink_count);
    must(ws_kernel_run(kernel, &run, &done));
    read_columns(collector, out);
    ws_collector_destroy(collector);
    ws_device_destroy(device);
    ws_module_destroy(module);
}

static double get(const result *r, const char *name)
{
    for (size_t i = 0; i < r->layout.columns; i++)
        if (strcmp(r->layout.column[i].name, name) == 0)
            return r->value[i];
    fail_msg("no column %s", name);
    return NAN;
}

static void expect(const result *r, const char *name, double want)
{
    const double got = get(r, name);
    if (!(fabs(got - want) <= 1e-7 * fmax(1, fabs(want))))
        fail_msg("%s is %.12g, expected %.12g", name, got, want);
}

/* Old values that global atomics return depend on which block comes first, and so do the bits that they flip. */
static bool depends_on_order(const job *j, const char *column)
{
    return strcmp(j->kernel, "histogram") == 0 && strncmp(column, "bitflip_reg", strlen("bitflip_reg")) == 0;
}

/* Runs on one worker and on three: the same bits. */
static result run_job(const job *j)
{
    result one, three;
    measure_job(j, 1, &one);
    measure_job(j, 3, &three);
    for (size_t i = 0; i < one.layout.columns; i++) {
        const bool same = memcmp(&one.value[i], &three.value[i], sizeof one.value[i]) == 0;
        if (!same && !depends_on_order(j, one.layout.column[i].name))
            fail_msg("%s of %s: %.17g on one worker, %.17g on three", one.layout.column[i].name, j->kernel,
                     one.value[i], three.value[i]);
        if (!isfinite(one.value[i]))
            fail_msg("%s of %s is %g", one.layout.column[i].name, j->kernel, one.value[i]);
    }
    ws_layout_fini(&three.layout);
    return one;
}

/* Warp instructions, from thread instructions and their mean number of lanes; no kernel here has guards. */
static double warp_instructions(const result *r)
{
    return get(r, "pka_instructions") / get(r, "pka_divergence_efficiency");
}

static void test_vector_add(void **unused)
{
    (void)unused;
    const job j = {"vector_add", {16, 1, 1}, {256, 1, 1}, 3, 4096, 1000};
    result r = run_job(&j);
    expect(&r, "coal_global_load_32", 4);
    expect(&r, "coal_global_load_128", 1);
    expect(&r, "coal_global_store_64", 2);
    expect(&r, "coal_load_efficiency", 1);
    expect(&r, "coal_load_stride_1", 1);
    expect(&r, "coal_store_stride_1", 1);
    expect(&r, "footprint_sectors", 3 * 512);
    expect(&r, "footprint_lines", 3 * 128);
    const double pages = get(&r, "footprint_pages"); /* buffers need not start with a page */
    assert_true(pages >= 3 * 4 && pages <= 3 * 5);
    expect(&r, "footprint_bytes_per_thread", 12);
    expect(&r, "footprint_read", 2. / 3);
    expect(&r, "sharing_warp", 0);
    expect(&r, "sharing_cta", 0);
    expect(&r, "sharing_read_only", 2. / 3);
    expect(&r, "reuse_cta_128_first", 1);
    expect(&r, "reuse_warp_32_first", 1);
    expect(&r, "entropy_bits_0", log2(3 * 4096));
    expect(&r, "entropy_bits_7", log2(3 * 128));
    expect(&r, "entropy_relative", 1);
    expect(&r, "simd_efficiency", 1);
    expect(&r, "branch_sites", 1);
    expect(&r, "branch_divergent", 0);
    expect(&r, "branch_linear_0", 0);
    expect(&r, "balance_thread_cv", 0);
    expect(&r, "barrier_per_kinstr", 0);
    expect(&r, "barrier_gap_mean", warp_instructions(&r) / 128);
    expect(&r, "pka_thread_global_loads", 8192);
    expect(&r, "pka_coalesced_global_stores", 512);
    expect(&r, "mix_flops_per_global_byte", 1. / 12);
    ws_layout_fini(&r.layout);
}

/* 64 x 64: a warp is two rows of 16, so A comes as two broadcasts and B as 16 neighbours. */
static void test_matmul_naive(void **unused)
{
    (void)unused;
    enum { N = 64 };
    const job j = {"matmul_naive", {4, 4, 1}, {16, 16, 1}, 3, N, 7};
    result r = run_job(&j);
    const double words = N * N, lines = words / 32, accesses = 2 * words * N + words;
    expect(&r, "pka_thread_global_loads", 2 * words * N);
    expect(&r, "coal_global_load_32", 2);
    expect(&r, "coal_global_load_128", 1.5);
    expect(&r, "coal_global_store_32", 4);
    expect(&r, "coal_global_store_128", 2);
    expect(&r, "coal_load_efficiency", (8. + 64) / 128);
    expect(&r, "coal_load_stride_3", 1);
    expect(&r, "footprint_lines", 3 * lines);
    expect(&r, "footprint_uses", accesses / (3 * words));
    /* a line of A: 4 blocks of columns, one warp each; of B: 2 * 4 blocks, all warps; of C: 2 blocks */
    expect(&r, "sharing_cta", 1);
    expect(&r, "sharing_warp", 1. / 3);
    expect(&r, "sharing_users_mean", (4 + 8 + 2) / 3.);
    expect(&r, "sharing_cta_written", 1. / 3);
    expect(&r, "entropy_bits_0", log2(accesses) - 2 * words * N * log2(N) / accesses);
    /* a block's first accesses: 16 rows and 16 columns of inputs, 16 rows of C, in sectors of 8 words */
    expect(&r, "reuse_cta_32_first", (2. * 16 * N / 8 + 16 * 2) / (8 * (N * 4 + 4)));
    expect(&r, "mix_flops_per_global_byte", 2 * words * N / (4 * accesses));
    expect(&r, "atomic_global_per_kinstr", 0);
    expect(&r, "branch_taken", 1. / (N + 1)); /* the loop's exit, asked N + 1 times */
    expect(&r, "branch_linear_0", 2. / (N + 1));
    ws_layout_fini(&r.layout);
}

static void test_matmul_tiled(void **unused)
{
    (void)unused;
    enum { N = 64, TILES = N / 16 };
    const job j = {"matmul_tiled", {4, 4, 1}, {16, 16, 1}, 3, N, 7};
    result r = run_job(&j);
    const double threads = N * N, warps = threads / 32;
    expect(&r, "pka_thread_shared_loads", threads * 2 * N);
    expect(&r, "pka_thread_shared_stores", threads * 2 * TILES);
    expect(&r, "pka_coalesced_global_loads", warps * TILES * 8);
    expect(&r, "coal_bank_slowdown", 1);
    expect(&r, "coal_bank_conflicts", 0);
    expect(&r, "barrier_per_kinstr", 1000 * warps * 2 * TILES / warp_instructions(&r));
    expect(&r, "barrier_gap_mean", (warp_instructions(&r) - warps * 2 * TILES) / (warps * (2 * TILES + 1)));
    expect(&r, "coal_load_efficiency", 1);
    expect(&r, "balance_warp_cv", 0);
    expect(&r, "bitflip_shared_reads", 2. * N / (2 * N + 2 * TILES));
    ws_layout_fini(&r.layout);
}

static void test_reduction(void **unused)
{
    (void)unused;
    enum { BLOCKS = 4 };
    const job j = {"reduction", {BLOCKS, 1, 1}, {256, 1, 1}, 2, 4096, 1000};
    result r = run_job(&j);
    const double warps = BLOCKS * 8;
    expect(&r, "pka_thread_shared_loads", BLOCKS * (255 + 1)); /* a thread's own sum stays in its register */
    expect(&r, "pka_thread_shared_stores", BLOCKS * (256 + 255));
    expect(&r, "pka_thread_global_loads", 4096);
    expect(&r, "pka_thread_global_stores", BLOCKS);
    expect(&r, "coal_bank_slowdown", 1);
    expect(&r, "barrier_per_kinstr", 1000 * warps * 9 / warp_instructions(&r));
    expect(&r, "barrier_gap_mean", (warp_instructions(&r) - warps * 9) / (warps * 10));
    expect(&r, "branch_minority", (16 + 8 + 4 + 2 + 1 + 1) / (6 * 32.)); /* the last five halves, and lane 0 */
    expect(&r, "footprint_lines", 128 + 1);
    expect(&r, "sharing_cta", 1. / 129); /* the line of results */
    ws_layout_fini(&r.layout);
}

/* Bins in turn: no conflict at all; then all inputs alike: every atomic of a block on one word. */
static void test_histogram(void **unused)
{
    (void)unused;
    enum { BLOCKS = 4, N = 16384 };
    job j = {"histogram", {BLOCKS, 1, 1}, {256, 1, 1}, 2, N, 256};
    result r = run_job(&j);
    expect(&r, "pka_thread_global_atomics", BLOCKS * 256);
    expect(&r, "atomic_global_degree", 1);
    expect(&r, "atomic_hottest", BLOCKS);
    expect(&r, "atomic_hot_share", 1. / 256);
    expect(&r, "atomic_shared_per_kinstr", 1000. * N / get(&r, "pka_instructions"));
    expect(&r, "atomic_shared_degree", 1);
    expect(&r, "atomic_shared_hot_share", 1. / 256);
    expect(&r, "coal_bank_slowdown", 1);
    expect(&r, "sharing_users_max", BLOCKS);
    ws_layout_fini(&r.layout);
    j.input = 1;
    r = run_job(&j);
    expect(&r, "atomic_shared_degree", 32);
    expect(&r, "atomic_shared_passes", 32);
    expect(&r, "atomic_passes_max", 32);
    expect(&r, "atomic_shared_hot_share", 1);
    ws_layout_fini(&r.layout);
}

/* Threads run a loop as often as their number says. */
static void test_collatz(void **unused)
{
    (void)unused;
    enum { N = 1024 };
    const job j = {"collatz", {N / 256, 1, 1}, {256, 1, 1}, 1, N, 1};
    result r = run_job(&j);
    double steps = 0, odd = 0;
    for (unsigned i = 1; i <= N; i++)
        for (uint64_t x = i; x != 1; steps++) {
            odd += x & 1;
            x = x & 1 ? 3 * x + 1 : x / 2;
        }
    /* outcomes: in bounds or not, once a thread; 1 at the start or not; odd or even; done or not, each step */
    const double sites = get(&r, "branch_sites");
    assert_true(sites >= 3 && sites <= 4);
    assert_true(get(&r, "branch_divergent") > .3);
    assert_true(get(&r, "branch_linear_0") > 2 * fmin(odd, steps - odd) / (2 * steps + 2 * N));
    assert_true(get(&r, "simd_efficiency") < .8);
    assert_true(get(&r, "balance_thread_cv") > .3);
    expect(&r, "footprint_lines", N / 32);
    expect(&r, "pka_thread_global_stores", N);
    ws_layout_fini(&r.layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector_add), cmocka_unit_test(test_matmul_naive), cmocka_unit_test(test_matmul_tiled),
        cmocka_unit_test(test_reduction),  cmocka_unit_test(test_histogram),    cmocka_unit_test(test_collatz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
