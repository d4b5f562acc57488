/* square.c - SQUARE: what does a cache keep of an array that each launch reads again? Host side of square.cu. */
#include "data/workloads/harness/harness.h"

static const harness_size input_sizes[] = {
    {"elements", "elements", {3001, 100000, 524288}, 1, 67108864, 1},
    {"rounds", "launches", {3, 5, 10}, 1, 1000, 1},
    {"blocks", "blocks", {16, 128, 2048}, 1, 65535, 1},
    {"threads", "threads of a block", {64, 256, 256}, 32, 1024, 32},
    {0},
};

static void run(harness *h)
{
    const size_t n = (size_t)harness_get_size(h, "elements"), bytes = n * sizeof(float);
    float *const a = harness_random_floats(h, n, -2, 2), *const got = harness_host(h, n, sizeof *got),
                 *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_a = harness_upload(h, a, bytes), c = harness_upload(h, got, bytes);
    int count = (int)n;

    for (long round = 0; round < harness_get_size(h, "rounds"); round++)
        HARNESS_LAUNCH(h, harness_kernel(h, "square_all"), HARNESS_DIM(harness_get_size(h, "blocks")),
                       HARNESS_DIM(harness_get_size(h, "threads")), 0, &d_a, &c, &count);
    harness_download(h, got, c, bytes);
    for (size_t i = 0; i < n; i++)
        want[i] = a[i] * a[i];
    harness_check_floats(h, "square", got, want, n, 0, 0); /* a product is rounded once, anywhere */
}

HARNESS_WORKLOAD_OF("SQUARE", "data/workloads/square/square.ptx", run, input_sizes)
