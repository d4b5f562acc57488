/* scan.c - SLA: how does a scan of a large array climb and descend its levels? Host side of scan.cu. */
#include "data/workloads/harness/harness.h"

enum { THREADS = 256, ELEMENTS = 2 * THREADS };

/* Scans blocks, then the block sums by the same means, then adds them: one level of recursion a factor of 512. */
static void scan(harness *h, CUdeviceptr out, CUdeviceptr in, long n)
{
    const long blocks = (n + ELEMENTS - 1) / ELEMENTS;
    const size_t bytes = (size_t)blocks * sizeof(float);
    CUdeviceptr sums = harness_device(h, bytes);
    int d_n = (int)n;

    HARNESS_LAUNCH(h, harness_kernel(h, "scan_blocks"), HARNESS_DIM(blocks), HARNESS_DIM(THREADS), 0, &out, &sums, &in,
                   &d_n);
    if (blocks == 1)
        return;
    CUdeviceptr prefix = harness_device(h, bytes);
    scan(h, prefix, sums, blocks);
    HARNESS_LAUNCH(h, harness_kernel(h, "scan_add"), HARNESS_DIM(blocks), HARNESS_DIM(THREADS), 0, &out, &prefix, &d_n);
}

static const harness_size input_sizes[] = {
    {"n", "values", {2500, 600000, 12800}, 1, 1600000, 1},
    {"times", "scans of them", {1, 1, 101}, 1, 10000, 1},
    {0},
};

static void run(harness *h)
{
    /* At scale study as the samples of the CUDA SDK measure: once to warm up, a hundred times again. */
    const long n = harness_get_size(h, "n"), times = harness_get_size(h, "times");
    float *const in = harness_host(h, (size_t)n, sizeof *in);
    float *const got = harness_host(h, (size_t)n, sizeof *got), *const want = harness_host(h, (size_t)n, sizeof *want);
    float sum = 0;

    /* Whole numbers below 10: every partial sum stays below 2^24, so single precision is exact in any order. */
    for (long i = 0; i < n; i++) {
        in[i] = (float)harness_integer(h, 10);
        want[i] = sum;
        sum += in[i];
    }
    CUdeviceptr d_in = harness_upload(h, in, (size_t)n * sizeof *in);
    CUdeviceptr d_out = harness_device(h, (size_t)n * sizeof *got);
    for (long i = 0; i < times; i++)
        scan(h, d_out, d_in, n);
    harness_download(h, got, d_out, (size_t)n * sizeof *got);
    harness_check_floats(h, "prefix", got, want, (size_t)n, 0, 0);
}

HARNESS_WORKLOAD_OF("SLA", "data/workloads/scan/scan.ptx", run, input_sizes)
