/* babelstream.c - BABEL: what does a cache keep of arrays that one kernel writes and the next reads? Host side of
 * babelstream.cu. */
#include "data/workloads/harness/matrix.h"

enum { A_CYCLE = 16 }; /* elements until values of the start come again, as in babelstream.cu */

static const double SCALAR = 0.4; /* of BabelStream: values stay near where they begin, a round takes them by 0.96 */

static const harness_size input_sizes[] = {
    {"elements", "elements of an array, 8 bytes each", {2500, 40000, 524288}, 1, 16777216, 1},
    {"rounds", "rounds of copy, mul, add, triad and dot", {2, 3, 10}, 1, 1000, 1},
    {"threads", "threads of a block, a power of two", {64, 256, 1024}, 32, 1024, 32},
    {"blocks", "blocks of the dot product", {4, 32, 256}, 1, 4096, 1},
    {0},
};

typedef struct arrays {
    double a[A_CYCLE], b[A_CYCLE], c[A_CYCLE]; /* on the CPU: all that differ */
} arrays;

static void round_on_cpu(arrays *s)
{
    for (int i = 0; i < A_CYCLE; i++) {
        s->c[i] = s->a[i];
        s->b[i] = SCALAR * s->c[i];
        s->c[i] = s->a[i] + s->b[i];
        s->a[i] = s->b[i] + SCALAR * s->c[i];
    }
}

static double dot_on_cpu(const arrays *s, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += s->a[i % A_CYCLE] * s->b[i % A_CYCLE];
    return sum;
}

/* Each step rounds once, by 2^-53 of what it makes, and all terms are positive. */
static void check_array(harness *h, const char *what, CUdeviceptr array, const double *cycle, size_t n, long rounds)
{
    double *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    for (size_t i = 0; i < n; i++)
        want[i] = cycle[i % A_CYCLE];
    harness_download(h, got, array, n * sizeof *got);
    harness_check_doubles(h, what, got, want, n, (double)(4 * rounds + 1) * 0x1p-52, 0);
}

/* The device's sum over a and b: blocks leave one each. */
static double dot(harness *h, CUdeviceptr a, CUdeviceptr b, CUdeviceptr sum, int n)
{
    const long blocks = harness_get_size(h, "blocks"), threads = harness_get_size(h, "threads");
    double *const part = harness_host(h, (size_t)blocks, sizeof *part), all = 0;
    HARNESS_LAUNCH(h, harness_kernel(h, "stream_dot"), HARNESS_DIM(blocks), HARNESS_DIM(threads),
                   (unsigned)((size_t)threads * sizeof *part), &a, &b, &sum, &n);
    harness_download(h, part, sum, (size_t)blocks * sizeof *part);
    for (long i = 0; i < blocks; i++)
        all += part[i];
    return all;
}

static void run(harness *h)
{
    const long elements = harness_get_size(h, "elements"), threads = harness_get_size(h, "threads"),
               rounds = harness_get_size(h, "rounds");
    if (threads & (threads - 1))
        harness_refuse(h, "threads=%ld is no power of two", threads);
    const size_t count = (size_t)elements;
    double first_a = harness_uniform(h, 0.1, 0.9), first_b = harness_uniform(h, 0.1, 0.9),
           first_c = harness_uniform(h, 0.1, 0.9), scalar = SCALAR;
    CUdeviceptr a = harness_device(h, count * sizeof(double)), b = harness_device(h, count * sizeof(double)),
                c = harness_device(h, count * sizeof(double)),
                sum = harness_device(h, (size_t)harness_get_size(h, "blocks") * sizeof(double));
    const harness_dim grid = HARNESS_DIM(harness_blocks(elements, threads)), block = HARNESS_DIM(threads);
    int n = (int)elements;
    arrays want;
    for (int i = 0; i < A_CYCLE; i++) {
        want.a[i] = first_a * (1 + i / (double)A_CYCLE);
        want.b[i] = first_b * (1 + i / (double)A_CYCLE);
        want.c[i] = first_c * (1 + i / (double)A_CYCLE);
    }

    HARNESS_LAUNCH(h, harness_kernel(h, "stream_init"), grid, block, 0, &a, &b, &c, &first_a, &first_b, &first_c, &n);
    check_array(h, "c at first", c, want.c, count, 0);
    for (long round = 0; round < rounds; round++) {
        HARNESS_LAUNCH(h, harness_kernel(h, "stream_copy"), grid, block, 0, &a, &c, &n);
        HARNESS_LAUNCH(h, harness_kernel(h, "stream_mul"), grid, block, 0, &b, &c, &scalar, &n);
        HARNESS_LAUNCH(h, harness_kernel(h, "stream_add"), grid, block, 0, &a, &b, &c, &n);
        HARNESS_LAUNCH(h, harness_kernel(h, "stream_triad"), grid, block, 0, &a, &b, &c, &scalar, &n);
        round_on_cpu(&want);
        const double got = dot(h, a, b, sum, n), right = dot_on_cpu(&want, count);
        harness_check_doubles(h, "dot product", &got, &right, 1, 1e-13 * sqrt((double)elements), 0);
    }
    check_array(h, "a", a, want.a, count, rounds);
    check_array(h, "b", b, want.b, count, rounds);
    check_array(h, "c", c, want.c, count, rounds);
}

HARNESS_WORKLOAD_OF("BABEL", "data/workloads/babelstream/babelstream.ptx", run, input_sizes)
