/* histogram.c - HIS: what do additions cost that meet in few words, or in one? Host side of histogram.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum kind { ALL, UNIFORM, SKEWED, ONE };

static const double SKEW = 4; /* a value is this power of a uniform number: a third of all in a hundredth of the bins */

static const harness_size input_sizes[] = {
    {"values", "values", {5000, 200000, 2000000}, 1, 100000000, 1},
    {"bins", "bins, at most what shared memory holds", {256, 256, 256}, 1, 8192, 1},
    {"kind", "0: all, 1: uniform, 2: skewed, 3: one value", {ALL, ALL, ALL}, ALL, ONE, 1},
    {"blocks", "blocks", {4, 32, 64}, 1, 4096, 1},
    {"threads", "threads of a block", {64, 256, 256}, 32, 1024, 32},
    {0},
};

static void draw(harness *h, enum kind kind, int *value, size_t n, unsigned bins)
{
    const unsigned one = harness_integer(h, bins);
    for (size_t i = 0; i < n; i++) {
        const double u = harness_uniform(h, 0, 1);
        value[i] = (int)(kind == UNIFORM ? floor(u * bins) : kind == SKEWED ? floor(pow(u, SKEW) * bins) : one);
    }
}

static void count(harness *h, enum kind kind)
{
    const size_t n = (size_t)harness_get_size(h, "values"), bins = (size_t)harness_get_size(h, "bins");
    const long blocks = harness_get_size(h, "blocks"), threads = harness_get_size(h, "threads");
    int *const value = harness_host(h, n, sizeof *value), *const want = harness_host(h, bins, sizeof *want);
    int *const got = harness_host(h, bins, sizeof *got);
    draw(h, kind, value, n, (unsigned)bins);
    CUdeviceptr d_value = harness_upload(h, value, n * sizeof *value), bin = harness_upload(h, got, bins * sizeof *got);
    int d_n = (int)n, d_bins = (int)bins;

    HARNESS_LAUNCH(h, harness_kernel(h, "his_global"), HARNESS_DIM(blocks), HARNESS_DIM(threads), 0, &d_value, &bin, &d_n);
    harness_download(h, got, bin, bins * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[value[i]]++;
    harness_check_ints(h, "bin in global memory", got, want, bins);
    HARNESS_LAUNCH(h, harness_kernel(h, "his_shared"), HARNESS_DIM(blocks), HARNESS_DIM(threads), (unsigned)(bins * sizeof *got), &d_value, &bin, &d_n,
                   &d_bins);
    harness_download(h, got, bin, bins * sizeof *got);
    for (size_t i = 0; i < bins; i++)
        want[i] *= 2; /* on top of what was there */
    harness_check_ints(h, "bin by shared memory", got, want, bins);
}

static void run(harness *h)
{
    const long kind = harness_get_size(h, "kind");
    for (long k = UNIFORM; k <= ONE; k++)
        if (kind == ALL || kind == k)
            count(h, (enum kind)k);
}

HARNESS_WORKLOAD_OF("HIS", "data/workloads/histogram/histogram.ptx", run, input_sizes)
