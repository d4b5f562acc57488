/* matmul.c - MM: how does a tiled dense product use the machine? Host side of matmul.cu. */
#include "data/workloads/harness/harness.h"

enum { TILE = 16 };

static void multiply_on_cpu(float *c, const float *a, const float *b, long rows, long inner, long columns)
{
    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < columns; j++) {
            double sum = 0;
            for (long k = 0; k < inner; k++) {
                sum += (double)a[i * inner + k] * (double)b[k * columns + j];
            }
            c[i * columns + j] = (float)sum;
        }
    }
}

static const harness_size input_sizes[] = {
    {"rows", "rows of the product", {32, 256, 80}, TILE, 4096, TILE},
    {"inner", "columns of the first matrix, rows of the second", {32, 256, 48}, TILE, 4096, TILE},
    {"columns", "columns of the product", {48, 256, 128}, TILE, 4096, TILE},
    {0},
};

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), inner = harness_get_size(h, "inner");
    const long columns = harness_get_size(h, "columns");
    const double least = (double)harness_pick(h, -1, -1, 0); /* the original's are from 0 to 1 */
    const float *const a = harness_random_floats(h, (size_t)(rows * inner), least, 1);
    const float *const b = harness_random_floats(h, (size_t)(inner * columns), least, 1);
    const size_t n = (size_t)(rows * columns);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_a = harness_upload(h, a, (size_t)(rows * inner) * sizeof *a);
    CUdeviceptr d_b = harness_upload(h, b, (size_t)(inner * columns) * sizeof *b);
    CUdeviceptr d_c = harness_device(h, n * sizeof *got);
    int d_inner = (int)inner, d_columns = (int)columns;

    HARNESS_LAUNCH(h, harness_kernel(h, "matmul_tiled"), HARNESS_DIM(columns / TILE, rows / TILE),
                   HARNESS_DIM(TILE, TILE), 0, &d_a, &d_b, &d_c, &d_inner, &d_columns);
    harness_download(h, got, d_c, n * sizeof *got);

    /* Terms are at most 1, so a single-precision sum of `inner` of them is off by at most inner^2/2 rounding steps of
     * 2^-24; 1e-5 an element of the sum is above that for every scale and far below a wrong term. */
    multiply_on_cpu(want, a, b, rows, inner, columns);
    harness_check_floats(h, "C", got, want, n, 0, 1e-7 * (double)inner);
}

HARNESS_WORKLOAD_OF("MM", "data/workloads/matmul/matmul.ptx", run, input_sizes)
