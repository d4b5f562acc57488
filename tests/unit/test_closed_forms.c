/* test_closed_forms.c - do counts of the six kernels equal what one gets by reading their PTX?
 *
 * Every expected number below is derived by hand from bench/six/NAME.ptx: instructions of each straight piece, times
 * how often it runs. Among them are the cases in which other tools of this kind err: barriers hit, instructions per
 * thread in kernels with barriers, unique reads and writes, atomics in shared memory, equal offsets in different
 * spaces, several branches on one source line, and results that change with the number of workers. */
#include "bench/six/six.h"
#include "metrics/collector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Everything that a set of metrics says about one launch. */
typedef struct outcome {
    ws_collector *collector;
    size_t families;
    double *value[64]; /* columns of each family */
    ws_run_result result;
} outcome;

static void keep_columns(outcome *o)
{
    (void)ws_collector_sinks(o->collector, &o->families);
    assert_true(o->families <= sizeof o->value / sizeof o->value[0]);
    for (size_t i = 0; i < o->families; i++) {
        const ws_metric *const m = ws_collector_metric(o->collector, i);
        o->value[i] = calloc(ws_metric_columns(m), sizeof(double));
        assert_non_null(o->value[i]);
        m->emit(ws_collector_counters(o->collector, i), o->value[i]);
    }
}

static void drop(outcome *o)
{
    for (size_t i = 0; i < o->families; i++)
        free(o->value[i]);
    ws_collector_destroy(o->collector);
}

/* Value k of the column of that name. */
static double column(const outcome *o, const char *name, size_t k)
{
    for (size_t i = 0; i < o->families; i++) {
        size_t at = 0;
        for (const ws_metric_column *c = ws_collector_metric(o->collector, i)->columns; c->name; c++) {
            const size_t count = c->count ? c->count : 1;
            if (strcmp(c->name, name) == 0 && k < count)
                return o->value[i][at + k];
            at += count;
        }
    }
    fail_msg("no column %s", name);
    return NAN;
}

