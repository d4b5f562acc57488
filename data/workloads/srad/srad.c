/* srad.c - SRAD, host side: a speckled picture of discs, the loop over the kernels, and the same diffusion in double
 * precision. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { SIDE = 16, SUMMERS = 256, A_THREAD = 4 }; /* pixels that a thread of the first reduction sums */

static const double LAMBDA = 0.5;
/* Grey levels, of 255. The picture is a logarithm times 255, so relative errors of the linear one, a few times 6e-8 an
 * iteration, become some 1e-4. */
static const double TOLERANCE = 1e-3;

typedef struct picture {
    unsigned side;
    size_t pixels;
    int rounds;
} picture;

/* Device arrays and kernels of a run. */
typedef struct device {
    CUdeviceptr image, north, south, west, east, coefficient, sum, sum2, total, total2;
    CUfunction extract, statistics, coefficients, update, compress;
} device;

/* Discs of three greys under multiplicative noise, 0 to 255. */
static void paint(harness *h, const picture *p, float *image)
{
    const double s = p->side;
    for (unsigned y = 0; y < p->side; y++)
        for (unsigned x = 0; x < p->side; x++) {
            const double to_large = hypot(x - 0.4 * s, y - 0.45 * s), to_small = hypot(x - 0.7 * s, y - 0.7 * s);
            const double grey = to_small < 0.15 * s ? 40 : to_large < 0.3 * s ? 180 : 110;
            image[(size_t)y * p->side + x] = (float)fmin(255, grey * harness_uniform(h, 0.6, 1.4));
        }
}

/* Speckle scale of the whole picture: variance over squared mean (Yu and Acton, 2002). */
static double speckle(double sum, double sum2, size_t n)
{
    const double mean = sum / (double)n;
    return (sum2 / (double)n - mean * mean) / (mean * mean);
}

typedef struct pixel {
    double n, s, w, e, c;
} pixel;

