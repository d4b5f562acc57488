/* heartwall.c - HWL: which lines of a frame do blocks share that look for templates in it? Host side of heartwall.cu.
 */
#include "data/workloads/harness/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 256, GRAIN = 4 };

static const double SHARE = 0.2, NOISE = 0.05, SHRINK = 0.05, PERIOD = 20, INNER = 0.6, TOLERANCE = 2e-4;

static const harness_size input_sizes[] = {
    {"size", "rows and columns of a frame", {64, 128, 320}, 48, 4096, 1},
    {"points", "points that are followed, a block each", {6, 30, 51}, 1, 10000, 1},
    {"frames", "frames", {2, 4, 8}, 1, 1000, 1},
    {"radius", "rows of a template on each side of its middle", {4, 8, 12}, 2, 64, 1},
    {"search", "pixels that a point may move in a frame, each way", {3, 5, 8}, 2, 32, 1},
    {0},
};

typedef struct movie {
    int size, points, side, search;
    float *grain, *frame; /* the wall at rest, a value each GRAIN pixels of each way */
    int grains;
    float *templates; /* of all points */
    int *place;
    double *angle, *radius; /* of each point at rest, from the middle */
} movie;

/* How far the wall has shrunk at a time: a factor of all distances from the middle. */
static double factor_at(int frame)
{
    return 1 - SHRINK * (1 - cos(2 * M_PI * frame / PERIOD)) / 2;
}

/* The wall at rest, between grains by their four neighbours. */
static double wall(const movie *m, double row, double column)
{
    const double last = m->grains - 1.001, y = fmin(fmax(row / GRAIN, 0), last),
                 x = fmin(fmax(column / GRAIN, 0), last);
    const int i = (int)y, j = (int)x;
    const float *const g = &m->grain[i * m->grains + j];
    const double fy = y - i, fx = x - j;
    return (1 - fy) * ((1 - fx) * (double)g[0] + fx * (double)g[1]) +
           fy * ((1 - fx) * (double)g[m->grains] + fx * (double)g[m->grains + 1]);
}

static void draw(harness *h, const movie *m, int number)
{
    const double middle = m->size / 2.0, factor = factor_at(number);
    for (int i = 0; i < m->size; i++)
        for (int j = 0; j < m->size; j++)
            m->frame[i * m->size + j] =
                (float)(wall(m, middle + (i - middle) / factor, middle + (j - middle) / factor) +
                        harness_uniform(h, -NOISE, NOISE));
}

static float pixel(const movie *m, int row, int column)
{
    row = row < 0 ? 0 : row < m->size ? row : m->size - 1;
    column = column < 0 ? 0 : column < m->size ? column : m->size - 1;
    return m->frame[row * m->size + column];
}

/* Points on two rings around the middle, with templates from the first frame. */
static movie make_movie(harness *h)
{
    movie m = {.size = (int)harness_get_size(h, "size"),
               .points = (int)harness_get_size(h, "points"),
               .search = (int)harness_get_size(h, "search"),
               .side = 2 * (int)harness_get_size(h, "radius") + 1};
    const double outer = m.size / 2.0 - m.side / 2 - m.search - 2, middle = m.size / 2.0;
    if (outer < GRAIN)
        harness_refuse(
            h,
            "frames of size=%d have no room for templates and where they may go: radius + search is to be at most %d",
            m.size, m.size / 2 - 2 - GRAIN);
    m.grains = m.size / GRAIN + 2;
    m.grain = harness_random_floats(h, (size_t)m.grains * (size_t)m.grains, 0, 1);
    m.frame = harness_host(h, (size_t)m.size * (size_t)m.size, sizeof *m.frame);
    const size_t points = (size_t)m.points, pixels = (size_t)m.side * (size_t)m.side;
    m.templates = harness_host(h, points * pixels, sizeof *m.templates);
    m.place = harness_host(h, 2 * points, sizeof *m.place);
    m.angle = harness_host(h, points, sizeof *m.angle);
    m.radius = harness_host(h, points, sizeof *m.radius);
    draw(h, &m, 0);
    for (int p = 0; p < m.points; p++) {
        m.angle[p] = 2 * M_PI * p / m.points;
        m.radius[p] = p % 2 ? outer : INNER * outer;
        m.place[2 * p] = (int)lround(middle + m.radius[p] * sin(m.angle[p]));
        m.place[2 * p + 1] = (int)lround(middle + m.radius[p] * cos(m.angle[p]));
        for (int i = 0; i < m.side * m.side; i++)
            m.templates[(size_t)p * pixels + (size_t)i] =
                pixel(&m, m.place[2 * p] + i / m.side - m.side / 2, m.place[2 * p + 1] + i % m.side - m.side / 2);
    }
    return m;
}

