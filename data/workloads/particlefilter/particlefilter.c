/* particlefilter.c - PFL: what if lanes walk along one list and stop at different places? Host side of
 * particlefilter.cu. */
#include "data/workloads/harness/matrix.h"

enum { BLOCK = 128, RADIUS = 5, GROUND = 100, DISC = 228, NOISE = 20 };

static const harness_size input_sizes[] = {
    {"particles", "particles", {256, 2048, 10000}, 1, 262144, 1},
    {"size", "rows and columns of a frame", {64, 128, 128}, 16, 4096, 1},
    {"frames", "frames of the video", {2, 3, 9}, 1, 1000, 1},
    {0},
};

typedef struct filter {
    long n, size, pixels, blocks;
    int *disc; /* columns and rows of its pixels, from the middle */
    float *x, *y, *weight, *share;
    int *seed, *picked;
    CUdeviceptr d_frame, d_disc, d_x, d_y, d_new_x, d_new_y, d_weight, d_share, d_sums, d_total, d_seed, d_picked;
} filter;

static void make_disc(harness *h, filter *f)
{
    f->disc = harness_host(h, (size_t)(2 * (2 * RADIUS + 1) * (2 * RADIUS + 1)), sizeof *f->disc);
    for (int y = -RADIUS; y <= RADIUS; y++)
        for (int x = -RADIUS; x <= RADIUS; x++)
            if (x * x + y * y <= RADIUS * RADIUS) {
                f->disc[2 * f->pixels] = x;
                f->disc[2 * f->pixels++ + 1] = y;
            }
}

static filter make_filter(harness *h)
{
    filter f = {.n = harness_get_size(h, "particles"), .size = harness_get_size(h, "size")};
    const size_t n = (size_t)f.n, bytes = n * sizeof(float);
    f.blocks = harness_blocks(f.n, BLOCK);
    make_disc(h, &f);
    f.x = harness_host(h, n, sizeof *f.x), f.y = harness_host(h, n, sizeof *f.y),
    f.weight = harness_host(h, n, sizeof *f.weight);
    f.share = harness_host(h, n, sizeof *f.share), f.picked = harness_host(h, n, sizeof *f.picked);
    f.seed = harness_random_ints(h, n, 1, 1 << 30);
    for (long i = 0; i < f.n; i++) {
        f.x[i] = f.y[i] = (float)f.size / 2;
        f.weight[i] = 1 / (float)f.n;
    }
    f.d_frame = harness_device(h, (size_t)(f.size * f.size)),
    f.d_disc = harness_upload(h, f.disc, (size_t)(2 * f.pixels) * sizeof *f.disc);
    f.d_x = harness_upload(h, f.x, bytes), f.d_y = harness_upload(h, f.y, bytes),
    f.d_weight = harness_upload(h, f.weight, bytes);
    f.d_new_x = harness_device(h, bytes), f.d_new_y = harness_device(h, bytes), f.d_share = harness_device(h, bytes);
    f.d_sums = harness_device(h, (size_t)f.blocks * sizeof(float)), f.d_total = harness_device(h, sizeof(float));
    f.d_seed = harness_upload(h, f.seed, n * sizeof *f.seed), f.d_picked = harness_device(h, n * sizeof *f.picked);
    return f;
}

/* A bright disc on noise that starts in the middle and goes right and up. */
static unsigned char *draw_frame(harness *h, const filter *f, long number)
{
    unsigned char *const frame = harness_host(h, (size_t)(f->size * f->size), 1);
    const long x = f->size / 2 + number, y = f->size / 2 - 2 * number;
    for (long i = 0; i < f->size * f->size; i++) {
        const long dx = i % f->size - x, dy = i / f->size - y;
        frame[i] = (unsigned char)((dx * dx + dy * dy <= RADIUS * RADIUS ? DISC : GROUND) +
                                   (int)harness_integer(h, NOISE) - NOISE / 2);
    }
    return frame;
}

static double draw(int *seed)
{
    *seed = (int)(((unsigned)*seed * 1103515245u + 12345u) & 0x7fffffffu);
    return ((double)*seed + 1) / 2147483648.0;
}

