/* gramschmidt.c - GSM: many launches, three a column, that take up what the one before them left in the cache. Host
 * side of gramschmidt.cu. */
#include "data/workloads/harness/matrix.h"

enum { THREADS = 256 };

static const harness_size input_sizes[] = {
    {"rows", "rows of the matrix", {32, 128, 512}, 1, 4096, 1},
    {"columns", "columns of the matrix, not more than rows", {8, 64, 256}, 1, 2048, 1},
    {"pitch", "floats from a row to the next", {512, 512, 512}, 1, 65536, 1},
    {0},
};

/* A diagonal that is twice as large as what random elements can take away from a direction: columns are far from
 * dependent. */
static void keep_apart(harness *h, const harness_matrix *a)
{
    for (long i = 0; i < a->columns; i++)
        a->at[i * a->columns + i] += 2 * (float)sqrt((double)a->rows);
    harness_write_matrix(h, a);
}

/* Q R is the matrix that it was, and columns of Q are of length one and at right angles. */
static void check(harness *h, const harness_matrix *a, const float *q, const float *r)
{
    const long rows = a->rows, columns = a->columns;
    const harness_matrix q_matrix = {.rows = rows, .columns = columns, .at = (float *)(uintptr_t)q};
    const harness_matrix r_matrix = {.rows = columns, .columns = columns, .at = (float *)(uintptr_t)r};
    harness_matrix product = {
        .rows = rows, .columns = columns, .at = harness_host(h, (size_t)(rows * columns), sizeof *q)};
    harness_multiply_on_cpu(h, &product, &q_matrix, &r_matrix);
    harness_check_floats(h, "Q R", product.at, a->at, (size_t)(rows * columns), 1e-5, 1e-5);

    harness_matrix turned = {
        .rows = columns, .columns = rows, .at = harness_host(h, (size_t)(rows * columns), sizeof *q)};
    harness_matrix angles = {
        .rows = columns, .columns = columns, .at = harness_host(h, (size_t)(columns * columns), sizeof *q)};
    float *const unit = harness_host(h, (size_t)(columns * columns), sizeof *unit);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++)
            turned.at[j * rows + i] = q[i * columns + j];
    for (long j = 0; j < columns; j++)
        unit[j * columns + j] = 1;
    harness_multiply_on_cpu(h, &angles, &turned, &q_matrix);
    harness_check_floats(h, "Q'Q", angles.at, unit, (size_t)(columns * columns), 0, 2e-5);
}

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), columns = harness_get_size(h, "columns"),
               pitch = harness_get_size(h, "pitch");
    if (rows < columns)
        harness_refuse(h, "rows=%ld is less than columns=%ld: columns would depend on each other", rows, columns);
    const harness_matrix a = harness_random_matrix(h, rows, columns, pitch, -1, 1),
                         q = harness_make_matrix(h, rows, columns, pitch);
    float *const r = harness_host(h, (size_t)(columns * columns), sizeof *r);
    const size_t r_bytes = (size_t)(columns * columns) * sizeof *r;
    keep_apart(h, &a);
    CUdeviceptr d_a = a.device, d_q = q.device, d_r = harness_upload(h, r, r_bytes);
    int d_rows = (int)rows, d_columns = (int)columns, d_pitch = (int)pitch;

    for (int column = 0; column < columns; column++) {
        HARNESS_LAUNCH(h, harness_kernel(h, "gsm_norm"), HARNESS_DIM(1), HARNESS_DIM(1), 0, &d_a, &d_r, &d_rows,
                       &d_columns, &d_pitch, &column);
        HARNESS_LAUNCH(h, harness_kernel(h, "gsm_scale"), HARNESS_DIM(harness_blocks(rows, THREADS)),
                       HARNESS_DIM(THREADS), 0, &d_a, &d_r, &d_q, &d_rows, &d_columns, &d_pitch, &column);
        HARNESS_LAUNCH(h, harness_kernel(h, "gsm_rest"), HARNESS_DIM(harness_blocks(columns, THREADS)),
                       HARNESS_DIM(THREADS), 0, &d_a, &d_r, &d_q, &d_rows, &d_columns, &d_pitch, &column);
    }
    harness_download(h, r, d_r, r_bytes);
    check(h, &a, harness_read_matrix(h, &q), r);
}

HARNESS_WORKLOAD_OF("GSM", "data/workloads/gramschmidt/gramschmidt.ptx", run, input_sizes)
