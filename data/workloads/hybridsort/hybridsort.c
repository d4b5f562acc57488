/* hybridsort.c - HY, host side: pivots from a histogram, sizes of buckets, a launch for each doubling of the runs. */
#include "data/workloads/harness/harness.h"

#include <stdlib.h>

enum {
    BUCKETS = 512,
    BINS = 1024,
    COUNTING_BLOCKS = 64,
    COUNTERS = 96,
    DEALERS = 32,
    DEALT = 128,      /* values a thread deals into buckets */
    SUMMERS = 128,    /* threads of the blocks that sum over blocks */
    SORTERS = 256,    /* that sort fours, and that pack */
    MERGERS = 208,    /* that merge */
    MERGE_BLOCKS = 8, /* at least */
    FOUR = 4
};

static const unsigned MINUS_INFINITY = 0xff800000; /* the bits of the float */

/* Device arrays: a holds the input, later every other level of the merge; b the buckets, and the other levels. */
typedef struct device {
    CUdeviceptr a, b, place, counts;
    int n, blocks;
} device;

/* Buckets: in fours where each begins, in floats where it begins without what fills it up, and how much that is. */
typedef struct buckets {
    int begin[BUCKETS + 1], packed_begin[BUCKETS + 1], filling[BUCKETS];
    int largest; /* floats, filled up */
} buckets;

static int compare_floats(const void *a, const void *b)
{
    const float u = *(const float *)a, v = *(const float *)b;
    return (u > v) - (u < v);
}

/* Exact: subtraction, division and product are rounded the same on both sides. */
static void check_histogram(harness *h, const float *values, int n, float low, float high, const int *got)
{
    int *const want = harness_host(h, BINS, sizeof *want);
    for (int i = 0; i < n; i++) {
        const int bin = (int)((values[i] - low) / (high - low) * BINS);
        want[bin < BINS ? bin : BINS - 1]++;
    }
    harness_check_ints(h, "histogram", got, want, BINS);
}

static void make_histogram(harness *h, const device *d, const float *values, float low, float high, int *histogram)
{
    int n = d->n;
    CUdeviceptr values_at = d->a, d_histogram = harness_upload(h, histogram, BINS * sizeof *histogram);
    HARNESS_LAUNCH(h, harness_kernel(h, "hy_histogram"), HARNESS_DIM(COUNTING_BLOCKS), HARNESS_DIM(COUNTERS), 0,
                   &d_histogram, &values_at, &low, &high, &n);
    harness_download(h, histogram, d_histogram, BINS * sizeof *histogram);
    check_histogram(h, values, n, low, high, histogram);
}

/* Pivots split the histogram into equal parts; inside a bin values are taken to be uniform. */
static void find_pivots(const int *histogram, int n, float low, float high, float *pivot)
{
    const double width = ((double)high - low) / BINS;
    double below = 0;
    int bin = 0;
    for (int p = 0; p < BUCKETS - 1; p++) {
        const double want = (double)n * (p + 1) / BUCKETS;
        while (bin < BINS - 1 && below + histogram[bin] < want)
            below += histogram[bin++];
        const double part = histogram[bin] ? (want - below) / histogram[bin] : 0;
        pivot[p] = (float)(low + (bin + part) * width);
    }
    pivot[BUCKETS - 1] = high; /* fills the texture; no search gets here */
}

/* Sizes of buckets by a count of the pivots that are not above a value. */
static void check_sizes(harness *h, const float *sorted, int n, const float *pivot, const int *got)
{
    int *const want = harness_host(h, BUCKETS, sizeof *want);
    for (int i = 0, bucket = 0; i < n; i++) {
        while (bucket < BUCKETS - 1 && pivot[bucket] <= sorted[i])
            bucket++;
        want[bucket]++;
    }
    harness_check_ints(h, "bucket size", got, want, BUCKETS);
}

static void lay_out(buckets *b, const int *size)
{
    b->begin[0] = b->packed_begin[0] = b->largest = 0;
    for (int i = 0; i < BUCKETS; i++) {
        const int fours = (size[i] + FOUR - 1) / FOUR;
        b->filling[i] = fours * FOUR - size[i];
        b->begin[i + 1] = b->begin[i] + fours;
        b->packed_begin[i + 1] = b->packed_begin[i] + size[i];
        if (fours * FOUR > b->largest)
            b->largest = fours * FOUR;
    }
}

