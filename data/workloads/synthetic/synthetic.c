/* synthetic.c - SYN: what does a cache make of loads of a chosen form? Host side of synthetic.cu.
 *
 * Where arrays stand is part of the pattern: the first at a multiple of 2^28, the others a multiple of 2^26 behind it,
 * and the words that lanes share at a multiple of 2^28 and five lines, so that they do not always meet the sets of the
 * first. What a word is, its place says; only words that are read are written. */
#include "data/workloads/harness/harness.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ALL, STRIDE, GATHER, STENCIL };
enum { LINE_WORDS = 32, WARP = 32, MOST_WARPS_OF_BLOCK = 8 };
#define ARRAY_STEP  (1ul << 26)
#define SHARED_STEP (1ul << 28)
#define SHARED_OFF  640ul

static const harness_size input_sizes[] = {
    {"pattern", "0: all of 1, lanes a stride apart; 2, random lines; 3, neighbours", {ALL, ALL, ALL}, ALL, STENCIL, 1},
    {"stride", "bytes from lane to lane (1)", {32768, 32768, 32768}, 4, 33554432, 4},
    {"arrays", "arrays that are read so (1 and 2)", {1, 1, 1}, 1, 4, 1},
    {"shared", "words that all lanes share, a step (1 and 2)", {1, 1, 1}, 0, 1, 1},
    {"warps", "warps in all", {8, 96, 1024}, 1, 4096, 1},
    {"steps", "steps of each", {32, 64, 512}, 1, 65536, 1},
    {"lanes", "lanes that load; 0: all, and in 2 from 1 to 32, drawn anew each time", {32, 32, 32}, 0, 32, 1},
    {"advance", "bytes from step to step (1)", {4, 4, 4}, 4, 4096, 4},
    {"lines", "lines of an array (2)", {1024, 8192, 65536}, 1, 1048576, 1},
    {0},
};

typedef struct pattern {
    long stride, arrays, shared, warps, threads, steps, lanes, advance, lines;
    harness_dim grid, block;
    unsigned key; /* of the words */
    size_t gap;   /* bytes from array to array */
    CUdeviceptr at, shared_at, out;
} pattern;

static unsigned word_at(const pattern *p, size_t byte)
{
    return ((unsigned)(byte / 4) + p->key) * 2654435761u;
}

static size_t round_up(size_t n, size_t step)
{
    return (n + step - 1) / step * step;
}

/* Writes n words from a place on, by way of `words`. */
static void write_words(harness *h, const pattern *p, unsigned *words, size_t byte, size_t n)
{
    for (size_t i = 0; i < n; i++)
        words[i] = word_at(p, byte + 4 * i);
    harness_write(h, p->at + byte, words, n * sizeof *words);
}

static pattern read_pattern(harness *h)
{
    pattern p = {.stride = harness_get_size(h, "stride"),
                 .arrays = harness_get_size(h, "arrays"),
                 .shared = harness_get_size(h, "shared"),
                 .warps = harness_get_size(h, "warps"),
                 .steps = harness_get_size(h, "steps"),
                 .lanes = harness_get_size(h, "lanes"),
                 .advance = harness_get_size(h, "advance"),
                 .lines = harness_get_size(h, "lines"),
                 .key = harness_integer(h, 1u << 30)};
    long of_block = MOST_WARPS_OF_BLOCK;
    while (p.warps % of_block)
        of_block--;
    p.threads = p.warps * WARP;
    p.grid = HARNESS_DIM(p.warps / of_block);
    p.block = HARNESS_DIM(of_block * WARP);
    return p;
}

/* Arrays of so many bytes each, and words that lanes share, `advance` bytes from step to step; *sum is what the latter
 * add up to. */
static void place(harness *h, pattern *p, size_t bytes, long advance, unsigned *sum)
{
    p->gap = round_up(bytes, ARRAY_STEP);
    const size_t shared_off = round_up((size_t)p->arrays * p->gap, SHARED_STEP) + SHARED_OFF;
    const CUdeviceptr from = harness_device(h, SHARED_STEP + shared_off + (size_t)(p->steps * advance));
    p->at = round_up(from, SHARED_STEP);
    p->shared_at = p->shared ? p->at + shared_off : 0;
    *sum = 0;
    for (long step = 0; p->shared && step < p->steps; step++) {
        unsigned word;
        write_words(h, p, &word, shared_off + (size_t)(step * advance), 1);
        *sum += word;
    }
    const unsigned *const none = harness_host(h, (size_t)p->threads, sizeof *none);
    p->out = harness_upload(h, none, (size_t)p->threads * sizeof *none);
}

static void check(harness *h, const char *what, CUdeviceptr at, const unsigned *want, size_t n)
{
    int *const got = harness_host(h, n, sizeof *got), *const wanted = harness_host(h, n, sizeof *wanted);
    memcpy(wanted, want, n * sizeof *wanted);
    harness_download(h, got, at, n * sizeof *got);
    harness_check_ints(h, what, got, wanted, n);
}

