/* mvt.c - MVT: products of a matrix and of its transpose, each added to a vector. Host side of mvt.cu. */
#include "data/workloads/harness/matrix.h"

enum { THREADS = 256 };

static const harness_size input_sizes[] = {
    {"rows", "rows of the matrix", {64, 1024, 8192}, 1, 16384, 1},
    {"columns", "columns of the matrix", {64, 256, 8192}, 1, 16384, 1},
    {"pitch", "floats from a row to the next", {8192, 8192, 8192}, 1, 65536, 1},
    {0},
};

/* The vector that a product is added to, and what the sum has to be in the end. */
static void add(float *sum, const float *to, const float *product, long n)
{
    for (long i = 0; i < n; i++)
        sum[i] = to[i] + product[i];
}

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), columns = harness_get_size(h, "columns");
    const harness_matrix a = harness_random_matrix(h, rows, columns, harness_get_size(h, "pitch"), 0, 1);
    const float *const y1 = harness_random_floats(h, (size_t)columns, 0, 1), *const y2 = harness_random_floats(
                                                                                 h, (size_t)rows, 0, 1);
    const float *const x1 = harness_random_floats(h, (size_t)rows, 0, 1), *const x2 = harness_random_floats(
                                                                              h, (size_t)columns, 0, 1);
    const size_t row_bytes = (size_t)rows * sizeof(float), column_bytes = (size_t)columns * sizeof(float);
    float *const got1 = harness_host(h, row_bytes, 1), *const want1 = harness_host(h, row_bytes, 1);
    float *const got2 = harness_host(h, column_bytes, 1), *const want2 = harness_host(h, column_bytes, 1);
    CUdeviceptr d_a = a.device, d_y1 = harness_upload(h, y1, column_bytes), d_y2 = harness_upload(h, y2, row_bytes);
    CUdeviceptr d_x1 = harness_upload(h, x1, row_bytes), d_x2 = harness_upload(h, x2, column_bytes);
    int d_rows = (int)rows, d_columns = (int)columns, d_pitch = (int)a.pitch;

    HARNESS_LAUNCH(h, harness_kernel(h, "mvt_rows"), HARNESS_DIM((rows + THREADS - 1) / THREADS), HARNESS_DIM(THREADS),
                   0, &d_a, &d_y1, &d_x1, &d_rows, &d_columns, &d_pitch);
    HARNESS_LAUNCH(h, harness_kernel(h, "mvt_columns"), HARNESS_DIM((columns + THREADS - 1) / THREADS),
                   HARNESS_DIM(THREADS), 0, &d_a, &d_y2, &d_x2, &d_rows, &d_columns, &d_pitch);
    harness_download(h, got1, d_x1, row_bytes);
    harness_download(h, got2, d_x2, column_bytes);
    add(want1, x1, harness_rows_on_cpu(h, &a, y1), rows);
    add(want2, x2, harness_columns_on_cpu(h, &a, y2), columns);
    harness_check_floats(h, "x1", got1, want1, (size_t)rows, harness_sum_tolerance(columns + 1), 0);
    harness_check_floats(h, "x2", got2, want2, (size_t)columns, harness_sum_tolerance(rows + 1), 0);
}

HARNESS_WORKLOAD_OF("MVT", "data/workloads/mvt/mvt.ptx", run, input_sizes)
