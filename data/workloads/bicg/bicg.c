/* bicg.c - BICG: how do a product by columns and one by rows of the same matrix differ? Host side of bicg.cu. */
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
    const float *const p = harness_random_floats(h, (size_t)columns, 0, 1);
    const float *const r = harness_random_floats(h, (size_t)rows, 0, 1);
    float *const q = harness_host(h, (size_t)rows, sizeof *q), *const s = harness_host(h, (size_t)columns, sizeof *s);
    CUdeviceptr d_a = a.device, d_p = harness_upload(h, p, (size_t)columns * sizeof *p),
                d_r = harness_upload(h, r, (size_t)rows * sizeof *r);
    CUdeviceptr d_q = harness_device(h, (size_t)rows * sizeof *q), d_s = harness_device(h, (size_t)columns * sizeof *s);
    int d_rows = (int)rows, d_columns = (int)columns, d_pitch = (int)a.pitch;

    HARNESS_LAUNCH(h, harness_kernel(h, "bicg_columns"), HARNESS_DIM((columns + THREADS - 1) / THREADS),
                   HARNESS_DIM(THREADS), 0, &d_a, &d_r, &d_s, &d_rows, &d_columns, &d_pitch);
    HARNESS_LAUNCH(h, harness_kernel(h, "bicg_rows"), HARNESS_DIM((rows + THREADS - 1) / THREADS), HARNESS_DIM(THREADS),
                   0, &d_a, &d_p, &d_q, &d_rows, &d_columns, &d_pitch);
    harness_download(h, s, d_s, (size_t)columns * sizeof *s);
    harness_download(h, q, d_q, (size_t)rows * sizeof *q);
    harness_check_floats(h, "s", s, harness_columns_on_cpu(h, &a, r), (size_t)columns, harness_sum_tolerance(rows), 0);
    harness_check_floats(h, "q", q, harness_rows_on_cpu(h, &a, p), (size_t)rows, harness_sum_tolerance(columns), 0);
}

HARNESS_WORKLOAD_OF("BICG", "data/workloads/bicg/bicg.ptx", run, input_sizes)
