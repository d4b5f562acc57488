/* dwt2d.c - DWT: what stays of a picture that rows are taken through, then columns, then the quarter that is left? Host
 * side of dwt2d.cu. */
#include "data/workloads/harness/matrix.h"

#include <string.h>

enum {
    PLANES = 3,
    SEGMENT = 256,
    ROW_THREADS = SEGMENT / 2,
    TILE = 32,
    TILE_ROWS = 8,
    PIXEL_THREADS = 256,
    SPOTS = 20
};
enum form { BOTH, INTEGERS, FLOATS };

static const harness_size input_sizes[] = {
    {"width", "pixels of a row", {75, 300, 1024}, 1, 16384, 1},
    {"height", "rows", {50, 200, 1024}, 1, 16384, 1},
    {"levels", "levels", {2, 3, 3}, 1, 12, 1},
    {"form", "0: both, 1: 5/3 in integers, 2: 9/7 in floats", {BOTH, BOTH, BOTH}, BOTH, FLOATS, 1},
    {0},
};

typedef struct picture {
    int wide, high, levels;
    size_t pixels;
    unsigned char *colour; /* red, green, blue of each pixel */
} picture;

/* Discs of one colour, one over the other, on a shaded ground: edges and smooth parts. */
static void paint(harness *h, const picture *p)
{
    for (size_t i = 0; i < p->pixels; i++)
        for (size_t c = 0; c < PLANES; c++)
            p->colour[PLANES * i + c] = (unsigned char)(40 + 60 * c + i % (size_t)p->wide * 80 / (size_t)p->wide);
    for (int spot = 0; spot < SPOTS; spot++) {
        const double x = harness_uniform(h, 0, p->wide), y = harness_uniform(h, 0, p->high),
                     radius = harness_uniform(h, 0, 0.2) * (p->wide + p->high);
        const unsigned char colour[PLANES] = {(unsigned char)harness_integer(h, 256),
                                              (unsigned char)harness_integer(h, 256),
                                              (unsigned char)harness_integer(h, 256)};
        for (size_t i = 0; i < p->pixels; i++)
            if (hypot((double)(i % (size_t)p->wide) - x, (double)(i / (size_t)p->wide) - y) < radius)
                memcpy(&p->colour[PLANES * i], colour, PLANES);
    }
}

/* ------------------------------------------------------------------------------------------------ on the CPU */

static long mirrored(long i, long n)
{
    while (i < 0 || i >= n) {
        if (n == 1)
            return 0;
        i = i < 0 ? -i : 2 * (n - 1) - i;
    }
    return i;
}

/* High passes of the 5/3 by their definition. */
static double high_53(const double *line, long n, long i)
{
    return line[mirrored(i, n)] - floor((line[mirrored(i - 1, n)] + line[mirrored(i + 1, n)]) / 2);
}

static double pass_53(const double *line, long n, long i)
{
    return i % 2 ? high_53(line, n, i) : line[i] + floor((high_53(line, n, i - 1) + high_53(line, n, i + 1) + 2) / 4);
}

/* The 9/7 as two filters, from the middle out, with a gain of 1 for what does not change and of 2 for what changes from
 * sample to sample. */
static double pass_97(const double *line, long n, long i)
{
    static const double low[] = {0.6029490182363579, 0.2668641184428723, -0.07822326652898785, -0.01686411844287495,
                                 0.02674875741080976};
    static const double high[] = {1.115087052456994, -0.5912717631142470, -0.05754352622849957, 0.09127176311424948, 0};
    const double *const tap = i % 2 ? high : low;
    double sum = tap[0] * line[i];
    for (long k = 1; k < 5; k++)
        sum += tap[k] * (line[mirrored(i - k, n)] + line[mirrored(i + k, n)]);
    return sum;
}

/* n samples that are `apart`, in place: low passes, then high passes. */
static void transform_on_cpu(double *at, size_t apart, long n, double (*pass)(const double *, long, long), double *line)
{
    for (long i = 0; i < n; i++)
        line[i] = at[(size_t)i * apart];
    for (long i = 0; i < n; i++)
        at[(size_t)(i % 2 ? (n + 1) / 2 + i / 2 : i / 2) * apart] = pass(line, n, i);
}

static void colour_on_cpu(const picture *p, enum form form, double *plane)
{
    for (size_t i = 0; i < p->pixels; i++) {
        const double red = p->colour[3 * i] - 128.0, green = p->colour[3 * i + 1] - 128.0,
                     blue = p->colour[3 * i + 2] - 128.0;
        const double light =
            form == INTEGERS ? floor((red + 2 * green + blue) / 4) : 0.299 * red + 0.587 * green + 0.114 * blue;
        plane[i] = light;
        plane[p->pixels + i] = form == INTEGERS ? blue - green : 0.5 / (1 - 0.114) * (blue - light);
        plane[2 * p->pixels + i] = form == INTEGERS ? red - green : 0.5 / (1 - 0.299) * (red - light);
    }
}

