/* reduction.c - PR: what do divergence, bank conflicts and idle threads cost a reduction? Host side of reduction.cu. */
#include "data/workloads/harness/harness.h"

enum { THREADS = 256, GRID_BLOCKS = 64 };

/* A kernel and how many blocks it takes for n elements. */
typedef struct variant {
    const char *kernel;
    long elements_per_block; /* 0: GRID_BLOCKS blocks for any n */
} variant;

static const variant variants[] = {
    {"reduce_modulo", THREADS},        {"reduce_strided", THREADS}, {"reduce_sequential", THREADS},
    {"reduce_first_add", 2 * THREADS}, {"reduce_grid", 0},
};

static long blocks_for(const variant *v, long n)
{
    if (v->elements_per_block)
        return (n + v->elements_per_block - 1) / v->elements_per_block;
    return n > THREADS ? GRID_BLOCKS : 1;
}

/* Launches until one value is left, each launch on the block sums of the one before. */
static int reduce(harness *h, const variant *v, const int *in, long n)
{
    CUdeviceptr from = harness_upload(h, in, (size_t)n * sizeof *in);
    CUdeviceptr to = harness_device(h, (size_t)blocks_for(v, n) * sizeof *in);
    const CUfunction kernel = harness_kernel(h, v->kernel);
    int sum = 0;

    while (n > 1) {
        const long blocks = blocks_for(v, n);
        int d_n = (int)n;
        HARNESS_LAUNCH(h, kernel, HARNESS_DIM(blocks), HARNESS_DIM(THREADS), 0, &from, &to, &d_n);
        harness_swap(&from, &to);
        n = blocks;
    }
    harness_download(h, &sum, from, sizeof sum);
    return sum;
}

/* What the sample of the CUDA SDK does by itself, and the study's 830 K threads are: a first sum of the blocks to warm
 * up, then a hundred times the whole sum in two launches, 64 * 128 * 101 + 32 * 100 threads. */
static int reduce_again_and_again(harness *h, const int *in, long n)
{
    enum { TIMES = 100, BLOCKS = 64, MANY = 128, FEW = BLOCKS / 2 };
    CUdeviceptr from = harness_upload(h, in, (size_t)n * sizeof *in);
    CUdeviceptr sums = harness_device(h, BLOCKS * sizeof *in), whole = harness_device(h, sizeof *in);
    const CUfunction kernel = harness_kernel(h, "reduce_pairs");
    int many = (int)n, few = BLOCKS, sum = 0;

    HARNESS_LAUNCH(h, kernel, HARNESS_DIM(BLOCKS), HARNESS_DIM(MANY), MANY * sizeof *in, &from, &sums, &many);
    for (int i = 0; i < TIMES; i++) {
        HARNESS_LAUNCH(h, kernel, HARNESS_DIM(BLOCKS), HARNESS_DIM(MANY), MANY * sizeof *in, &from, &sums, &many);
        HARNESS_LAUNCH(h, kernel, HARNESS_DIM(1), HARNESS_DIM(FEW), FEW * sizeof *in, &sums, &whole, &few);
    }
    harness_download(h, &sum, whole, sizeof sum);
    return sum;
}

static void run(harness *h)
{
    const long n = harness_pick(h, 3000, 500000, 1 << 18);
    /* At scale study those of the SDK's sample, which are below 256. */
    const int least = (int)harness_pick(h, -1000, -1000, 0), most = (int)harness_pick(h, 1000, 1000, 255);
    const int *const in = harness_random_ints(h, (size_t)n, least, most);
    int want = 0;

    for (long i = 0; i < n; i++)
        want += in[i];
    if (harness_get_scale(h) == HARNESS_STUDY) {
        const int got = reduce_again_and_again(h, in, n);
        harness_check_ints(h, "reduce_pairs", &got, &want, 1);
        return;
    }
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        const int got = reduce(h, &variants[v], in, n);
        harness_check_ints(h, variants[v].kernel, &got, &want, 1);
    }
}

HARNESS_WORKLOAD("PR", "data/workloads/reduction/reduction.ptx", run)
