/* syr2k.c - SYR2K: what if all warps walk along the same rows of two matrices, a row a lane? Host side of syr2k.cu. */
#include "data/workloads/harness/matrix.h"

enum { WIDTH = 32, HEIGHT = 8 }; /* of a block */

static const harness_size input_sizes[] = {
    {"rows", "rows of both matrices; the result has as many rows and columns", {32, 128, 256}, 1, 2048, 1},
    {"inner", "columns of both matrices", {64, 128, 256}, 1, 2048, 1},
    {"pitch", "floats from a row of either matrix to the next", {256, 256, 256}, 1, 65536, 1},
    {0},
};

static double dot(const float *a, const float *b, long n)
{
    double sum = 0;
    for (long k = 0; k < n; k++)
        sum += (double)a[k] * (double)b[k];
    return sum;
}

static void update_on_cpu(float *want, const harness_matrix *a, const harness_matrix *b, const float *c, float alpha,
                          float beta)
{
    const long rows = a->rows, inner = a->columns;
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < rows; j++) {
            const double sum =
                dot(a->at + i * inner, b->at + j * inner, inner) + dot(b->at + i * inner, a->at + j * inner, inner);
            want[i * rows + j] = (float)((double)beta * (double)c[i * rows + j] + (double)alpha * sum);
        }
}

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), inner = harness_get_size(h, "inner"),
               pitch = harness_get_size(h, "pitch");
    const harness_matrix a = harness_random_matrix(h, rows, inner, pitch, 0, 1),
                         b = harness_random_matrix(h, rows, inner, pitch, 0, 1);
    const size_t n = (size_t)(rows * rows);
    const float *const c = harness_random_floats(h, n, 0, 1);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_a = a.device, d_b = b.device, d_c = harness_upload(h, c, n * sizeof *c);
    int d_rows = (int)rows, d_inner = (int)inner, d_pitch = (int)pitch;
    float alpha = 1.5f, beta = 0.75f;

    HARNESS_LAUNCH(h, harness_kernel(h, "syr2k_update"),
                   HARNESS_DIM((rows + WIDTH - 1) / WIDTH, (rows + HEIGHT - 1) / HEIGHT), HARNESS_DIM(WIDTH, HEIGHT), 0,
                   &d_a, &d_b, &d_c, &d_rows, &d_inner, &d_pitch, &alpha, &beta);
    harness_download(h, got, d_c, n * sizeof *got);
    update_on_cpu(want, &a, &b, c, alpha, beta);
    harness_check_floats(h, "C", got, want, n, harness_sum_tolerance(2 * inner + 1), 0);
}

HARNESS_WORKLOAD_OF("SYR2K", "data/workloads/syr2k/syr2k.ptx", run, input_sizes)
