/* correlation.c - COR: four passes over a table by columns, the last over all pairs of them. Host side of
 * correlation.cu. */
#include "data/workloads/harness/matrix.h"

enum { WIDTH = 32, HEIGHT = 8, THREADS = 256 };

static const harness_size input_sizes[] = {
    {"samples", "rows of the table", {32, 128, 512}, 8, 4096, 1},
    {"variables", "columns of the table", {64, 128, 512}, 1, 2048, 1},
    {"pitch", "floats from a row to the next", {512, 512, 512}, 1, 65536, 1},
    {0},
};

/* Columns with mean zero and length one. */
static void normalize_on_cpu(double *to, const harness_matrix *table)
{
    const long n = table->columns;
    for (long j = 0; j < n; j++) {
        double mean = 0, squares = 0;
        for (long i = 0; i < table->rows; i++)
            mean += (double)table->at[i * n + j] / (double)table->rows;
        for (long i = 0; i < table->rows; i++) {
            to[i * n + j] = (double)table->at[i * n + j] - mean;
            squares += to[i * n + j] * to[i * n + j];
        }
        for (long i = 0; i < table->rows; i++)
            to[i * n + j] /= sqrt(squares);
    }
}

static void pair_on_cpu(harness *h, float *correlation, const harness_matrix *table)
{
    const long n = table->columns;
    double *const normal = harness_host(h, (size_t)(table->rows * n), sizeof *normal);
    double *const sum = harness_host(h, (size_t)(n * n), sizeof *sum);
    normalize_on_cpu(normal, table);
    for (long i = 0; i < table->rows; i++)
        for (long a = 0; a < n; a++)
            for (long b = 0; b < n; b++)
                sum[a * n + b] += normal[i * n + a] * normal[i * n + b];
    for (long i = 0; i < n * n; i++)
        correlation[i] = (float)sum[i];
}

static void run(harness *h)
{
    const long samples = harness_get_size(h, "samples"), variables = harness_get_size(h, "variables");
    const harness_matrix table = harness_random_matrix(h, samples, variables, harness_get_size(h, "pitch"), -1, 1);
    const size_t n = (size_t)(variables * variables);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr d_table = table.device, d_mean = harness_device(h, (size_t)variables * sizeof *got);
    CUdeviceptr d_deviation = harness_device(h, (size_t)variables * sizeof *got),
                d_correlation = harness_device(h, n * sizeof *got);
    int d_samples = (int)samples, d_variables = (int)variables, d_pitch = (int)table.pitch;
    float least = 0.005f;
    const harness_dim columns = HARNESS_DIM(harness_blocks(variables, THREADS)), threads = HARNESS_DIM(THREADS);

    HARNESS_LAUNCH(h, harness_kernel(h, "cor_means"), columns, threads, 0, &d_table, &d_mean, &d_samples, &d_variables,
                   &d_pitch);
    HARNESS_LAUNCH(h, harness_kernel(h, "cor_deviations"), columns, threads, 0, &d_table, &d_mean, &d_deviation,
                   &d_samples, &d_variables, &d_pitch, &least);
    HARNESS_LAUNCH(h, harness_kernel(h, "cor_normalize"),
                   HARNESS_DIM(harness_blocks(variables, WIDTH), harness_blocks(samples, HEIGHT)),
                   HARNESS_DIM(WIDTH, HEIGHT), 0, &d_table, &d_mean, &d_deviation, &d_samples, &d_variables, &d_pitch);
    HARNESS_LAUNCH(h, harness_kernel(h, "cor_pairs"), columns, threads, 0, &d_table, &d_correlation, &d_samples,
                   &d_variables, &d_pitch);
    harness_download(h, got, d_correlation, n * sizeof *got);
    pair_on_cpu(h, want, &table);
    harness_check_floats(h, "correlation", got, want, n, 0, 2 * harness_sum_tolerance(samples));
}

HARNESS_WORKLOAD_OF("COR", "data/workloads/correlation/correlation.ptx", run, input_sizes)