/* The kernel that is called so for this number of arrays. */
static CUfunction kernel_of(harness *h, const char *name, const pattern *p)
{
    char full[32];
    snprintf(full, sizeof full, "%s_%ld", name, p->arrays);
    return harness_kernel(h, full);
}

static bool loads(const pattern *p, long thread)
{
    return !p->lanes || thread % WARP < p->lanes;
}

static void run_stride(harness *h, pattern p)
{
    const size_t n = (size_t)p.threads, run = p.advance == 4 ? (size_t)p.steps : 1;
    unsigned *const want = harness_host(h, n, sizeof *want), *const words = harness_host(h, run, sizeof *words);
    unsigned shared_sum;
    place(h, &p, (n - 1) * (size_t)p.stride + (size_t)(p.steps * p.advance), p.advance, &shared_sum);
    for (long t = 0; t < p.threads; t++) {
        if (!loads(&p, t))
            continue;
        want[t] = shared_sum;
        for (size_t byte = 0; byte < (size_t)(p.steps * p.advance); byte += run * (size_t)p.advance)
            for (long a = 0; a < p.arrays; a++) {
                write_words(h, &p, words, (size_t)a * p.gap + (size_t)(t * p.stride) + byte, run);
                for (size_t i = 0; i < run; i++)
                    want[t] += words[i];
            }
    }
    unsigned long long gap = p.gap, stride = (unsigned long long)p.stride;
    int advance = (int)p.advance, steps = (int)p.steps, lanes = p.lanes ? (int)p.lanes : WARP;
    HARNESS_LAUNCH(h, kernel_of(h, "syn_stride", &p), p.grid, p.block, 0, &p.at, &gap, &p.shared_at, &p.out, &stride,
                   &advance, &steps, &lanes);
    check(h, "sum of a walk", p.out, want, n);
}

static void run_gather(harness *h, pattern p)
{
    const size_t n = (size_t)p.threads, words = (size_t)p.lines * LINE_WORDS;
    unsigned *const want = harness_host(h, n, sizeof *want), *const array = harness_host(h, words, sizeof *array);
    int *const index = harness_host(h, n * (size_t)p.steps, sizeof *index);
    unsigned shared_sum;
    place(h, &p, words * sizeof *array, sizeof(unsigned), &shared_sum);
    for (long a = 0; a < p.arrays; a++)
        write_words(h, &p, array, (size_t)a * p.gap, words);
    for (long t = 0; t < p.threads; t++)
        want[t] = shared_sum;
    for (size_t i = 0, lanes = 0; i < n * (size_t)p.steps; i++) {
        if (i % WARP == 0)
            lanes = p.lanes ? (size_t)p.lanes : 1 + harness_integer(h, WARP);
        index[i] = i % WARP < lanes ? (int)(harness_integer(h, (unsigned)p.lines) * LINE_WORDS + i % LINE_WORDS) : -1;
        for (long a = 0; index[i] >= 0 && a < p.arrays; a++)
            want[i % n] += word_at(&p, (size_t)a * p.gap + 4 * (size_t)index[i]);
    }
    CUdeviceptr d_index = harness_upload(h, index, n * (size_t)p.steps * sizeof *index);
    unsigned long long gap = p.gap;
    int steps = (int)p.steps;
    HARNESS_LAUNCH(h, kernel_of(h, "syn_gather", &p), p.grid, p.block, 0, &p.at, &gap, &d_index, &p.shared_at, &p.out,
                   &steps);
    check(h, "sum of random words", p.out, want, n);
}

static void run_stencil(harness *h, const pattern *p)
{
    const size_t n = (size_t)(p->threads * p->steps) + 2;
    unsigned *const in = harness_host(h, n, sizeof *in), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_out = harness_upload(h, want, n * sizeof *want);
    for (size_t i = 0; i < n; i++)
        in[i] = word_at(p, 4 * i);
    for (size_t i = 1; i < n - 1; i++)
        want[i] = loads(p, (long)i - 1) ? in[i - 1] + in[i] + in[i + 1] : 0;
    CUdeviceptr d_in = harness_upload(h, in, n * sizeof *in);
    int steps = (int)p->steps, lanes = p->lanes ? (int)p->lanes : WARP;
    HARNESS_LAUNCH(h, harness_kernel(h, "syn_stencil"), p->grid, p->block, 0, &d_in, &d_out, &steps, &lanes);
    check(h, "sum of neighbours", d_out, want, n);
}

static void run(harness *h)
{
    const long form = harness_get_size(h, "pattern");
    const pattern p = read_pattern(h);
    if (p.threads * p.steps > INT_MAX / 2)
        harness_refuse(h, "warps=%ld and steps=%ld are more than %d loads together", p.warps, p.steps, INT_MAX / 2);
    if (form == ALL || form == STRIDE)
        run_stride(h, p);
    if (form == ALL || form == GATHER)
        run_gather(h, p);
    if (form == ALL || form == STENCIL)
        run_stencil(h, &p);
}

HARNESS_WORKLOAD_OF("SYN", "data/workloads/synthetic/synthetic.ptx", run, input_sizes)
