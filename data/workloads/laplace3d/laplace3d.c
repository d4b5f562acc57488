/* laplace3d.c - LPS, host side: a box of random temperatures, the loop over steps, and the same steps in double
 * precision. */
#include "data/workloads/harness/harness.h"

#include <stdbool.h>
#include <string.h>

enum { WIDTH = 32, HEIGHT = 4 }; /* threads of a block, as in laplace3d.cu */
enum { PITCH = 32 };             /* rows start at multiples of it */

/* Values are in 0 to 1; six additions and a product of a step round at 2^-24, and the next step averages the errors. */
static const double TOLERANCE = 8 * 0x1p-24;

/* Goes to the kernel as it is. */
typedef struct box {
    int columns, rows, planes, pitch;
} box;

static size_t cells(const box *b)
{
    return (size_t)b->pitch * (size_t)b->rows * (size_t)b->planes;
}

static void step_on_cpu(const box *b, const double *from, double *to)
{
    const long y_next = b->pitch, z_next = y_next * b->rows;
    for (long z = 1; z < b->planes - 1; z++)
        for (long y = 1; y < b->rows - 1; y++)
            for (long x = 1; x < b->columns - 1; x++) {
                const long i = z * z_next + y * y_next + x;
                const double sides = from[i - 1] + from[i + 1], ends = from[i - y_next] + from[i + y_next];
                to[i] = (sides + ends + from[i - z_next] + from[i + z_next]) / 6;
            }
}

static void solve_on_cpu(harness *h, const box *b, float *temperature, int steps)
{
    const size_t n = cells(b);
    double *from = harness_host(h, n, sizeof *from), *to = harness_host(h, n, sizeof *to);
    for (size_t i = 0; i < n; i++)
        from[i] = to[i] = temperature[i]; /* both, because walls are not stepped */
    for (int i = 0; i < steps; i++) {
        step_on_cpu(b, from, to);
        double *const old = from;
        from = to;
        to = old;
    }
    for (size_t i = 0; i < n; i++)
        temperature[i] = (float)from[i];
}

static void solve_on_device(harness *h, const box *b, float *temperature, int steps)
{
    const size_t bytes = cells(b) * sizeof *temperature;
    const CUfunction step = harness_kernel(h, "lps_step");
    const harness_dim grid = HARNESS_DIM((b->columns - 1) / WIDTH + 1, (b->rows - 1) / HEIGHT + 1);
    box extents = *b;
    CUdeviceptr from = harness_upload(h, temperature, bytes), to = harness_upload(h, temperature, bytes);
    for (int i = 0; i < steps; i++) {
        HARNESS_LAUNCH(h, step, grid, HARNESS_DIM(WIDTH, HEIGHT), 0, &from, &to, &extents);
        harness_swap(&from, &to);
    }
    harness_download(h, temperature, from, bytes);
}

/* Random, or, as in the original, cold inside of hot walls. */
static float *make_temperatures(harness *h, const box *b)
{
    float *const t = harness_random_floats(h, cells(b), 0, 1);
    if (harness_get_scale(h) != HARNESS_STUDY)
        return t;
    for (int z = 0; z < b->planes; z++)
        for (int y = 0; y < b->rows; y++)
            for (int x = 0; x < b->columns; x++) {
                const bool inside =
                    x > 0 && x < b->columns - 1 && y > 0 && y < b->rows - 1 && z > 0 && z < b->planes - 1;
                t[((size_t)z * (size_t)b->rows + (size_t)y) * (size_t)b->pitch + (size_t)x] = inside ? 0 : 1;
            }
    return t;
}

static void run(harness *h)
{
    box b = {.columns = (int)harness_pick(h, 37, 100, 100),
             .rows = (int)harness_pick(h, 10, 50, 96),
             .planes = (int)harness_pick(h, 9, 50, 100)};
    b.pitch = (b.columns + PITCH - 1) / PITCH * PITCH;
    const int steps = (int)harness_pick(h, 3, 4, 1);
    float *const got = make_temperatures(h, &b);
    float *const want = harness_host(h, cells(&b), sizeof *want);
    memcpy(want, got, cells(&b) * sizeof *want);

    solve_on_device(h, &b, got, steps);
    solve_on_cpu(h, &b, want, steps);
    harness_check_floats(h, "temperature", got, want, cells(&b), 0, TOLERANCE);
}

HARNESS_WORKLOAD("LPS", "data/workloads/laplace3d/laplace3d.ptx", run)
