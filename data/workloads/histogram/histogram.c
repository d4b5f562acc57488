/* histogram.c - HIS: what do additions cost that meet in few words, or in one? Host side of histogram.cu. */
#include "data/workloads/harness/graph.h"

enum kind { ALL, UNIFORM, SKEWED, ONE, ZIPF, PICTURE, SORTED, KINDS };

static const double SKEW = 4; /* a value is this power of a uniform number: a third of all in a hundredth of the bins */
enum { SPOTS = 12 };          /* of light in a picture */
static const double GRAIN = 0.02; /* of a picture, of the range from black to white */

static const harness_size input_sizes[] = {
    {"values", "values", {5000, 200000, 2000000}, 1, 100000000, 1},
    {"bins", "bins, at most what shared memory holds", {256, 256, 256}, 1, 8192, 1},
    {"kind",
     "0: all, 1: uniform, 2: skewed, 3: one value, 4: by Zipf's law, 5: picture, 6: sorted",
     {ALL, ALL, ALL},
     ALL,
     KINDS - 1,
     1},
    {"blocks", "blocks", {4, 32, 64}, 1, 4096, 1},
    {"threads", "threads of a block", {64, 256, 256}, 32, 1024, 32},
    {0},
};

/* A number from 0 to below 1 makes a bin, the last when rounding says one more. */
static int bin_of(double u, unsigned bins)
{
    const int bin = (int)floor(u * bins);
    return bin < 0 ? 0 : bin < (int)bins ? bin : (int)bins - 1;
}

/* Value number k of all by frequency is 1 / k as frequent as the first (G. Zipf, Human Behavior and the Principle of
 * Least Effort, 1949); which bins are frequent is drawn. */
static void draw_zipf(harness *h, int *value, size_t n, unsigned bins)
{
    const int *const bin = harness_shuffled(h, bins);
    double *const up_to = harness_host(h, bins, sizeof *up_to), all = 0;
    for (unsigned k = 0; k < bins; k++)
        up_to[k] = all += 1 / (double)(k + 1);
    for (size_t i = 0; i < n; i++) {
        const double u = harness_uniform(h, 0, all);
        size_t low = 0, high = bins - 1; /* the first rank up to which there is more than u */
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (up_to[middle] > u)
                high = middle;
            else
                low = middle + 1;
        }
        value[i] = bin[low];
    }
}

/* Grey levels of spots of light on a dark ground, row by row, with a little grain: neighbours are in the same bins or
 * in bins beside. */
static void draw_picture(harness *h, int *value, size_t n, unsigned bins)
{
    const size_t wide = (size_t)ceil(sqrt((double)n));
    double x[SPOTS], y[SPOTS], radius[SPOTS];
    for (int s = 0; s < SPOTS; s++) {
        x[s] = harness_uniform(h, 0, (double)wide);
        y[s] = harness_uniform(h, 0, (double)wide);
        radius[s] = harness_uniform(h, 0.05, 0.25) * (double)wide;
    }
    for (size_t i = 0; i < n; i++) {
        double dark = 0.9;
        for (int s = 0; s < SPOTS; s++) {
            const double across = ((double)(i % wide) - x[s]) / radius[s],
                         down = ((double)(i / wide) - y[s]) / radius[s];
            dark *= 1 - 0.6 / (1 + across * across + down * down);
        }
        value[i] = bin_of(1 - dark + harness_uniform(h, -GRAIN, GRAIN), bins);
    }
}

static int compare_values(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static void draw(harness *h, enum kind kind, int *value, size_t n, unsigned bins)
{
    const int one = (int)harness_integer(h, bins);
    if (kind == ZIPF) {
        draw_zipf(h, value, n, bins);
        return;
    }
    if (kind == PICTURE) {
        draw_picture(h, value, n, bins);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double u = harness_uniform(h, 0, 1);
        value[i] = kind == ONE ? one : bin_of(kind == SKEWED ? pow(u, SKEW) : u, bins);
    }
    if (kind == SORTED)
        qsort(value, n, sizeof *value, compare_values);
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

    HARNESS_LAUNCH(h, harness_kernel(h, "his_global"), HARNESS_DIM(blocks), HARNESS_DIM(threads), 0, &d_value, &bin,
                   &d_n);
    harness_download(h, got, bin, bins * sizeof *got);
    for (size_t i = 0; i < n; i++)
        want[value[i]]++;
    harness_check_ints(h, "bin in global memory", got, want, bins);
    HARNESS_LAUNCH(h, harness_kernel(h, "his_shared"), HARNESS_DIM(blocks), HARNESS_DIM(threads),
                   (unsigned)(bins * sizeof *got), &d_value, &bin, &d_n, &d_bins);
    harness_download(h, got, bin, bins * sizeof *got);
    for (size_t i = 0; i < bins; i++)
        want[i] *= 2; /* on top of what was there */
    harness_check_ints(h, "bin by shared memory", got, want, bins);
}

static void run(harness *h)
{
    const long kind = harness_get_size(h, "kind");
    for (long k = UNIFORM; k < KINDS; k++)
        if (kind == ALL || kind == k)
            count(h, (enum kind)k);
}

HARNESS_WORKLOAD_OF("HIS", "data/workloads/histogram/histogram.ptx", run, input_sizes)
