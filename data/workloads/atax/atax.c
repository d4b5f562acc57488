/* atax.c - ATAX: what does it cost to walk a matrix along its rows, one a lane? Host side of atax.cu. */
#include "data/workloads/harness/matrix.h"

enum { THREADS = 256 };

static const harness_size input_sizes[] = {
    {"rows", "rows of the matrix", {64, 1024, 8192}, 1, 16384, 1},
    {"columns", "columns of the matrix", {64, 256, 8192}, 1, 16384, 1},
    {"pitch", "floats from a row to the next", {8192, 8192, 8192}, 1, 65536, 1},
    {0},
};

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), columns = harness_get_size(h, "columns");
    const harness_matrix a = harness_random_matrix(h, rows, columns, harness_get_size(h, "pitch"), 0, 1);
    const float *const x = harness_random_floats(h, (size_t)columns, 0, 1);
    float *const got = harness_host(h, (size_t)columns, sizeof *got);
    CUdeviceptr d_a = a.device, d_x = harness_upload(h, x, (size_t)columns * sizeof *x);
    CUdeviceptr d_product = harness_device(h, (size_t)rows * sizeof *got);
    CUdeviceptr d_y = harness_device(h, (size_t)columns * sizeof *got);
    int d_rows = (int)rows, d_columns = (int)columns, d_pitch = (int)a.pitch;

    HARNESS_LAUNCH(h, harness_kernel(h, "atax_rows"), HARNESS_DIM((rows + THREADS - 1) / THREADS), HARNESS_DIM(THREADS),
                   0, &d_a, &d_x, &d_product, &d_rows, &d_columns, &d_pitch);
    HARNESS_LAUNCH(h, harness_kernel(h, "atax_columns"), HARNESS_DIM((columns + THREADS - 1) / THREADS),
                   HARNESS_DIM(THREADS), 0, &d_a, &d_product, &d_y, &d_rows, &d_columns, &d_pitch);
    harness_download(h, got, d_y, (size_t)columns * sizeof *got);
    const float *const want = harness_columns_on_cpu(h, &a, harness_rows_on_cpu(h, &a, x));
    harness_check_floats(h, "y", got, want, (size_t)columns,
                         harness_sum_tolerance(rows) + harness_sum_tolerance(columns), 0);
}

HARNESS_WORKLOAD_OF("ATAX", "data/workloads/atax/atax.ptx", run, input_sizes)
