/* sad.c - SAD: see sad.cu. */
#include "data/workloads/sad/sad.h"
#include "data/workloads/harness/harness.h"

#include <math.h>
#include <stdlib.h>

/* A part of a macroblock in pixels. */
typedef struct part {
    int x, y, width, height;
} part;

typedef struct pictures {
    long width, height; /* pixels */
    long across, macroblocks;
    uint16_t *now, *earlier;
} pictures;

static const double grain = 12; /* random part of each pixel, in each picture of its own */

static uint16_t level(double x)
{
    return (uint16_t)(x < 0 ? 0 : x > 255 ? 255 : x);
}

/* Waves in all directions under a little noise; in the later picture each macroblock has moved. */
static void make_pictures(harness *h, pictures *p)
{
    enum { WAVES = 6 };
    double fx[WAVES], fy[WAVES], phase[WAVES];
    for (int i = 0; i < WAVES; i++) {
        fx[i] = harness_uniform(h, -0.5, 0.5);
        fy[i] = harness_uniform(h, -0.5, 0.5);
        phase[i] = harness_uniform(h, 0, 6.283185307179586);
    }
    int *const dx = harness_random_ints(h, (size_t)p->macroblocks, -SAD_RANGE, SAD_RANGE);
    int *const dy = harness_random_ints(h, (size_t)p->macroblocks, -SAD_RANGE, SAD_RANGE);
    p->now = harness_host(h, (size_t)(p->width * p->height), sizeof *p->now);
    p->earlier = harness_host(h, (size_t)(p->width * p->height), sizeof *p->earlier);
    for (long y = 0; y < p->height; y++)
        for (long x = 0; x < p->width; x++) {
            const long m = y / SAD_MACROBLOCK * p->across + x / SAD_MACROBLOCK;
            double was = 128, is = 128;
            for (int i = 0; i < WAVES; i++) {
                was += 24 * sin(fx[i] * (double)x + fy[i] * (double)y + phase[i]);
                is += 24 * sin(fx[i] * (double)(x + dx[m]) + fy[i] * (double)(y + dy[m]) + phase[i]);
            }
            p->earlier[y * p->width + x] = level(was + harness_uniform(h, -grain, grain));
            p->now[y * p->width + x] = level(is + harness_uniform(h, -grain, grain));
        }
}

/* All parts of a macroblock, in the order in which their sums stand. */
static void list_parts(part list[SAD_PARTS])
{
    static const struct {
        int first, width, height;
    } shapes[] = {{SAD_16x16, 16, 16}, {SAD_16x8, 16, 8}, {SAD_8x16, 8, 16}, {SAD_8x8, 8, 8}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        int n = shapes[s].first;
        for (int y = 0; y < SAD_MACROBLOCK; y += shapes[s].height)
            for (int x = 0; x < SAD_MACROBLOCK; x += shapes[s].width)
                list[n++] = (part){x, y, shapes[s].width, shapes[s].height};
    }
    for (int q = 0; q < SAD_QUARTERS; q++) {
        const int x = q % 2 * 8, y = q / 2 * 8;
        for (int i = 0; i < 2; i++) {
            list[SAD_8x4 + 2 * q + i] = (part){x, y + 4 * i, 8, 4};
            list[SAD_4x8 + 2 * q + i] = (part){x + 4 * i, y, 4, 8};
        }
        for (int i = 0; i < 4; i++)
            list[SAD_4x4 + 4 * q + i] = (part){x + i % 2 * 4, y + i / 2 * 4, 4, 4};
    }
}

