/* conv2d.c - 2DC: what do loads of neighbours cost that reach into a second line? Host side of conv2d.cu. */
#include "data/workloads/harness/matrix.h"

enum { WIDTH = 32, HEIGHT = 8, TAPS = 3 };

static const harness_size input_sizes[] = {
    {"rows", "rows of the picture", {32, 256, 4096}, 3, 8192, 1},
    {"columns", "columns of the picture", {64, 512, 4096}, 3, 8192, 1},
    {"pitch", "floats from a row to the next", {64, 512, 4096}, 1, 65536, 1},
    {0},
};

static void convolve_on_cpu(const harness_matrix *out, const float *in)
{
    static const float weight[TAPS][TAPS] = {{0.2f, -0.3f, 0.4f}, {0.5f, 0.6f, 0.7f}, {-0.8f, -0.9f, 0.1f}};
    for (long i = 1; i < out->rows - 1; i++)
        for (long j = 1; j < out->columns - 1; j++) {
            double sum = 0;
            for (long y = 0; y < TAPS; y++)
                for (long x = 0; x < TAPS; x++)
                    sum += (double)weight[y][x] * (double)in[(i + y - 1) * out->columns + j + x - 1];
            out->at[i * out->columns + j] = (float)sum;
        }
}

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), columns = harness_get_size(h, "columns"),
               pitch = harness_get_size(h, "pitch");
    const harness_matrix in = harness_random_matrix(h, rows, columns, pitch, 0, 1),
                         out = harness_make_matrix(h, rows, columns, pitch);
    CUdeviceptr d_in = in.device, d_out = out.device;
    int d_rows = (int)rows, d_columns = (int)columns, d_pitch = (int)pitch;

    harness_write_matrix(h, &out);
    HARNESS_LAUNCH(h, harness_kernel(h, "conv2d_cells"),
                   HARNESS_DIM(harness_blocks(columns, WIDTH), harness_blocks(rows, HEIGHT)),
                   HARNESS_DIM(WIDTH, HEIGHT), 0, &d_in, &d_out, &d_rows, &d_columns, &d_pitch);
    convolve_on_cpu(&out, in.at);
    harness_check_matrix(h, "picture", &out, 0, 2e-6); /* nine terms below one */
}

HARNESS_WORKLOAD_OF("2DC", "data/workloads/conv2d/conv2d.ptx", run, input_sizes)