static double correlation_on_cpu(const movie *m, const float *of_point, int row, int column)
{
    const int n = m->side * m->side;
    double mean = 0, own = 0, spread = 0, own_spread = 0, product = 0;
    for (int i = 0; i < n; i++) {
        mean += (double)pixel(m, row + i / m->side - m->side / 2, column + i % m->side - m->side / 2) / n;
        own += (double)of_point[i] / n;
    }
    for (int i = 0; i < n; i++) {
        const double a = (double)pixel(m, row + i / m->side - m->side / 2, column + i % m->side - m->side / 2) - mean;
        const double b = (double)of_point[i] - own;
        spread += a * a;
        own_spread += b * b;
        product += a * b;
    }
    return product / sqrt(spread * own_spread);
}

/* What a point may become in a frame, from what the device had before: no place is better than the one it went to but
 * for rounding, and the template is what it has to be there. */
static void check_point(harness *h, const movie *m, int point, const int *went, float best, const float *now)
{
    const int *const was = &m->place[2 * point], wide = 2 * m->search + 1, pixels = m->side * m->side;
    const float *const before = m->templates + (size_t)point * (size_t)pixels;
    double highest = -2;
    for (int i = 0; i < wide * wide; i++)
        highest =
            fmax(highest, correlation_on_cpu(m, before, was[0] + i / wide - m->search, was[1] + i % wide - m->search));
    const double here = correlation_on_cpu(m, before, went[0], went[1]);
    if (abs(went[0] - was[0]) > m->search || abs(went[1] - was[1]) > m->search ||
        !(fabs((double)best - here) <= TOLERANCE) || !(here >= highest - TOLERANCE))
        harness_wrong(
            h, "point %d goes from %d, %d to %d, %d with a correlation of %g where the CPU has %g, and %g at best",
            point, was[0], was[1], went[0], went[1], (double)best, here, highest);
    for (int i = 0; i < pixels; i++) {
        const double want = (double)before[i] + SHARE * ((double)pixel(m, went[0] + i / m->side - m->side / 2,
                                                                       went[1] + i % m->side - m->side / 2) -
                                                         (double)before[i]);
        if (!(fabs((double)now[i] - want) <= 1e-6))
            harness_wrong(h, "pixel %d of template %d is %g where the CPU has %g", i, point, (double)now[i], want);
    }
}

/* Points are where the wall took them, most of them within two pixels. */
static void check_course(harness *h, const movie *m, int frame)
{
    int there = 0;
    for (int p = 0; p < m->points; p++) {
        const double row = m->size / 2.0 + m->radius[p] * factor_at(frame) * sin(m->angle[p]);
        const double column = m->size / 2.0 + m->radius[p] * factor_at(frame) * cos(m->angle[p]);
        there += hypot(m->place[2 * p] - row, m->place[2 * p + 1] - column) <= 2;
    }
    if (4 * there < 3 * m->points)
        harness_wrong(h, "only %d of %d points are where the wall took them", there, m->points);
}

static void run(harness *h)
{
    movie m = make_movie(h);
    const size_t points = (size_t)m.points, pixels = (size_t)m.side * (size_t)m.side;
    const int frames = (int)harness_get_size(h, "frames");
    float *const templates = harness_host(h, points * pixels, sizeof *templates), *const best = harness_host(
                                                                                      h, points, sizeof *best);
    int *const place = harness_host(h, 2 * points, sizeof *place);
    CUdeviceptr frame = harness_device(h, (size_t)m.size * (size_t)m.size * sizeof *m.frame),
                d_best = harness_device(h, points * sizeof *best);
    CUdeviceptr d_templates = harness_upload(h, m.templates, points * pixels * sizeof *m.templates);
    CUdeviceptr d_place = harness_upload(h, m.place, 2 * points * sizeof *m.place);
    float share = (float)SHARE;

    for (int number = 1; number <= frames; number++) {
        draw(h, &m, number);
        harness_write(h, frame, m.frame, (size_t)m.size * (size_t)m.size * sizeof *m.frame);
        HARNESS_LAUNCH(h, harness_kernel(h, "hw_track"), HARNESS_DIM(m.points), HARNESS_DIM(THREADS), 0, &frame,
                       &d_templates, &d_place, &d_best, &m.size, &m.side, &m.search, &share);
        harness_download(h, templates, d_templates, points * pixels * sizeof *templates);
        harness_download(h, place, d_place, 2 * points * sizeof *place);
        harness_download(h, best, d_best, points * sizeof *best);
        for (int p = 0; p < m.points; p++)
            check_point(h, &m, p, &place[2 * p], best[p], templates + (size_t)p * pixels);
        memcpy(m.templates, templates, points * pixels * sizeof *templates);
        memcpy(m.place, place, 2 * points * sizeof *place);
    }
    check_course(h, &m, frames);
}

HARNESS_WORKLOAD_OF("HWL", "data/workloads/heartwall/heartwall.ptx", run, input_sizes)
