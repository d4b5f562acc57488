/* gesummv.c - GES: what if two matrices are walked along their rows at once? Host side of gesummv.cu. */
#include "data/workloads/harness/matrix.h"

enum { THREADS = 256 };

static const harness_size input_sizes[] = {
    {"rows", "rows of both matrices", {64, 1024, 4096}, 1, 16384, 1},
    {"columns", "columns of both matrices", {64, 256, 4096}, 1, 16384, 1},
    {"pitch", "floats from a row to the next", {4096, 4096, 4096}, 1, 65536, 1},
    {0},
};

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), columns = harness_get_size(h, "columns"),
               pitch = harness_get_size(h, "pitch");
    const harness_matrix a = harness_random_matrix(h, rows, columns, pitch, 0, 1),
                         b = harness_random_matrix(h, rows, columns, pitch, 0, 1);
    const float *const x = harness_random_floats(h, (size_t)columns, 0, 1);
    float *const got = harness_host(h, (size_t)rows, sizeof *got), *const want =
                                                                       harness_host(h, (size_t)rows, sizeof *want);
    CUdeviceptr d_a = a.device, d_b = b.device, d_x = harness_upload(h, x, (size_t)columns * sizeof *x);
    CUdeviceptr d_y = harness_device(h, (size_t)rows * sizeof *got);
    int d_rows = (int)rows, d_columns = (int)columns, d_pitch = (int)pitch;
    float alpha = 1.5f, beta = 1.25f;

    HARNESS_LAUNCH(h, harness_kernel(h, "ges_rows"), HARNESS_DIM((rows + THREADS - 1) / THREADS), HARNESS_DIM(THREADS),
                   0, &d_a, &d_b, &d_x, &d_y, &d_rows, &d_columns, &d_pitch, &alpha, &beta);
    harness_download(h, got, d_y, (size_t)rows * sizeof *got);
    const float *const of_a = harness_rows_on_cpu(h, &a, x), *const of_b = harness_rows_on_cpu(h, &b, x);
    for (long i = 0; i < rows; i++)
        want[i] = alpha * of_a[i] + beta * of_b[i];
    harness_check_floats(h, "y", got, want, (size_t)rows, harness_sum_tolerance(columns + 2), 0);
}

HARNESS_WORKLOAD_OF("GES", "data/workloads/gesummv/gesummv.ptx", run, input_sizes)
