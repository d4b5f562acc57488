/* syrk.c - SYRK: what if all warps walk along the same rows of a matrix, a row a lane? Host side of syrk.cu. */
#include "data/workloads/harness/matrix.h"

enum { WIDTH = 32, HEIGHT = 8 }; /* of a block */

static const harness_size input_sizes[] = {
    {"rows", "rows of the matrix; the result has as many rows and columns", {32, 128, 512}, 1, 2048, 1},
    {"inner", "columns of the matrix", {64, 128, 512}, 1, 2048, 1},
    {"pitch", "floats from a row of the matrix to the next", {512, 512, 512}, 1, 65536, 1},
    {0},
};

static void update_on_cpu(float *want, const harness_matrix *a, const float *c, float alpha, float beta)
{
    for (long i = 0; i < a->rows; i++)
        for (long j = 0; j < a->rows; j++) {
            double sum = 0;
            for (long k = 0; k < a->columns; k++)
                sum += (double)a->at[i * a->columns + k] * (double)a->at[j * a->columns + k];
            want[i * a->rows + j] = (float)((double)beta * (double)c[i * a->rows + j] + (double)alpha * sum);
        }
}

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), inner = harness_get_size(h, "inner");
    const harness_matrix a = harness_random_matrix(h, rows, inner, harness_get_size(h, "pitch"), 0, 1);
    const size_t n = (size_t)(rows * rows);
    const float *const c = harness_random_floats(h, n, 0, 1);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_a = a.device, d_c = harness_upload(h, c, n * sizeof *c);
    int d_rows = (int)rows, d_inner = (int)inner, d_pitch = (int)a.pitch;
    float alpha = 1.5f, beta = 0.75f;

    HARNESS_LAUNCH(h, harness_kernel(h, "syrk_update"),
                   HARNESS_DIM((rows + WIDTH - 1) / WIDTH, (rows + HEIGHT - 1) / HEIGHT), HARNESS_DIM(WIDTH, HEIGHT), 0,
                   &d_a, &d_c, &d_rows, &d_inner, &d_pitch, &alpha, &beta);
    harness_download(h, got, d_c, n * sizeof *got);
    update_on_cpu(want, &a, c, alpha, beta);
    harness_check_floats(h, "C", got, want, n, harness_sum_tolerance(inner + 1), 0);
}

HARNESS_WORKLOAD_OF("SYRK", "data/workloads/syrk/syrk.ptx", run, input_sizes)
