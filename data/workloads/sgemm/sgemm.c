/* sgemm.c - SGM: what does a product of matrices ask of caches when its results are in registers? Host side of
 * sgemm.cu. */
#include "data/workloads/harness/matrix.h"

enum { HIGH = 128, WIDE = 16, DEEP = 8 };

static const harness_size input_sizes[] = {
    {"rows", "rows of A and C", {128, 256, 512}, HIGH, 4096, HIGH},
    {"columns", "columns of C, rows of B", {32, 128, 512}, WIDE, 4096, WIDE},
    {"inner", "columns of A and B", {24, 128, 512}, DEEP, 4096, DEEP},
    {0},
};

/* c = alpha a b' + beta c in double precision; columns one behind the other. */
static void multiply_on_cpu(const float *a, const float *b, float *c, long rows, long columns, long inner, double alpha,
                            double beta, double *sum)
{
    for (long j = 0; j < columns; j++) {
        for (long i = 0; i < rows; i++)
            sum[i] = 0;
        for (long k = 0; k < inner; k++)
            for (long i = 0; i < rows; i++)
                sum[i] += (double)a[k * rows + i] * (double)b[k * columns + j];
        for (long i = 0; i < rows; i++)
            c[j * rows + i] = (float)(alpha * sum[i] + beta * (double)c[j * rows + i]);
    }
}

static void run(harness *h)
{
    const long m = harness_get_size(h, "rows"), n = harness_get_size(h, "columns"), k = harness_get_size(h, "inner");
    const float *const a = harness_random_floats(h, (size_t)(m * k), 0, 1), *const b = harness_random_floats(
                                                                                h, (size_t)(n * k), 0, 1);
    float *const c = harness_random_floats(h, (size_t)(m * n), 0, 1), *const got =
                                                                          harness_host(h, (size_t)(m * n), sizeof *got);
    CUdeviceptr d_a = harness_upload(h, a, (size_t)(m * k) * sizeof *a),
                d_b = harness_upload(h, b, (size_t)(n * k) * sizeof *b);
    CUdeviceptr d_c = harness_upload(h, c, (size_t)(m * n) * sizeof *c);
    int rows = (int)m, columns = (int)n, inner = (int)k;
    float alpha = 1.5F, beta = 0.5F;

    HARNESS_LAUNCH(h, harness_kernel(h, "sgm_tiles"), HARNESS_DIM(m / HIGH, n / WIDE), HARNESS_DIM(HIGH), 0, &d_a, &d_b,
                   &d_c, &rows, &columns, &inner, &alpha, &beta);
    harness_download(h, got, d_c, (size_t)(m * n) * sizeof *got);
    multiply_on_cpu(a, b, c, m, n, k, (double)alpha, (double)beta, harness_host(h, (size_t)m, sizeof(double)));
    harness_check_floats(h, "C", got, c, (size_t)(m * n), harness_sum_tolerance(k), 0);
}

HARNESS_WORKLOAD_OF("SGM", "data/workloads/sgemm/sgemm.ptx", run, input_sizes)
