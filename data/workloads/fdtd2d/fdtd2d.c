/* fdtd2d.c - FD: three fields that are made of each other, a launch each a step. Host side of fdtd2d.cu. */
#include "data/workloads/harness/matrix.h"

enum { WIDTH = 32, HEIGHT = 8 };

static const harness_size input_sizes[] = {
    {"rows", "rows of the plane", {16, 128, 512}, 2, 4096, 1},
    {"columns", "columns of the plane", {64, 256, 512}, 2, 4096, 1},
    {"steps", "steps of time", {2, 6, 20}, 1, 1000, 1},
    {0},
};

typedef struct fields {
    long rows, columns;
    float *ex, *ey, *hz; /* ex has a column more, ey a row more */
    size_t ex_n, ey_n, hz_n;
} fields;

static void step_on_cpu(const fields *f, float source)
{
    const long rows = f->rows, columns = f->columns;
    for (long j = 0; j < columns; j++)
        f->ey[j] = source;
    for (long i = columns; i < rows * columns; i++)
        f->ey[i] -= 0.5f * (f->hz[i] - f->hz[i - columns]);
    for (long i = 0; i < rows; i++)
        for (long j = 1; j < columns; j++)
            f->ex[i * (columns + 1) + j] -= 0.5f * (f->hz[i * columns + j] - f->hz[i * columns + j - 1]);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < columns; j++) {
            const float *const ex = f->ex + i * (columns + 1) + j, *const ey = f->ey + i * columns + j;
            f->hz[i * columns + j] -= 0.7f * (ex[1] - ex[0] + ey[columns] - ey[0]);
        }
}

static void check(harness *h, const char *what, CUdeviceptr at, const float *want, size_t n, long steps)
{
    float *const got = harness_host(h, n, sizeof *got);
    harness_download(h, got, at, n * sizeof *got);
    harness_check_floats(h, what, got, want, n, 0,
                         1e-6 * (double)steps); /* fields are of the order of one; sums are fused on the device */
}

static void run(harness *h)
{
    fields f = {.rows = harness_get_size(h, "rows"), .columns = harness_get_size(h, "columns")};
    const long steps = harness_get_size(h, "steps");
    f.ex_n = (size_t)(f.rows * (f.columns + 1)), f.ey_n = (size_t)((f.rows + 1) * f.columns),
    f.hz_n = (size_t)(f.rows * f.columns);
    f.ex = harness_random_floats(h, f.ex_n, 0, 1), f.ey = harness_random_floats(h, f.ey_n, 0, 1),
    f.hz = harness_random_floats(h, f.hz_n, 0, 1);
    CUdeviceptr ex = harness_upload(h, f.ex, f.ex_n * sizeof *f.ex),
                ey = harness_upload(h, f.ey, f.ey_n * sizeof *f.ey);
    CUdeviceptr hz = harness_upload(h, f.hz, f.hz_n * sizeof *f.hz);
    const harness_dim grid = HARNESS_DIM(harness_blocks(f.columns, WIDTH), harness_blocks(f.rows, HEIGHT)),
                      block = HARNESS_DIM(WIDTH, HEIGHT);
    int rows = (int)f.rows, columns = (int)f.columns;

    for (long t = 0; t < steps; t++) {
        float source = (float)sin(0.1 * (double)t);
        HARNESS_LAUNCH(h, harness_kernel(h, "fd_ey"), grid, block, 0, &ey, &hz, &source, &rows, &columns);
        HARNESS_LAUNCH(h, harness_kernel(h, "fd_ex"), grid, block, 0, &ex, &hz, &rows, &columns);
        HARNESS_LAUNCH(h, harness_kernel(h, "fd_hz"), grid, block, 0, &hz, &ex, &ey, &rows, &columns);
        step_on_cpu(&f, source);
    }
    check(h, "ex", ex, f.ex, f.ex_n, steps);
    check(h, "ey", ey, f.ey, f.ey_n, steps);
    check(h, "hz", hz, f.hz, f.hz_n, steps);
}

HARNESS_WORKLOAD_OF("FD", "data/workloads/fdtd2d/fdtd2d.ptx", run, input_sizes)
