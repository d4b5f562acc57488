/* coverage.c - the nearest row of a place, how near rows are to one another, and where there is none. */
#include "cluster/coverage.h"

#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 20000, MOST_CORNERS = 4, NAME_BYTES = 256 };

static int no_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: no memory to see what it covers", name);
}

static const double *row_of(const ws_frame *points, size_t row)
{
    return points->value + row * points->columns;
}

/* The row nearest to a place, but for `without`; its distance. */
static double nearest_row(const ws_frame *points, const double *place, size_t without, size_t *row)
{
    double least = INFINITY;
    for (size_t i = 0; i < points->rows; i++) {
        const double d = i == without ? INFINITY : ws_distance_square(place, row_of(points, i), points->columns);
        if (d < least) {
            least = d;
            *row = i;
        }
    }
    return sqrt(least);
}

/* distance[rows]: of each row to its nearest neighbour, sorted. */
static int find_neighbours(const ws_frame *points, const char *name, double **out)
{
    if (points->rows < 2 || !points->columns)
        return ws_fail(WS_EINPUT, "%s: expected at least two rows of at least one column, found %zu of %zu", name,
                       points->rows, points->columns);
    double *const distance = calloc(points->rows, sizeof *distance);
    if (!distance)
        return no_memory(name);
    for (size_t i = 0, row; i < points->rows; i++)
        distance[i] = nearest_row(points, row_of(points, i), i, &row);
    gsl_sort(distance, 1, points->rows);
    *out = distance;
    return WS_OK;
}

static int same_columns(const ws_frame *points, const char *name, const ws_frame *placed)
{
    bool same = points->columns == placed->columns;
    for (size_t j = 0; same && j < points->columns; j++)
        same = strcmp(points->column[j].name, placed->column[j].name) == 0;
    return same ? WS_OK
                : ws_fail(WS_EINPUT, "%s: expected rows in the components of its map, found other columns", name);
}

int ws_coverage_place(const ws_frame *points, const char *name, const ws_frame *placed, ws_frame **out)
{
    static const char *const labels[] = {"row", "nearest"};
    double *neighbour = NULL;
    int rc = same_columns(points, name, placed);
    if (rc == WS_OK)
        rc = find_neighbours(points, name, &neighbour);
    ws_frame *const f = rc == WS_OK ? ws_frame_create(placed->rows, 2, 2, labels) : NULL;
    if (rc == WS_OK)
        rc = f ? ws_frame_set_column(f, 0, "distance", "", "") : no_memory(name);
    if (rc == WS_OK)
        rc = ws_frame_set_column(f, 1, "percentile", "%", "");
    for (size_t i = 0; rc == WS_OK && i < placed->rows; i++) {
        char own[NAME_BYTES], other[NAME_BYTES];
        size_t row = 0;
        double below = 0;
        const double d = nearest_row(points, row_of(placed, i), SIZE_MAX, &row);
        for (size_t p = 0; p < points->rows; p++)
            below += neighbour[p] < d ? 1 : neighbour[p] == d ? 0.5 : 0;
        ws_frame_row_name(placed, i, own, sizeof own);
        ws_frame_row_name(points, row, other, sizeof other);
        rc = ws_frame_set_label(f, i, 0, own);
        if (rc == WS_OK)
            rc = ws_frame_set_label(f, i, 1, other);
        f->value[2 * i] = d;
        f->value[2 * i + 1] = 100 * below / (double)points->rows;
    }
    free(neighbour);
    return ws_frame_give(rc, f, out);
}

/* ---------------------------------------------------------------- holes */

/* A mean of two to four different rows with weights that are even over all that sum to 1. */
static void draw_place(const ws_frame *points, gsl_rng *rng, size_t *order, double *place)
{
    const size_t most = points->rows < MOST_CORNERS ? points->rows : MOST_CORNERS;
    const size_t corners = 2 + gsl_rng_uniform_int(rng, most - 1);
    double weight[MOST_CORNERS], total = 0;
    gsl_ran_choose(rng, order, corners, order + MOST_CORNERS, points->rows, sizeof *order);
    for (size_t c = 0; c < corners; c++)
        total += weight[c] = gsl_ran_exponential(rng, 1);
    memset(place, 0, points->columns * sizeof *place);
    for (size_t c = 0; c < corners; c++)
        for (size_t j = 0; j < points->columns; j++)
            place[j] += weight[c] / total * row_of(points, order[c])[j];
}

