/* weightgradient.c - WGR: what do additions cost that meet in the weights of a layer? Host side of weightgradient.cu.
 */
#include "data/workloads/harness/matrix.h"

enum { SIDE = 3 };

static const harness_size input_sizes[] = {
    {"pictures", "pictures of a batch", {2, 4, 8}, 1, 1024, 1},
    {"inputs", "channels of the input", {2, 3, 3}, 1, 512, 1},
    {"outputs", "channels of the output", {2, 8, 32}, 1, 512, 1},
    {"size", "rows and columns of a picture", {11, 24, 48}, 1, 1024, 1},
    {"threads", "threads of a block", {64, 256, 256}, 32, 1024, 32},
    {0},
};

typedef struct layer {
    int pictures, inputs, outputs, size;
    float *input, *error;
} layer;

/* The gradient of one weight by its definition. */
static double gradient_on_cpu(const layer *l, int out, int in, int down, int across)
{
    const long n = l->size;
    double sum = 0;
    for (long p = 0; p < l->pictures; p++) {
        const float *const input = l->input + (p * l->inputs + in) * n * n, *const error =
                                                                                l->error +
                                                                                (p * l->outputs + out) * n * n;
        for (long y = down < 0 ? -down : 0; y < n && y + down < n; y++)
            for (long x = across < 0 ? -across : 0; x < n && x + across < n; x++)
                sum += (double)error[y * n + x] * (double)input[(y + down) * n + x + across];
    }
    return sum;
}

static void run(harness *h)
{
    layer l = {.pictures = (int)harness_get_size(h, "pictures"),
               .inputs = (int)harness_get_size(h, "inputs"),
               .outputs = (int)harness_get_size(h, "outputs"),
               .size = (int)harness_get_size(h, "size")};
    const long threads = harness_get_size(h, "threads"), pixels = (long)l.size * l.size * l.pictures;
    if (pixels * (l.inputs > l.outputs ? l.inputs : l.outputs) > 1L << 28)
        harness_refuse(
            h, "pictures=%d of size=%d with inputs=%d and outputs=%d are more than numbers of pixels have room for",
            l.pictures, l.size, l.inputs, l.outputs);
    const size_t in = (size_t)(pixels * l.inputs), out = (size_t)(pixels * l.outputs);
    const size_t weights = (size_t)l.inputs * (size_t)l.outputs * SIDE * SIDE;
    l.input = harness_random_floats(h, in, 0, 1);
    l.error = harness_random_floats(h, out, 0, 1);
    float *const got = harness_host(h, weights, sizeof *got), *const want = harness_host(h, weights, sizeof *want);
    CUdeviceptr input = harness_upload(h, l.input, in * sizeof *l.input),
                error = harness_upload(h, l.error, out * sizeof *l.error);
    CUdeviceptr gradient = harness_upload(h, got, weights * sizeof *got);

    HARNESS_LAUNCH(h, harness_kernel(h, "wgr_add"), HARNESS_DIM(harness_blocks(pixels, threads), l.inputs * l.outputs),
                   HARNESS_DIM(threads), 0, &input, &error, &gradient, &l.pictures, &l.inputs, &l.outputs, &l.size,
                   &l.size);
    harness_download(h, got, gradient, weights * sizeof *got);
    for (size_t w = 0; w < weights; w++) {
        const int pair = (int)(w / (SIDE * SIDE)), tap = (int)(w % (SIDE * SIDE));
        want[w] = (float)gradient_on_cpu(&l, pair / l.inputs, pair % l.inputs, tap / SIDE - 1, tap % SIDE - 1);
    }
    harness_check_floats(h, "gradient", got, want, weights, harness_sum_tolerance(pixels), 1e-6);
}

HARNESS_WORKLOAD_OF("WGR", "data/workloads/weightgradient/weightgradient.ptx", run, input_sizes)