static void expect(const outcome *o, const char *name, double want)
{
    const double got = column(o, name, 0);
    if (!(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("%s is %.17g, expected %.17g", name, got, want);
}

static void check_status(int status)
{
    if (status)
        fail_msg("%s", ws_message());
}

static const six_kernel *kernel_named(const char *name)
{
    for (int i = 0; i < SIX_KERNELS; i++)
        if (strcmp(six_kernels[i].name, name) == 0)
            return &six_kernels[i];
    fail_msg("no kernel %s", name);
    return NULL;
}

static void observe(outcome *o, const six_job *job, ws_run *run, const char *set)
{
    check_status(ws_collector_create(set, &o->collector));
    run->sinks = ws_collector_sinks(o->collector, &run->sink_count);
    run->collect = ws_collector_collect;
    run->context = o->collector;
    check_status(ws_kernel_run(job->code, run, &o->result));
    keep_columns(o);
}

/* The kernel at its full size, results checked. */
static outcome run_full(const char *name, const char *set)
{
    six_job job;
    outcome o = {0};
    ws_run run = {.workers = 2};
    check_status(six_open(&job, kernel_named(name), "bench/six", 2));
    six_prepare(&job, &run);
    observe(&o, &job, &run, set);
    check_status(six_verify(&job));
    six_close(&job);
    return o;
}

/* The same with fewer blocks and another int parameter, for sets of metrics that take their time. */
static outcome run_small(const char *name, uint32_t grid_x, uint32_t grid_y, int32_t n, unsigned workers)
{
    six_job job;
    outcome o = {0};
    ws_run run = {.workers = workers};
    six_kernel kernel = *kernel_named(name);
    kernel.n = n;
    check_status(six_open(&job, &kernel, "bench/six", workers));
    six_prepare(&job, &run);
    run.grid[0] = grid_x;
    run.grid[1] = grid_y;
    observe(&o, &job, &run, "all");
    six_close(&job);
    return o;
}

/* Counts per launch that the study names. */
typedef struct expected_counts {
    double total, param, shared, global, atomics, floats, branches, barriers;
} expected_counts;

static void expect_counts(const outcome *o, const expected_counts *e)
{
    assert_int_equal(o->result.thread_instructions, (uint64_t)e->total);
    expect(o, "I_total", e->total);
    expect(o, "I_par", e->param);
    expect(o, "I_shd", e->shared);
    expect(o, "I_glo", e->global);
    expect(o, "I_mop", e->param + e->shared + e->global);
    expect(o, "I_ato", e->atomics);
    expect(o, "I_fop", e->floats);
    expect(o, "I_b", e->branches);
    expect(o, "I_bar", e->barriers);
    /* None of the six has special-function, local, constant or texture instructions: integers are the rest. */
    expect(o, "I_sop", 0);
    expect(o, "I_loc", 0);
    expect(o, "I_const", 0);
    expect(o, "I_op", e->total - e->param - e->shared - e->global - e->floats - e->branches - e->barriers);
}

enum {
    VECTOR_THREADS = SIX_N,
    GROUPED_THREADS = 16384,
    MATRIX_THREADS = SIX_SIDE * SIX_SIDE,
    ROUNDS = SIX_N / GROUPED_THREADS
};

/* 7 instructions up to the branch, 14 in the body, ret. */
static void vector_add_counts(void **unused)
{
    (void)unused;
    const double t = VECTOR_THREADS;
    outcome o = run_full("vector_add", "study");
    expect_counts(&o,
                  &(expected_counts){.total = 22 * t, .param = 4 * t, .global = 3 * t, .floats = t, .branches = 2 * t});
    expect(&o, "T_total", t);
    assert_true(column(&o, "D_bra", 0) == 1.0); /* no branch diverges: the first bin */
    drop(&o);
}

/* 14 before the loop, 7 a round, 8 after it, 8 halvings of 2 + 5 and 6 more for the adding lanes (128 + 64 + ... + 1 =
 * 255 a block), 2 + ret at the end, one bra.uni for all but one thread, four for that one. */
static void reduction_counts(void **unused)
{
    (void)unused;
    const double t = GROUPED_THREADS, blocks = 64;
    outcome o = run_full("reduction", "study");
    expect_counts(
        &o,
        &(expected_counts){
            .total = t * (14 + 7 * ROUNDS + 8 + 8 * 7 + 2 + 1) + blocks * (255 * 6 + 255 + 4),
            .param = 3 * t,
            .shared = t + blocks * (255 * 2 + 1), /* the store of each thread; load and store of each sum; one load */
            .global = SIX_N + blocks,
            .floats = SIX_N + blocks * 255,
            .branches = t * (1 + ROUNDS + 1 + 8 * 2 + 1 + 1) + blocks * (255 + 255),
            .barriers = t * 9,
        });
    drop(&o);
}

/* 16 before the loop and 4 to enter it, 9 a round, 6 at the end. */
static void histogram_counts(void **unused)
{
    (void)unused;
    const double t = GROUPED_THREADS;
    outcome o = run_full("histogram", "study");
    expect_counts(&o, &(expected_counts){
                          .total = t * (16 + 4 + 9 * ROUNDS + 6),
                          .param = 3 * t,
                          .shared = 2 * t + SIX_N, /* 1,081,344: atomics are accesses */
                          .global = SIX_N + t,
                          .atomics = SIX_N + t,
                          .branches = t * (1 + ROUNDS + 1),
                          .barriers = 2 * t,
                      });
    drop(&o);
}

/* 15 and 9 before the loop, 10 a round and a bra.uni in all but the last, 5 at the end. */
static void naive_product_counts(void **unused)
{
    (void)unused;
    const double t = MATRIX_THREADS, rounds = SIX_SIDE;
    outcome o = run_full("matmul_naive", "study");
    expect_counts(&o, &(expected_counts){.total = t * (15 + 9 + 10 * rounds + rounds - 1 + 5),
                                         .param = 4 * t,
                                         .global = t * (2 * rounds + 1),
                                         .floats = t * rounds,
                                         .branches = t * (1 + 2 * rounds - 1 + 1)});
    drop(&o);
}

/* 15 and 16 before the loop; a tile takes 14, then 16 times 9 with 15 bra.uni, then 4; 5 at the end. */
enum { TILED_TILES = SIX_SIDE / 16, TILED_PER_THREAD = 15 + 16 + TILED_TILES * (14 + 16 * 9 + 15 + 4) + 5 };

static void tiled_product_counts(void **unused)
{
    (void)unused;
    const double t = MATRIX_THREADS, tiles = TILED_TILES;
    outcome o = run_full("matmul_tiled", "study");
    expect_counts(&o, &(expected_counts){.total = t * TILED_PER_THREAD,
                                         .param = 4 * t,
                                         .shared = t * tiles * (2 + 32),
                                         .global = t * (2 * tiles + 1),
                                         .floats = t * 16 * tiles,
                                         .branches = t * (1 + tiles * (16 + 15 + 1) + 1),
                                         .barriers = t * 2 * tiles}); /* 2,097,152 */
    drop(&o);
}

/* Collatz: 7 and 5 before the loop, 4 at the end; starts above 1 also 5 to enter it and a bra.uni to leave; a step
 * takes 5 + 3, and 3 more at an odd number, 1 at an even one. */
static double collatz_thread(uint64_t start)
{
    uint64_t odd;
    const double steps = six_collatz(start, &odd);
    return 7 + 5 + 4 + (start > 1 ? 6 : 0) + steps * 8 + (double)odd * 3 + (steps - (double)odd);
}

/* What a warp does: branches by which its lanes part, conditional branches, warp instructions. */
typedef struct warp_counts {
    double divergent, conditional, instructions;
} warp_counts;

static void collatz_warp(uint64_t first, warp_counts *w)
{
    uint64_t x[WS_WARP];
    uint32_t active = UINT32_MAX;
    for (uint32_t i = 0; i < WS_WARP; i++)
        x[i] = first + i;
    w->conditional += 2;
    /* Entry, guards, the way into the loop, the bra.uni out of it where all lanes of the loop meet, end. */
    w->instructions += 7 + 5 + 5 + 1 + 4;
    if (first == 1) {
        active &= ~1u;
        w->divergent += 1;
    }
    while (active) {
        uint32_t odd = 0, done = 0;
        WS_EACH_LANE (i, active) {
            odd |= (uint32_t)(x[i] & 1) << i;
            x[i] = x[i] & 1 ? 3 * x[i] + 1 : x[i] / 2;
            done |= (uint32_t)(x[i] == 1) << i;
        }
        w->conditional += 2;
        w->instructions += 5 + 3 + (odd ? 3 : 0) + (odd != active ? 1 : 0);
        w->divergent += (odd && odd != active) + (done && done != active);
        active &= ~done;
    }
}

static void collatz_counts(void **unused)
{
    (void)unused;
    double total = 0, steps = 0, odd_steps = 0;
    for (uint64_t s = 1; s <= SIX_STARTS; s++) {
        uint64_t odd;
        steps += six_collatz(s, &odd);
        odd_steps += (double)odd;
        total += collatz_thread(s);
    }
    const double t = SIX_STARTS;
    outcome o = run_full("collatz", "study");
    /* Branches: two before the loop, the way in and out of all but one, two a step and one more at an odd number, ret.
     * */
    expect_counts(&o, &(expected_counts){.total = total,
                                         .param = 2 * t,
                                         .global = t,
                                         .branches = 2 * t + 2 * (t - 1) + 2 * steps + odd_steps + t});
    drop(&o);
}

static void collatz_divergence(void **unused)
{
    (void)unused;
    const uint32_t blocks = 8;
    warp_counts w = {0};
    double total = 0;
    for (uint64_t s = 1; s <= blocks * 256; s++)
        total += collatz_thread(s);
    for (uint64_t first = 1; first <= blocks * 256; first += WS_WARP)
        collatz_warp(first, &w);
    outcome o = run_small("collatz", blocks, 1, SIX_STARTS, 1);
    expect(&o, "evaluation_thread_instr", total);
    expect(&o, "evaluation_warp_instr", w.instructions);
    expect(&o, "simd_efficiency", total / (32 * w.instructions));
    expect(&o, "branch_divergent", w.divergent / w.conditional);
    expect(&o, "branch_sites", 4);
    drop(&o);
}

/* Six divergent branches a block of the reduction: halves of 16, 8, 4, 2, 1 in the first warp, and the last if. */
static void reduction_divergence(void **unused)
{
    (void)unused;
    const double blocks = 64, rounds = 4, warps = blocks * 8;
    outcome o = run_small("reduction", 64, 1, 4 * GROUPED_THREADS, 1);
    expect(&o, "branch_divergent", 6 * blocks / (warps * (1 + rounds + 8 + 8 + 1)));
    /* Gaps between barriers of a warp in its own instructions: the first warp runs the adding side in all eight
     * rounds. */
    expect(&o, "barrier_gap_max", 14 + 7 * rounds + 5);
    drop(&o);
}

/* Instructions of each thread, though threads of a block interleave at barriers; and from barrier to barrier. */
static void per_thread_with_barriers(void **unused)
{
    (void)unused;
    outcome tiled = run_small("matmul_tiled", 4, 4, SIX_SIDE, 1);
    expect(&tiled, "balance_thread_min", TILED_PER_THREAD);
    expect(&tiled, "balance_thread_max", TILED_PER_THREAD);
    expect(&tiled, "balance_thread_mean", TILED_PER_THREAD);
    expect(&tiled, "balance_thread_cv", 0);
    /* 42 to the first barrier, 161 within a tile, 14 to the next tile, 8 from the last barrier on. */
    expect(&tiled, "barrier_gap_min", 8);
    expect(&tiled, "barrier_gap_max", 2 + 16 * 9 + 15);
    expect(&tiled, "barrier_gap_mean", (TILED_PER_THREAD - 2.0 * TILED_TILES) / (2 * TILED_TILES + 1));
    expect(&tiled, "barrier_per_kinstr", 1000.0 * 2 * TILED_TILES / TILED_PER_THREAD);
    drop(&tiled);

    outcome histogram = run_small("histogram", 64, 1, SIX_N / 16, 1);
    const double each = 16 + 4 + 9 * 4 + 6;
    expect(&histogram, "balance_thread_min", each);
    expect(&histogram, "balance_thread_max", each);
    expect(&histogram, "atomic_shared_per_kinstr", 1000 * 4 / each);
    expect(&histogram, "atomic_global_per_kinstr", 1000 * 1 / each);
    drop(&histogram);
}

/* Distinct memory, below the size from which sketches are used. */
static void distinct_memory(void **unused)
{
    (void)unused;
    const double n = 4096;
    outcome sum = run_small("vector_add", 16, 1, 4096, 1);
    expect(&sum, "footprint_sectors", 3 * n * 4 / 32);
    expect(&sum, "footprint_lines", 3 * n * 4 / 128);
    expect(&sum, "footprint_read", 2.0 / 3.0);
    expect(&sum, "footprint_written", 1.0 / 3.0);
    expect(&sum, "footprint_uses", 1);
    expect(&sum, "pka_thread_global_loads", 2 * n);
    expect(&sum, "pka_thread_global_stores", n);
    /* Every address is used once: as much entropy as there can be, for kernels of any length. */
    assert_true(fabs(column(&sum, "entropy_bits", 0) - log2(3 * n)) < 1e-9);
    expect(&sum, "entropy_relative", 1);
    drop(&sum);

    /* Counters in shared memory lie at the offsets of nothing else: only the elements and the 256 bins are global. */
    outcome histogram = run_small("histogram", 64, 1, GROUPED_THREADS, 1);
    expect(&histogram, "footprint_sectors", (GROUPED_THREADS + 256.0) * 4 / 32);
    expect(&histogram, "footprint_written", 256.0 / (GROUPED_THREADS + 256.0));
    drop(&histogram);
}

/* A warp of the products is two rows of 16: two rows of a, one half row of b; the result lies in two rows. */
static void coalesced_accesses(void **unused)
{
    (void)unused;
    outcome o = run_small("matmul_naive", 2, 2, SIX_SIDE, 1);
    expect(&o, "coal_global_load_32", (2 + 2) / 2.0);
    expect(&o, "coal_global_load_128", (2 + 1) / 2.0);
    expect(&o, "coal_global_store_32", 4);
    drop(&o);
    o = run_small("vector_add", 16, 1, 4096, 1);
    expect(&o, "coal_global_load_32", 4);
    expect(&o, "coal_global_load_128", 1);
    expect(&o, "coal_load_efficiency", 1);
    drop(&o);
}

/* Three branches on one source line, and none with line numbers: sites are instructions. */
static void branches_on_one_line(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"", ".loc 1 7 0\n"};
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 ".version 6.4\n.target sm_70\n.address_size 64\n.file 1 \"k.cu\"\n.visible .entry k()\n{\n.reg .pred "
                 "%%p<4>;\n.reg .b32 %%r<2>;\n%s"
                 "mov.u32 %%r1, %%tid.x;\nsetp.lt.u32 %%p1, %%r1, 8;\nsetp.lt.u32 %%p2, %%r1, 16;\nsetp.lt.u32 %%p3, "
                 "%%r1, 24;\n"
                 "@%%p1 bra A;\nA: @%%p2 bra B;\nB: @%%p3 bra C;\nC: ret;\n}\n",
                 texts[k]);
        six_job job = {0};
        ws_image *image;
        check_status(ws_ptx_parse("k.ptx", text, strlen(text), &job.module));
        check_status(ws_device_create(NULL, &job.device));
        check_status(ws_image_load(job.device, job.module, &image));
        check_status(ws_image_kernel(image, "k", &job.code));
        outcome o = {0};
        ws_run run = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
        observe(&o, &job, &run, "modern");
        expect(&o, "branch_sites", 3);
        expect(&o, "branch_divergent", 1);
        expect(&o, "branch_taken", 0.5);
        drop(&o);
        six_close(&job);
    }
}