static double *wavelets_on_cpu(harness *h, const picture *p, enum form form)
{
    double (*const pass)(const double *, long, long) = form == INTEGERS ? pass_53 : pass_97;
    double *const plane = harness_host(h, PLANES * p->pixels, sizeof *plane);
    double *const line = harness_host(h, (size_t)(p->wide > p->high ? p->wide : p->high), sizeof *line);
    const size_t pitch = (size_t)p->wide;
    colour_on_cpu(p, form, plane);
    for (size_t c = 0; c < PLANES; c++) {
        double *const at = plane + c * p->pixels;
        long wide = p->wide, high = p->high;
        for (int level = 0; level < p->levels; level++, wide = (wide + 1) / 2, high = (high + 1) / 2) {
            for (long y = 0; y < high; y++)
                transform_on_cpu(at + (size_t)y * pitch, 1, wide, pass, line);
            for (long x = 0; x < wide; x++)
                transform_on_cpu(at + x, pitch, high, pass, line);
        }
    }
    return plane;
}

/* ------------------------------------------------------------------------------------------------ on the device */

/* Planes on the device; both forms have samples of four bytes. */
static CUdeviceptr wavelets_on_device(harness *h, const picture *p, enum form form)
{
    const char *const colours = form == INTEGERS ? "dwt_colours_53" : "dwt_colours_97", *const rows =
                                                                                            form == INTEGERS
                                                                                                ? "dwt_rows_53"
                                                                                                : "dwt_rows_97";
    const char *const columns = form == INTEGERS ? "dwt_columns_53" : "dwt_columns_97";
    CUdeviceptr d_colour = harness_upload(h, p->colour, PLANES * p->pixels);
    CUdeviceptr plane = harness_device(h, PLANES * p->pixels * sizeof(float)),
                other = harness_device(h, PLANES * p->pixels * sizeof(float));
    int pixels = (int)p->pixels, wide = p->wide, high = p->high, pitch = p->wide;

    HARNESS_LAUNCH(h, harness_kernel(h, colours), HARNESS_DIM(harness_blocks(pixels, PIXEL_THREADS)),
                   HARNESS_DIM(PIXEL_THREADS), 0, &d_colour, &plane, &pixels);
    for (int level = 0; level < p->levels; level++, wide = (wide + 1) / 2, high = (high + 1) / 2) {
        HARNESS_LAUNCH(h, harness_kernel(h, rows), HARNESS_DIM(harness_blocks(wide, SEGMENT), high, PLANES),
                       HARNESS_DIM(ROW_THREADS), 0, &plane, &other, &wide, &pitch, &pixels);
        HARNESS_LAUNCH(h, harness_kernel(h, columns),
                       HARNESS_DIM(harness_blocks(wide, TILE), harness_blocks(high, TILE), PLANES),
                       HARNESS_DIM(TILE, TILE_ROWS), 0, &other, &plane, &wide, &high, &pitch, &pixels);
    }
    return plane;
}

static void check_integers(harness *h, const picture *p)
{
    const size_t n = PLANES * p->pixels;
    int *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    const double *const right = wavelets_on_cpu(h, p, INTEGERS);
    for (size_t i = 0; i < n; i++)
        want[i] = (int)right[i];
    harness_download(h, got, wavelets_on_device(h, p, INTEGERS), n * sizeof *got);
    harness_check_ints(h, "coefficient of the 5/3", got, want, n);
}

/* Samples are at most 128, and passes of a level of rows and columns at most four times that; a level rounds ten times
 * or so, at 2^-24. */
static void check_floats(harness *h, const picture *p)
{
    const size_t n = PLANES * p->pixels;
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    const double *const right = wavelets_on_cpu(h, p, FLOATS);
    for (size_t i = 0; i < n; i++)
        want[i] = (float)right[i];
    harness_download(h, got, wavelets_on_device(h, p, FLOATS), n * sizeof *got);
    harness_check_floats(h, "coefficient of the 9/7", got, want, n, 0, 5e-5 + 5e-5 * p->levels);
}

static void run(harness *h)
{
    picture p = {.wide = (int)harness_get_size(h, "width"),
                 .high = (int)harness_get_size(h, "height"),
                 .levels = (int)harness_get_size(h, "levels")};
    const long form = harness_get_size(h, "form");
    p.pixels = (size_t)p.wide * (size_t)p.high;
    p.colour = harness_host(h, PLANES * p.pixels, 1);
    paint(h, &p);
    if (form != FLOATS)
        check_integers(h, &p);
    if (form != INTEGERS)
        check_floats(h, &p);
}

HARNESS_WORKLOAD_OF("DWT", "data/workloads/dwt2d/dwt2d.ptx", run, input_sizes)
