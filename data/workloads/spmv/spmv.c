/* spmv.c - SPMV: a row a thread or a row a warp, where rows are of any length? Host side of spmv.cu. */
#include "data/workloads/harness/matrix.h"

enum { THREADS = 128, WARP = 32 };

static const harness_size input_sizes[] = {
    {"rows", "rows and columns of the matrix", {256, 2048, 8192}, 1, 262144, 1},
    {"entries", "elements of a row, in the mean; a row has none to twice as many", {40, 40, 82}, 1, 1024, 1},
    {0},
};

typedef struct sparse {
    long rows, entries;
    int *first, *column; /* of a row, its first element: entries at the end */
    float *value;
} sparse;

static sparse make_matrix(harness *h)
{
    sparse m = {.rows = harness_get_size(h, "rows")};
    const unsigned lengths = 2 * (unsigned)harness_get_size(h, "entries") + 1;
    m.first = harness_host(h, (size_t)m.rows + 1, sizeof *m.first);
    for (long i = 0; i < m.rows; i++)
        m.first[i + 1] = m.first[i] + (int)harness_integer(h, lengths);
    m.first[m.rows] += !m.first[m.rows]; /* an element at least: there is no array of none */
    m.entries = m.first[m.rows];
    m.column = harness_random_ints(h, (size_t)m.entries, 0, (int)m.rows - 1);
    m.value = harness_random_floats(h, (size_t)m.entries, 0, 1);
    return m;
}

static void multiply_on_cpu(const sparse *m, const float *x, float *y)
{
    for (long i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int k = m->first[i]; k < m->first[i + 1]; k++)
            sum += (double)m->value[k] * (double)x[m->column[k]];
        y[i] = (float)sum;
    }
}

static void run(harness *h)
{
    const sparse m = make_matrix(h);
    const size_t n = (size_t)m.rows, entries = (size_t)m.entries;
    const float *const x = harness_random_floats(h, n, 0, 1);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr value = harness_upload(h, m.value, entries * sizeof *m.value);
    CUdeviceptr column = harness_upload(h, m.column, entries * sizeof *m.column);
    CUdeviceptr first = harness_upload(h, m.first, (n + 1) * sizeof *m.first),
                d_x = harness_upload(h, x, n * sizeof *x);
    CUtexObject texture = harness_texture_linear(h, d_x, CU_AD_FORMAT_FLOAT, 1, n);
    CUdeviceptr y = harness_device(h, n * sizeof *got);
    int rows = (int)m.rows;

    multiply_on_cpu(&m, x, want);
    HARNESS_LAUNCH(h, harness_kernel(h, "spmv_scalar"), HARNESS_DIM(harness_blocks(m.rows, THREADS)),
                   HARNESS_DIM(THREADS), 0, &value, &column, &first, &texture, &y, &rows);
    harness_download(h, got, y, n * sizeof *got);
    harness_check_floats(h, "y of a row a thread", got, want, n, harness_sum_tolerance(m.rows), 0);
    HARNESS_LAUNCH(h, harness_kernel(h, "spmv_vector"), HARNESS_DIM(harness_blocks(m.rows * WARP, THREADS)),
                   HARNESS_DIM(THREADS), 0, &value, &column, &first, &texture, &y, &rows);
    harness_download(h, got, y, n * sizeof *got);
    harness_check_floats(h, "y of a row a warp", got, want, n, harness_sum_tolerance(m.rows), 0);
}

HARNESS_WORKLOAD_OF("SPMV", "data/workloads/spmv/spmv.ptx", run, input_sizes)
