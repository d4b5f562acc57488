/* convolution.c - CS: how well do tiles with halos serve a filter that is applied in two passes? Host side of
 * convolution.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { WHOLE_NUMBERS = 16 };
enum { RADIUS = 8, TAPS = 2 * RADIUS + 1, STEPS = 8, ROW_X = 16, ROW_Y = 4, COLUMN_X = 16, COLUMN_Y = 8 };

typedef struct picture {
    long width, height;
    const float *pixel, *row_taps, *column_taps;
} picture;

/* One pixel by the definition in two dimensions, outside of the picture zeros. */
static double filtered(const picture *p, long y, long x)
{
    double sum = 0;
    for (long dy = -RADIUS; dy <= RADIUS; dy++) {
        if (y + dy < 0 || y + dy >= p->height)
            continue;
        double row = 0;
        for (long dx = -RADIUS; dx <= RADIUS; dx++)
            if (x + dx >= 0 && x + dx < p->width)
                row += (double)p->pixel[(y + dy) * p->width + x + dx] * p->row_taps[RADIUS - dx];
        sum += row * p->column_taps[RADIUS - dy];
    }
    return sum;
}

static void filter_on_device(harness *h, const picture *p, long times, float *got)
{
    const size_t bytes = (size_t)(p->width * p->height) * sizeof *got;
    int width = (int)p->width, height = (int)p->height;
    CUdeviceptr from = harness_upload(h, p->pixel, bytes), between = harness_device(h, bytes);
    CUdeviceptr to = harness_device(h, bytes);
    const CUfunction rows = harness_kernel(h, "cs_rows"), columns = harness_kernel(h, "cs_columns");

    harness_write(h, harness_symbol(h, "cs_row_taps", TAPS * sizeof(float)), p->row_taps, TAPS * sizeof(float));
    harness_write(h, harness_symbol(h, "cs_column_taps", TAPS * sizeof(float)), p->column_taps, TAPS * sizeof(float));
    for (long i = 0; i < times; i++) {
        HARNESS_LAUNCH(h, rows, HARNESS_DIM(width / (STEPS * ROW_X), height / ROW_Y), HARNESS_DIM(ROW_X, ROW_Y), 0,
                       &from, &between, &width);
        HARNESS_LAUNCH(h, columns, HARNESS_DIM(width / COLUMN_X, height / (STEPS * COLUMN_Y)),
                       HARNESS_DIM(COLUMN_X, COLUMN_Y), 0, &between, &to, &width, &height);
    }
    harness_download(h, got, to, bytes);
}

static double absolute_sum(const float *taps)
{
    double sum = 0;
    for (int i = 0; i < TAPS; i++)
        sum += fabs(taps[i]);
    return sum;
}

/* At scale study whole numbers from 0 to 15, as in the original. */
static float *make_values(harness *h, size_t n, double low, double high)
{
    float *const value = harness_random_floats(h, n, low, high);
    if (harness_get_scale(h) == HARNESS_STUDY) {
        for (size_t i = 0; i < n; i++)
            value[i] = (float)harness_integer(h, WHOLE_NUMBERS);
    }
    return value;
}

static const harness_size input_sizes[] = {
    {"times", "times that both passes run over the picture", {1, 1, 1}, 1, 100, 1},
    {0},
};

static void run(harness *h)
{
    picture p = {.width = harness_pick(h, 256, 1024, 128), .height = harness_pick(h, 128, 832, 320)};
    const size_t n = (size_t)(p.width * p.height);
    p.pixel = make_values(h, n, 0, 1);
    p.row_taps = make_values(h, TAPS, -1, 1);
    p.column_taps = make_values(h, TAPS, -1, 1);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);

    filter_on_device(h, &p, harness_get_size(h, "times"), got);
    for (size_t i = 0; i < n; i++)
        want[i] = (float)filtered(&p, (long)i / p.width, (long)i % p.width);
    /* Pixels are below 1 (or all sums are whole numbers, and exact), so no sum is larger than the product of the taps'
     * absolute sums; each of at most 2 * TAPS operations on the way rounds by 2^-24 of that. */
    const double most = absolute_sum(p.row_taps) * absolute_sum(p.column_taps);
    harness_check_floats(h, "picture", got, want, n, 0, 2 * TAPS * 0x1p-24 * most);
}

HARNESS_WORKLOAD_OF("CS", "data/workloads/convolution/convolution.ptx", run, input_sizes)
