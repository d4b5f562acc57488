/* conv3d.c - 3DC: what do launches leave for each other that share two planes of three? Host side of conv3d.cu. */
#include "data/workloads/harness/matrix.h"

#include <stdlib.h>

enum { WIDTH = 32, HEIGHT = 8 };

static const harness_size input_sizes[] = {
    {"planes", "planes of the box", {5, 24, 128}, 3, 512, 1},
    {"rows", "rows of a plane", {16, 64, 128}, 3, 512, 1},
    {"columns", "columns of a plane", {64, 128, 128}, 3, 512, 1},
    {0},
};

static void convolve_on_cpu(float *out, const float *in, long planes, long rows, long columns)
{
    static const double weight[4] = {0.25, 0.0625, -0.03125, 0.015625};
    for (long p = 1; p < planes - 1; p++)
        for (long i = 1; i < rows - 1; i++)
            for (long j = 1; j < columns - 1; j++) {
                double sum = 0;
                for (long z = -1; z <= 1; z++)
                    for (long y = -1; y <= 1; y++)
                        for (long x = -1; x <= 1; x++)
                            sum += weight[labs(x) + labs(y) + labs(z)] *
                                   (double)in[((p + z) * rows + i + y) * columns + j + x];
                out[(p * rows + i) * columns + j] = (float)sum;
            }
}

static void run(harness *h)
{
    const long planes = harness_get_size(h, "planes"), rows = harness_get_size(h, "rows"),
               columns = harness_get_size(h, "columns");
    const size_t n = (size_t)(planes * rows * columns);
    const float *const in = harness_random_floats(h, n, 0, 1);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_in = harness_upload(h, in, n * sizeof *in), d_out = harness_upload(h, got, n * sizeof *got);
    int d_rows = (int)rows, d_columns = (int)columns;

    for (int plane = 1; plane < planes - 1; plane++)
        HARNESS_LAUNCH(h, harness_kernel(h, "conv3d_plane"),
                       HARNESS_DIM(harness_blocks(columns, WIDTH), harness_blocks(rows, HEIGHT)),
                       HARNESS_DIM(WIDTH, HEIGHT), 0, &d_in, &d_out, &plane, &d_rows, &d_columns);
    harness_download(h, got, d_out, n * sizeof *got);
    convolve_on_cpu(want, in, planes, rows, columns);
    harness_check_floats(h, "box", got, want, n, 0, 1e-6); /* 27 terms of at most 0.25, most a sixteenth of that */
}

HARNESS_WORKLOAD_OF("3DC", "data/workloads/conv3d/conv3d.ptx", run, input_sizes)