static long within(long i, long n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* By the definition, pixel by pixel; the earlier picture goes on beyond its edges with the pixels there. */
static int difference(const pictures *p, long left, long top, const part *of, int dx, int dy)
{
    int sum = 0;
    for (long y = top + of->y; y < top + of->y + of->height; y++)
        for (long x = left + of->x; x < left + of->x + of->width; x++)
            sum += abs((int)p->now[y * p->width + x] -
                       (int)p->earlier[within(y + dy, p->height) * p->width + within(x + dx, p->width)]);
    return sum;
}

/* Where the sums of a part of a macroblock stand: behind those of the larger shapes of all macroblocks. */
static size_t place_of(const pictures *p, long macroblock, int number)
{
    static const int first[] = {SAD_16x16, SAD_16x8, SAD_8x16, SAD_8x8, SAD_8x4, SAD_4x8, SAD_4x4, SAD_PARTS};
    int s = 0;
    while (number >= first[s + 1])
        s++;
    return (size_t)(first[s] * p->macroblocks + macroblock * (first[s + 1] - first[s]) + number - first[s]) * SAD_ROOM;
}

static int *reference(harness *h, const pictures *p, size_t n)
{
    part list[SAD_PARTS];
    int *const want = harness_host(h, n, sizeof *want);
    list_parts(list);
    for (long m = 0; m < p->macroblocks; m++)
        for (int i = 0; i < SAD_PARTS; i++) {
            int *const at = want + place_of(p, m, i);
            for (int k = 0; k < SAD_POSITIONS; k++)
                at[k] = difference(p, m % p->across * SAD_MACROBLOCK, m / p->across * SAD_MACROBLOCK, &list[i],
                                   k % SAD_WINDOW - SAD_RANGE, k / SAD_WINDOW - SAD_RANGE);
        }
    return want;
}

static void run(harness *h)
{
    pictures p = {.width = harness_pick(h, 16, 176, 80), .height = harness_pick(h, 16, 144, 32)};
    p.across = p.width / SAD_MACROBLOCK;
    p.macroblocks = p.across * (p.height / SAD_MACROBLOCK);
    const long down = p.height / SAD_MACROBLOCK;
    make_pictures(h, &p);
    const size_t pixels = (size_t)(p.width * p.height), n = (size_t)(p.macroblocks * SAD_PARTS) * SAD_ROOM;
    CUdeviceptr picture = harness_upload(h, p.now, pixels * sizeof *p.now);
    CUdeviceptr sums = harness_device(h, n * sizeof(uint16_t));
    const harness_texture form = {.format = CU_AD_FORMAT_UNSIGNED_INT16,
                                  .channels = 1,
                                  .width = (size_t)p.width,
                                  .height = (size_t)p.height,
                                  .address = CU_TR_ADDRESS_MODE_CLAMP,
                                  .filter = CU_TR_FILTER_MODE_POINT,
                                  .flags = CU_TRSF_READ_AS_INTEGER};
    CUtexObject earlier = harness_texture_array(h, &form, p.earlier);
    unsigned width = (unsigned)p.width, macroblocks = (unsigned)p.macroblocks;
    HARNESS_LAUNCH(h, harness_kernel(h, "sad_squares"), HARNESS_DIM(p.width / SAD_SQUARE, p.height / SAD_SQUARE),
                   HARNESS_DIM(SAD_THREADS), 0, &sums, &picture, &earlier, &width, &macroblocks);
    HARNESS_LAUNCH(h, harness_kernel(h, "sad_eighths"), HARNESS_DIM(p.across, down),
                   HARNESS_DIM(SAD_LANES, SAD_QUARTERS), 0, &sums, &macroblocks);
    HARNESS_LAUNCH(h, harness_kernel(h, "sad_wholes"), HARNESS_DIM(p.across, down), HARNESS_DIM(SAD_LANES), 0, &sums,
                   &macroblocks);
    uint16_t *const found = harness_host(h, n, sizeof *found);
    int *const got = harness_host(h, n, sizeof *got);
    harness_download(h, found, sums, n * sizeof *found);
    for (size_t i = 0; i < n; i++)
        got[i] = found[i];
    harness_check_ints(h, "sum of differences", got, reference(h, &p, n), n);
}

HARNESS_WORKLOAD("SAD", "data/workloads/sad/sad.ptx", run)