/* From d->a to d->b. */
static void deal(harness *h, device *d, const float *pivot, const float *sorted, buckets *b)
{
    const harness_dim grid = HARNESS_DIM(d->blocks), block = HARNESS_DIM(DEALERS);
    CUdeviceptr total = harness_device(h, BUCKETS * sizeof(int)),
                pivots = harness_upload(h, pivot, BUCKETS * sizeof *pivot);
    CUtexObject pivot_texture = harness_texture_linear(h, pivots, CU_AD_FORMAT_FLOAT, 1, BUCKETS);
    int size[BUCKETS], begin[BUCKETS];
    HARNESS_LAUNCH(h, harness_kernel(h, "hy_bucket_count"), grid, block, 0, &d->a, &d->place, &d->counts,
                   &pivot_texture, &d->n);
    HARNESS_LAUNCH(h, harness_kernel(h, "hy_bucket_offsets"), HARNESS_DIM(BUCKETS / SUMMERS), HARNESS_DIM(SUMMERS), 0,
                   &d->counts, &total, &d->blocks);
    harness_download(h, size, total, sizeof size);
    check_sizes(h, sorted, d->n, pivot, size);
    lay_out(b, size);
    for (int i = 0; i < BUCKETS; i++)
        begin[i] = b->begin[i] * FOUR;
    CUdeviceptr d_begin = harness_upload(h, begin, sizeof begin);
    HARNESS_TRY(h, cuMemsetD32(d->b, MINUS_INFINITY, (size_t)b->begin[BUCKETS] * FOUR));
    HARNESS_LAUNCH(h, harness_kernel(h, "hy_bucket_scatter"), grid, block, 0, &d->a, &d->place, &d->b, &d->counts,
                   &d_begin, &d->n);
}

/* A thread a pair of runs, at least MERGE_BLOCKS blocks. */
static void merge_level(harness *h, CUdeviceptr to, CUtexObject from, int length, int threads_a_bucket)
{
    const int threads = threads_a_bucket * BUCKETS;
    int block = MERGERS, grid = (threads + block - 1) / block;
    if (grid < MERGE_BLOCKS) {
        grid = MERGE_BLOCKS;
        block = (threads + grid - 1) / grid;
    }
    HARNESS_LAUNCH(h, harness_kernel(h, "hy_merge"), HARNESS_DIM(grid), HARNESS_DIM(block), 0, &to, &from, &length,
                   &threads_a_bucket);
}

/* From d->b, level by level between the two arrays; returns where the packed result is. */
static CUdeviceptr merge(harness *h, const device *d, const buckets *b)
{
    int fours = b->begin[BUCKETS];
    CUdeviceptr from = d->b, to = d->a;
    CUtexObject from_texture = harness_texture_linear(h, from, CU_AD_FORMAT_FLOAT, FOUR, (size_t)fours);
    CUtexObject to_texture = harness_texture_linear(h, to, CU_AD_FORMAT_FLOAT, FOUR, (size_t)fours);
    HARNESS_LAUNCH(h, harness_kernel(h, "hy_sort_fours"), HARNESS_DIM((fours + SORTERS - 1) / SORTERS),
                   HARNESS_DIM(SORTERS), 0, &to, &from_texture, &fours);
    const int largest = b->largest / FOUR;
    int length = 1;
    do {
        const CUdeviceptr swap = from;
        const CUtexObject swap_texture = from_texture;
        from = to;
        from_texture = to_texture;
        to = swap;
        to_texture = swap_texture;
        length *= 2;
        merge_level(h, to, from_texture, length, (largest + length - 1) / length);
    } while (length < largest);
    HARNESS_LAUNCH(h, harness_kernel(h, "hy_pack"), HARNESS_DIM((b->largest + SORTERS - 1) / SORTERS, BUCKETS),
                   HARNESS_DIM(SORTERS), 0, &to, &from);
    return from;
}

static void write_symbol(harness *h, const char *name, const int *values, size_t bytes)
{
    harness_write(h, harness_symbol(h, name, bytes), values, bytes);
}

static const harness_size input_sizes[] = {
    {"n", "values to sort", {5000, 500000, 262144}, 5000, 16777216, 1},
    {0},
};

static void run(harness *h)
{
    device d = {.n = (int)harness_get_size(h, "n")};
    const size_t bytes = (size_t)d.n * sizeof(float), most = bytes + BUCKETS * FOUR * sizeof(float);
    const float *const values = harness_random_floats(h, (size_t)d.n, -1, 1);
    float *const sorted = harness_host(h, (size_t)d.n, sizeof *sorted), *const got =
                                                                            harness_host(h, (size_t)d.n, sizeof *got);
    for (int i = 0; i < d.n; i++)
        sorted[i] = values[i];
    qsort(sorted, (size_t)d.n, sizeof *sorted, compare_floats);
    const float low = sorted[0], high = sorted[d.n - 1];

    d.blocks = (d.n + DEALERS * DEALT - 1) / (DEALERS * DEALT);
    d.a = harness_device(h, most);
    d.b = harness_device(h, most);
    d.place = harness_device(h, bytes);
    d.counts = harness_device(h, (size_t)d.blocks * BUCKETS * sizeof(int));
    harness_write(h, d.a, values, bytes);

    int *const histogram = harness_host(h, BINS, sizeof *histogram);
    float pivot[BUCKETS];
    buckets b;
    make_histogram(h, &d, values, low, high, histogram);
    find_pivots(histogram, d.n, low, high, pivot);
    deal(h, &d, pivot, sorted, &b);
    write_symbol(h, "hy_begin", b.begin, sizeof b.begin);
    write_symbol(h, "hy_packed_begin", b.packed_begin, sizeof b.packed_begin);
    write_symbol(h, "hy_filling", b.filling, sizeof b.filling);
    harness_download(h, got, merge(h, &d, &b), bytes);
    harness_check_floats(h, "sorted", got, sorted, (size_t)d.n, 0, 0);
}

HARNESS_WORKLOAD_OF("HY", "data/workloads/hybridsort/hybridsort.ptx", run, input_sizes)
