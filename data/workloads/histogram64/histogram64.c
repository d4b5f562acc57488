/* histogram64.c - 64H, host side: frames of random bytes, counted here a second time, exactly. */
#include "data/workloads/harness/harness.h"

#include <string.h>

enum { BINS = 64, COUNTERS = 64, MERGERS = 256, PACK = 16 }; /* as in histogram64.cu */

static void fill(harness *h, unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i + 3 <= bytes; i += 3) {
        const unsigned r = harness_integer(h, 1u << 24);
        data[i] = (unsigned char)r;
        data[i + 1] = (unsigned char)(r >> 8);
        data[i + 2] = (unsigned char)(r >> 16);
    }
}

static void count(const unsigned char *data, size_t bytes, int *histogram)
{
    memset(histogram, 0, BINS * sizeof *histogram);
    for (size_t i = 0; i < bytes; i++)
        histogram[data[i] >> 2]++;
}

static void run(harness *h)
{
    const int frames = (int)harness_pick(h, 1, 2, 4);
    const long blocks = harness_pick(h, 48, 800, 10987);
    const size_t packs_a_thread =
        (size_t)harness_pick(h, 6, 6, 15); /* 240 bytes; 255 is what a byte counter can take */
    const size_t bytes = (size_t)blocks * COUNTERS * packs_a_thread * PACK - 5 * PACK; /* some threads have one less */
    unsigned char *data = harness_host(h, bytes, 1);
    int got[BINS], want[BINS];

    CUdeviceptr d_data = harness_device(h, bytes);
    CUdeviceptr d_partial = harness_device(h, (size_t)blocks * BINS * sizeof(int));
    CUdeviceptr d_histogram = harness_device(h, sizeof got);
    CUfunction counting = harness_kernel(h, "h64_count"), merging = harness_kernel(h, "h64_merge");
    unsigned packs = (unsigned)(bytes / PACK), partials = (unsigned)blocks;
    for (int frame = 0; frame < frames; frame++) {
        fill(h, data, bytes);
        harness_write(h, d_data, data, bytes);
        HARNESS_LAUNCH(h, counting, HARNESS_DIM(blocks), HARNESS_DIM(COUNTERS), 0, &d_partial, &d_data, &packs);
        HARNESS_LAUNCH(h, merging, HARNESS_DIM(BINS), HARNESS_DIM(MERGERS), 0, &d_histogram, &d_partial, &partials);
        harness_download(h, got, d_histogram, sizeof got);
        count(data, bytes, want);
        harness_check_ints(h, "histogram", got, want, BINS);
    }
}

HARNESS_WORKLOAD("64H", "data/workloads/histogram64/histogram64.ptx", run)