static double draw_normal(int *seed)
{
    const double u = draw(seed), v = draw(seed);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static long inside(long at, long n)
{
    return at < 0 ? 0 : at >= n ? n - 1 : at;
}

static double likelihood(const filter *f, const unsigned char *frame, float x, float y)
{
    const long column = (long)floorf(x + 0.5f), row = (long)floorf(y + 0.5f);
    double sum = 0;
    for (long k = 0; k < f->pixels; k++) {
        const double pixel =
            frame[inside(row + f->disc[2 * k + 1], f->size) * f->size + inside(column + f->disc[2 * k], f->size)];
        sum += (pixel - GROUND) * (pixel - GROUND) - (pixel - DISC) * (pixel - DISC);
    }
    return sum / (2500.0 * (double)f->pixels);
}

/* Places after the move, then weights, from the places that the device has: which pixel is nearest may hang on
 * rounding. */
static void check_weights(harness *h, filter *f, const unsigned char *frame)
{
    const size_t n = (size_t)f->n;
    float *const x = harness_host(h, n, sizeof *x), *const y = harness_host(h, n, sizeof *y),
                 *const weight = harness_host(h, n, sizeof *weight);
    harness_download(h, x, f->d_x, n * sizeof *x);
    harness_download(h, y, f->d_y, n * sizeof *y);
    harness_download(h, weight, f->d_weight, n * sizeof *weight);
    for (size_t i = 0; i < n; i++) {
        f->x[i] += (float)(1 + 5 * draw_normal(&f->seed[i]));
        f->y[i] += (float)(-2 + 2 * draw_normal(&f->seed[i]));
    }
    harness_check_floats(h, "x", x, f->x, n, 1e-5, 1e-3);
    harness_check_floats(h, "y", y, f->y, n, 1e-5, 1e-3);
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        f->x[i] = x[i], f->y[i] = y[i];
        total += f->weight[i] = (float)((double)f->weight[i] * exp(likelihood(f, frame, x[i], y[i])));
    }
    for (size_t i = 0; i < n; i++)
        f->weight[i] = (float)((double)f->weight[i] / total);
    harness_check_floats(h, "weight", weight, f->weight, n, 1e-4, 0);
    double share = 0;
    for (size_t i = 0; i < n; i++)
        f->share[i] = (float)(share += (double)weight[i]);
}

/* Who is picked, from the shares that the device has; exact. */
static void check_picks(harness *h, filter *f, float offset)
{
    const size_t n = (size_t)f->n;
    float *const share = harness_host(h, n, sizeof *share), *const x = harness_host(h, n, sizeof *x),
                 *const y = harness_host(h, n, sizeof *y);
    harness_download(h, share, f->d_share, n * sizeof *share);
    harness_check_floats(h, "share", share, f->share, n, 2 * harness_sum_tolerance(f->n), 0);
    int *const want = harness_host(h, n, sizeof *want);
    for (size_t i = 0, k = 0; i < n; i++) {
        while (k < n - 1 && share[k] < (offset + (float)i) / (float)n)
            k++;
        want[i] = (int)k;
        x[i] = f->x[k], y[i] = f->y[k];
    }
    harness_download(h, f->picked, f->d_picked, n * sizeof *f->picked);
    harness_check_ints(h, "picked", f->picked, want, n);
    harness_download(h, f->x, f->d_new_x, n * sizeof *f->x);
    harness_download(h, f->y, f->d_new_y, n * sizeof *f->y);
    harness_check_floats(h, "picked x", f->x, x, n, 0, 0);
    harness_check_floats(h, "picked y", f->y, y, n, 0, 0);
    for (size_t i = 0; i < n; i++)
        f->weight[i] = 1 / (float)n;
}

static void follow(harness *h, filter *f, long number)
{
    const unsigned char *const frame = draw_frame(h, f, number);
    float offset = (float)harness_uniform(h, 0, 0.999);
    int n = (int)f->n, pixels = (int)f->pixels, size = (int)f->size, blocks = (int)f->blocks;
    const harness_dim grid = HARNESS_DIM(f->blocks), block = HARNESS_DIM(BLOCK), one = HARNESS_DIM(1);
    harness_write(h, f->d_frame, frame, (size_t)(f->size * f->size));
    HARNESS_LAUNCH(h, harness_kernel(h, "pfl_weigh"), grid, block, 0, &f->d_frame, &f->d_disc, &f->d_x, &f->d_y,
                   &f->d_weight, &f->d_sums, &f->d_seed, &n, &pixels, &size);
    HARNESS_LAUNCH(h, harness_kernel(h, "pfl_total"), one, one, 0, &f->d_sums, &f->d_total, &blocks);
    HARNESS_LAUNCH(h, harness_kernel(h, "pfl_normalize"), grid, block, 0, &f->d_weight, &f->d_total, &n);
    HARNESS_LAUNCH(h, harness_kernel(h, "pfl_cumulate"), one, one, 0, &f->d_weight, &f->d_share, &n);
    check_weights(h, f, frame);
    HARNESS_LAUNCH(h, harness_kernel(h, "pfl_pick"), grid, block, 0, &f->d_share, &f->d_x, &f->d_y, &f->d_new_x,
                   &f->d_new_y, &f->d_weight, &f->d_picked, &offset, &n);
    check_picks(h, f, offset);
    const CUdeviceptr x = f->d_x, y = f->d_y;
    f->d_x = f->d_new_x, f->d_y = f->d_new_y;
    f->d_new_x = x, f->d_new_y = y;
}

static void run(harness *h)
{
    filter f = make_filter(h);
    const long frames = harness_get_size(h, "frames");
    for (long i = 1; i <= frames; i++)
        follow(h, &f, i);
}

HARNESS_WORKLOAD_OF("PFL", "data/workloads/particlefilter/particlefilter.ptx", run, input_sizes)