typedef struct search {
    const ws_frame *points;
    double *place;  /* [CANDIDATES * columns] */
    double *radius; /* [CANDIDATES] distance to the nearest row or hole before */
    size_t *order;  /* [MOST_CORNERS + rows] room for draws */
} search;

static void draw_all(search *s, uint64_t seed, gsl_rng *rng)
{
    size_t row;
    gsl_rng_set(rng, seed);
    for (size_t i = 0; i < s->points->rows; i++)
        s->order[MOST_CORNERS + i] = i;
    for (size_t i = 0; i < CANDIDATES; i++) {
        double *const place = s->place + i * s->points->columns;
        draw_place(s->points, rng, s->order, place);
        s->radius[i] = nearest_row(s->points, place, SIZE_MAX, &row);
    }
}

/* The widest that is left; what is near it counts no more. */
static const double *take_widest(search *s)
{
    const size_t columns = s->points->columns;
    size_t widest = 0;
    for (size_t i = 1; i < CANDIDATES; i++)
        if (s->radius[i] > s->radius[widest])
            widest = i;
    const double *const place = s->place + widest * columns;
    for (size_t i = 0; i < CANDIDATES; i++)
        s->radius[i] = fmin(s->radius[i], sqrt(ws_distance_square(place, s->place + i * columns, columns)));
    return place;
}

static int fill_hole(const ws_frame *points, const double *place, double median, ws_frame *f, size_t hole)
{
    char number[32], name[NAME_BYTES];
    size_t row = 0;
    double *const value = f->value + hole * f->columns;
    value[0] = nearest_row(points, place, SIZE_MAX, &row);
    value[1] = median > 0 ? value[0] / median : NAN;
    memcpy(value + WS_COVERAGE_LEAD, place, points->columns * sizeof *value);
    snprintf(number, sizeof number, "%zu", hole + 1);
    ws_frame_row_name(points, row, name, sizeof name);
    const int rc = ws_frame_set_label(f, hole, 0, number);
    return rc == WS_OK ? ws_frame_set_label(f, hole, 1, name) : rc;
}

static int name_columns(const ws_frame *points, ws_frame *f)
{
    int rc = ws_frame_set_column(f, 0, "radius", "", "");
    if (rc == WS_OK)
        rc = ws_frame_set_column(f, 1, "widths", "ratio", "");
    for (size_t j = 0; rc == WS_OK && j < points->columns; j++)
        rc = ws_frame_set_column(f, WS_COVERAGE_LEAD + j, points->column[j].name, points->column[j].unit,
                                 points->column[j].group);
    return rc;
}

int ws_coverage_holes(const ws_frame *points, const char *name, size_t holes, uint64_t seed, ws_frame **out)
{
    static const char *const labels[] = {"hole", "nearest"};
    double *neighbour = NULL;
    int rc = find_neighbours(points, name, &neighbour);
    if (rc != WS_OK)
        return rc;
    const double median = gsl_stats_median_from_sorted_data(neighbour, 1, points->rows);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    search s = {points, calloc(CANDIDATES, points->columns * sizeof(double)), calloc(CANDIDATES, sizeof(double)),
                calloc(MOST_CORNERS + points->rows, sizeof(size_t))};
    ws_frame *const f = ws_frame_create(holes, WS_COVERAGE_LEAD + points->columns, 2, labels);
    rc = rng && s.place && s.radius && s.order && f ? name_columns(points, f) : no_memory(name);
    if (rc == WS_OK)
        draw_all(&s, seed, rng);
    for (size_t i = 0; rc == WS_OK && i < holes; i++)
        rc = fill_hole(points, take_widest(&s), median, f, i);
    if (rng)
        gsl_rng_free(rng);
    free(s.place);
    free(s.radius);
    free(s.order);
    free(neighbour);
    return ws_frame_give(rc, f, out);
}