/* The same counters, bit for bit, with one worker and with three. Only the histogram's register values may differ: what
 * its global atomics return depends on which block comes first, on a GPU too. */
static void workers_change_nothing(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        uint32_t x, y;
        int32_t n;
    } runs[] = {{"vector_add", 32, 1, 8192},
                {"reduction", 64, 1, 4 * GROUPED_THREADS},
                {"histogram", 64, 1, 4 * GROUPED_THREADS},
                {"collatz", 16, 1, SIX_STARTS},
                {"matmul_tiled", 3, 4, SIX_SIDE},
                {"matmul_naive", 3, 2, SIX_SIDE}};
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        outcome one = run_small(runs[k].name, runs[k].x, runs[k].y, runs[k].n, 1);
        outcome three = run_small(runs[k].name, runs[k].x, runs[k].y, runs[k].n, 3);
        assert_int_equal(one.result.thread_instructions, three.result.thread_instructions);
        for (size_t i = 0; i < one.families; i++) {
            const ws_metric *const m = ws_collector_metric(one.collector, i);
            if (strcmp(runs[k].name, "histogram") == 0 && strcmp(m->sink.name, "bitflip") == 0)
                continue;
            if (memcmp(ws_collector_counters(one.collector, i), ws_collector_counters(three.collector, i),
                       ws_metric_counters(m) * sizeof(double)))
                fail_msg("%s: counters of %s differ", runs[k].name, m->sink.name);
        }
        drop(&one);
        drop(&three);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_add_counts),        cmocka_unit_test(reduction_counts),
        cmocka_unit_test(histogram_counts),         cmocka_unit_test(naive_product_counts),
        cmocka_unit_test(tiled_product_counts),     cmocka_unit_test(collatz_counts),
        cmocka_unit_test(collatz_divergence),       cmocka_unit_test(reduction_divergence),
        cmocka_unit_test(per_thread_with_barriers), cmocka_unit_test(distinct_memory),
        cmocka_unit_test(coalesced_accesses),       cmocka_unit_test(branches_on_one_line),
        cmocka_unit_test(workers_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