/* Yu and Acton, 2002: differences to the neighbours, and the diffusion coefficient, 0 to 1. */
static pixel look(const double *j, const picture *p, unsigned y, unsigned x, double q0)
{
    const size_t side = p->side, at = y * side + x;
    const double v = j[at];
    pixel d = {.n = j[y ? at - side : at] - v,
               .s = j[y + 1 < side ? at + side : at] - v,
               .w = j[x ? at - 1 : at] - v,
               .e = j[x + 1 < side ? at + 1 : at] - v};
    const double gradient2 = (d.n * d.n + d.s * d.s + d.w * d.w + d.e * d.e) / (v * v);
    const double laplacian = (d.n + d.s + d.w + d.e) / v;
    const double q = (gradient2 / 2 - laplacian * laplacian / 16) / pow(1 + laplacian / 4, 2);
    d.c = fmin(1, fmax(0, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
    return d;
}

static void reference(harness *h, const picture *p, float *image)
{
    double *j = harness_host(h, p->pixels, sizeof *j);
    pixel *d = harness_host(h, p->pixels, sizeof *d);
    for (size_t i = 0; i < p->pixels; i++)
        j[i] = exp(image[i] / 255.0);
    for (int round = 0; round < p->rounds; round++) {
        double sum = 0, sum2 = 0;
        for (size_t i = 0; i < p->pixels; i++) {
            sum += j[i];
            sum2 += j[i] * j[i];
        }
        const double q0 = speckle(sum, sum2, p->pixels);
        for (size_t i = 0; i < p->pixels; i++)
            d[i] = look(j, p, (unsigned)(i / p->side), (unsigned)(i % p->side), q0);
        for (size_t i = 0; i < p->pixels; i++) {
            const double south = i + p->side < p->pixels ? d[i + p->side].c : d[i].c;
            const double east = (i + 1) % p->side ? d[i + 1].c : d[i].c;
            j[i] += LAMBDA / 4 * (d[i].c * (d[i].n + d[i].w) + south * d[i].s + east * d[i].e);
        }
    }
    for (size_t i = 0; i < p->pixels; i++)
        image[i] = (float)(log(j[i]) * 255);
}

static device make_device(harness *h, const picture *p, const float *image)
{
    const size_t bytes = p->pixels * sizeof(float), sums = (p->pixels / SUMMERS + 1) * sizeof(float);
    return (device){
        .image = harness_upload(h, image, bytes),
        .north = harness_device(h, bytes),
        .south = harness_device(h, bytes),
        .west = harness_device(h, bytes),
        .east = harness_device(h, bytes),
        .coefficient = harness_device(h, bytes),
        .sum = harness_device(h, sums),
        .sum2 = harness_device(h, sums),
        .total = harness_device(h, sizeof(float)),
        .total2 = harness_device(h, sizeof(float)),
        .extract = harness_kernel(h, "srad_extract"),
        .statistics = harness_kernel(h, "srad_statistics"),
        .coefficients = harness_kernel(h, "srad_coefficient"),
        .update = harness_kernel(h, "srad_update"),
        .compress = harness_kernel(h, "srad_compress"),
    };
}

/* Two launches: pixels to one pair of sums a block, these to one pair. */
static float device_speckle(harness *h, device *d, const picture *p)
{
    unsigned pixels = (unsigned)p->pixels, yes = 1, no = 0;
    unsigned blocks = (pixels + SUMMERS * A_THREAD - 1) / (SUMMERS * A_THREAD);
    float sum, sum2;
    HARNESS_LAUNCH(h, d->statistics, HARNESS_DIM(blocks), HARNESS_DIM(SUMMERS), 0, &d->image, &d->image, &d->sum,
                   &d->sum2, &pixels, &yes);
    HARNESS_LAUNCH(h, d->statistics, HARNESS_DIM(1), HARNESS_DIM(SUMMERS), 0, &d->sum, &d->sum2, &d->total, &d->total2,
                   &blocks, &no);
    harness_download(h, &sum, d->total, sizeof sum);
    harness_download(h, &sum2, d->total2, sizeof sum2);
    return (float)speckle(sum, sum2, p->pixels);
}

static void diffuse(harness *h, device *d, const picture *p)
{
    unsigned side = p->side, pixels = (unsigned)p->pixels;
    float lambda = (float)LAMBDA;
    const harness_dim flat = HARNESS_DIM((p->pixels + SUMMERS - 1) / SUMMERS);
    const harness_dim tiles = HARNESS_DIM(side / SIDE, side / SIDE);
    HARNESS_LAUNCH(h, d->extract, flat, HARNESS_DIM(SUMMERS), 0, &d->image, &pixels);
    for (int round = 0; round < p->rounds; round++) {
        float q0 = device_speckle(h, d, p);
        HARNESS_LAUNCH(h, d->coefficients, tiles, HARNESS_DIM(SIDE, SIDE), 0, &d->image, &d->north, &d->south, &d->west,
                       &d->east, &d->coefficient, &side, &side, &q0);
        HARNESS_LAUNCH(h, d->update, tiles, HARNESS_DIM(SIDE, SIDE), 0, &d->image, &d->north, &d->south, &d->west,
                       &d->east, &d->coefficient, &side, &side, &lambda);
    }
    HARNESS_LAUNCH(h, d->compress, flat, HARNESS_DIM(SUMMERS), 0, &d->image, &pixels);
}

static const harness_size input_sizes[] = {
    {"side", "pixels of the picture along each side", {48, 160, 208}, SIDE, 1024, SIDE},
    {"rounds", "steps of diffusion", {2, 4, 4}, 1, 1000, 1},
    {0},
};

static void run(harness *h)
{
    picture p = {.side = (unsigned)harness_get_size(h, "side"), .rounds = (int)harness_get_size(h, "rounds")};
    p.pixels = (size_t)p.side * p.side;
    float *want = harness_host(h, p.pixels, sizeof *want), *got = harness_host(h, p.pixels, sizeof *got);
    paint(h, &p, want);
    device d = make_device(h, &p, want);
    reference(h, &p, want);
    diffuse(h, &d, &p);
    harness_download(h, got, d.image, p.pixels * sizeof *got);
    harness_check_floats(h, "image", got, want, p.pixels, 0, TOLERANCE);
}

HARNESS_WORKLOAD_OF("SRAD", "data/workloads/srad/srad.ptx", run, input_sizes)
