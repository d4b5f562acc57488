/* covariance.c - COV: what if lanes have neighbours that begin inside of a line? Host side of covariance.cu. */
#include "data/workloads/harness/matrix.h"

enum { WIDTH = 32, HEIGHT = 8, THREADS = 256 };

static const harness_size input_sizes[] = {
    {"samples", "rows of the table", {32, 128, 512}, 2, 4096, 1},
    {"variables", "columns of the table", {64, 128, 512}, 1, 2048, 1},
    {"pitch", "floats from a row to the next", {512, 512, 512}, 1, 65536, 1},
    {0},
};

static void centre_on_cpu(harness *h, double *centred, const harness_matrix *table)
{
    double *const mean = harness_host(h, (size_t)table->columns, sizeof *mean);
    for (long i = 0; i < table->rows; i++)
        for (long j = 0; j < table->columns; j++)
            mean[j] += (double)table->at[i * table->columns + j] / (double)table->rows;
    for (long i = 0; i < table->rows; i++)
        for (long j = 0; j < table->columns; j++)
            centred[i * table->columns + j] = (double)table->at[i * table->columns + j] - mean[j];
}

static void pair_on_cpu(harness *h, float *covariance, const harness_matrix *table)
{
    const long n = table->columns;
    double *const centred = harness_host(h, (size_t)(table->rows * n), sizeof *centred);
    double *const sum = harness_host(h, (size_t)(n * n), sizeof *sum);
    centre_on_cpu(h, centred, table);
    for (long i = 0; i < table->rows; i++)
        for (long a = 0; a < n; a++)
            for (long b = 0; b < n; b++)
                sum[a * n + b] += centred[i * n + a] * centred[i * n + b];
    for (long i = 0; i < n * n; i++)
        covariance[i] = (float)(sum[i] / (double)(table->rows - 1));
}

static void run(harness *h)
{
    const long samples = harness_get_size(h, "samples"), variables = harness_get_size(h, "variables");
    const harness_matrix table = harness_random_matrix(h, samples, variables, harness_get_size(h, "pitch"), -1, 1);
    const size_t n = (size_t)(variables * variables);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_table = table.device, d_mean = harness_device(h, (size_t)variables * sizeof *got);
    CUdeviceptr d_covariance = harness_device(h, n * sizeof *got);
    int d_samples = (int)samples, d_variables = (int)variables, d_pitch = (int)table.pitch;

    HARNESS_LAUNCH(h, harness_kernel(h, "cov_means"), HARNESS_DIM(harness_blocks(variables, THREADS)),
                   HARNESS_DIM(THREADS), 0, &d_table, &d_mean, &d_samples, &d_variables, &d_pitch);
    HARNESS_LAUNCH(h, harness_kernel(h, "cov_centre"),
                   HARNESS_DIM(harness_blocks(variables, WIDTH), harness_blocks(samples, HEIGHT)),
                   HARNESS_DIM(WIDTH, HEIGHT), 0, &d_table, &d_mean, &d_samples, &d_variables, &d_pitch);
    HARNESS_LAUNCH(h, harness_kernel(h, "cov_pairs"), HARNESS_DIM(harness_blocks(variables, THREADS)),
                   HARNESS_DIM(THREADS), 0, &d_table, &d_covariance, &d_samples, &d_variables, &d_pitch);
    harness_download(h, got, d_covariance, n * sizeof *got);
    pair_on_cpu(h, want, &table);
    harness_check_floats(h, "covariance", got, want, n, 0,
                         harness_sum_tolerance(samples)); /* terms are at most one, and averaged */
}

HARNESS_WORKLOAD_OF("COV", "data/workloads/covariance/covariance.ptx", run, input_sizes)
