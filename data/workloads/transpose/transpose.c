/* transpose.c - MT: what does the order of memory accesses cost? Host side of transpose.cu. */
#include "data/workloads/harness/harness.h"

enum { TILE = 16 };

static void transpose_and_check(harness *h, const char *kernel, const float *in, const float *want, long width,
                                long height)
{
    const size_t n = (size_t)(width * height);
    float *const got = harness_host(h, n, sizeof *got);
    CUdeviceptr d_in = harness_upload(h, in, n * sizeof *in);
    CUdeviceptr d_out = harness_device(h, n * sizeof *got);
    int d_width = (int)width, d_height = (int)height;

    HARNESS_LAUNCH(h, harness_kernel(h, kernel), HARNESS_DIM((width + TILE - 1) / TILE, (height + TILE - 1) / TILE),
                   HARNESS_DIM(TILE, TILE), 0, &d_out, &d_in, &d_width, &d_height);
    harness_download(h, got, d_out, n * sizeof *got);
    harness_check_floats(h, kernel, got, want, n, 0, 0); /* nothing is computed: bits must be the same */
}

/* At scale study their own numbers, as in the original. */
static float *make_elements(harness *h, size_t n)
{
    float *const in = harness_random_floats(h, n, -1, 1);
    if (harness_get_scale(h) == HARNESS_STUDY) {
        for (size_t i = 0; i < n; i++)
            in[i] = (float)i;
    }
    return in;
}

static const harness_size input_sizes[] = {
    {"width", "columns of the matrix", {56, 1500, 256}, 1, 16384, 1},
    {"height", "rows of the matrix", {40, 700, 128}, 1, 16384, 1},
    {0},
};

static void run(harness *h)
{
    const long width = harness_get_size(h, "width"), height = harness_get_size(h, "height");
    const float *const in = make_elements(h, (size_t)(width * height));
    float *const want = harness_host(h, (size_t)(width * height), sizeof *want);

    for (long y = 0; y < height; y++)
        for (long x = 0; x < width; x++)
            want[x * height + y] = in[y * width + x];
    transpose_and_check(h, "transpose_naive", in, want, width, height);
    transpose_and_check(h, "transpose_tiled", in, want, width, height);
}

HARNESS_WORKLOAD_OF("MT", "data/workloads/transpose/transpose.ptx", run, input_sizes)
