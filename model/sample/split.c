/* split.c - where are launches of a kernel to be cut by a number that tells them apart? */
#include "model/sample/sampling_internal.h"

#include "base/status.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 2048, GRID = 512 };

/* Values in rising order; those that are close together are one. */
typedef struct point {
    double value;
    size_t first, count; /* of the sorted values */
} point;

typedef struct sorted {
    const double *value;
    size_t *order; /* [n] */
    size_t n;
    point *point;
    size_t points;
} sorted;

static int compare_values(const void *a, const void *b, void *context)
{
    const double *const value = context;
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    return value[i] != value[j] ? (value[i] > value[j] ? 1 : -1) : (i > j) - (i < j);
}

static void sorted_fini(sorted *s)
{
    free(s->order);
    free(s->point);
}

/* With a coarser notion of close until there are few enough: the cuts cost the square of their number. */
static void gather(sorted *s)
{
    const double all = s->value[s->order[s->n - 1]] - s->value[s->order[0]];
    for (double close = 1e-3;; close *= 2) {
        s->points = 0;
        for (size_t i = 0; i < s->n; i++) {
            const double v = s->value[s->order[i]];
            point *const last = s->points ? &s->point[s->points - 1] : NULL;
            if (last && v - last->value <= fmax(close * fabs(last->value), 1e-9 * all))
                last->count++;
            else
                s->point[s->points++] = (point){v, i, 1};
        }
        if (s->points <= MOST_POINTS)
            return;
    }
}

static int sort_values(const double *value, size_t n, sorted *s)
{
    *s = (sorted){.value = value, .n = n, .order = malloc(n * sizeof *s->order), .point = malloc(n * sizeof *s->point)};
    if (!s->order || !s->point) {
        sorted_fini(s);
        return ws_fail(WS_EMEM, "no memory to split launches");
    }
    for (size_t i = 0; i < n; i++)
        s->order[i] = i;
    qsort_r(s->order, n, sizeof *s->order, compare_values, (void *)(uintptr_t)value);
    gather(s);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ the fewest classes
 */

/* Sums up to a point, to have those of any stretch by a difference: of the values' logarithms, since what counts is
 * their relation. */
typedef struct sums {
    double *n, *v, *vv; /* [points + 1] */
} sums;

typedef struct cuts {
    sorted s;
    sums sum;
    double *cost,
        *before;    /* [points + 1] least sum of squares of the first i points in so many classes, and in one less */
    double *part;   /* [n] values of a class */
    uint32_t *from; /* [classes][points + 1] where the last class begins */
    size_t classes;
} cuts;

static double squares_of(const sums *m, size_t first, size_t end)
{
    const double n = m->n[end] - m->n[first], v = m->v[end] - m->v[first];
    return fmax(0, m->vv[end] - m->vv[first] - v * v / n);
}

static void add_up(cuts *c)
{
    const sorted *const s = &c->s;
    const bool logs = s->value[s->order[0]] > 0;
    const double middle = s->value[s->order[s->n / 2]]; /* taken off, it leaves more digits */
    for (size_t i = 0; i < s->points; i++) {
        c->sum.n[i + 1] = c->sum.n[i] + (double)s->point[i].count;
        c->sum.v[i + 1] = c->sum.v[i];
        c->sum.vv[i + 1] = c->sum.vv[i];
        for (size_t k = 0; k < s->point[i].count; k++) {
            const double value = s->value[s->order[s->point[i].first + k]],
                         v = logs ? log(value / middle) : value - middle;
            c->sum.v[i + 1] += v;
            c->sum.vv[i + 1] += v * v;
        }
    }
}

/* Points [first, end) in one class more than before, whose last class begins between `low` and `high`: where it does
 * rises with the point, so each half has to look at a part only (X. Wu, "Optimal Quantization by Matrix Searching",
 * Journal of Algorithms 12, 1991). */
static void fill_class(cuts *c, uint32_t *from, size_t first, size_t end, size_t low, size_t high)
{
    while (first < end) {
        const size_t i = first + (end - first) / 2, most = high < i - 1 ? high : i - 1;
        c->cost[i] = DBL_MAX;
        for (size_t k = low; k <= most; k++) {
            const double cost = c->before[k] + squares_of(&c->sum, k, i);
            if (cost < c->cost[i]) {
                c->cost[i] = cost;
                from[i] = (uint32_t)k;
            }
        }
        fill_class(c, from, first, i, low, from[i]);
        first = i + 1;
        low = from[i];
    }
}

/* W. D. Fisher, "On Grouping for Maximum Homogeneity", Journal of the American Statistical Association 53, 1958. */
static int add_class(cuts *c)
{
    const size_t width = c->s.points + 1, k = c->classes;
    uint32_t *const more = realloc(c->from, (k + 1) * width * sizeof *more);
    if (!more)
        return ws_fail(WS_EMEM, "no memory to split launches");
    c->from = more;
    uint32_t *const from = more + k * width;
    memset(from, 0, width * sizeof *from);
    double *const swapped = c->before;
    c->before = c->cost;
    c->cost = swapped;
    for (size_t i = 1; i < width && !k; i++)
        c->cost[i] = squares_of(&c->sum, 0, i);
    if (k) /* as many points at least as there are classes */
        fill_class(c, from, k + 1, width, k, width - 1);
    c->classes++;
    return WS_OK;
}

/* The spread of the values of points [first, end). */
static double spread_of(const cuts *c, size_t first, size_t end)
{
    const point *const p = c->s.point;
    const size_t begin = p[first].first, n = p[end - 1].first + p[end - 1].count - begin;
    for (size_t i = 0; i < n; i++)
        c->part[i] = c->s.value[c->s.order[begin + i]];
    return sampling_spread(c->part, n);
}

static bool is_narrow(const cuts *c, double most)
{
    const size_t width = c->s.points + 1;
    for (size_t k = c->classes, end = c->s.points; k-- > 0; end = c->from[k * width + end])
        if (spread_of(c, c->from[k * width + end], end) > most)
            return false;
    return true;
}

static void mark(const cuts *c, size_t *class_of)
{
    const size_t width = c->s.points + 1;
    for (size_t k = c->classes, end = c->s.points; k-- > 0;) {
        const size_t first = c->from[k * width + end];
        for (size_t p = first; p < end; p++)
            for (size_t i = 0; i < c->s.point[p].count; i++)
                class_of[c->s.order[c->s.point[p].first + i]] = k;
        end = first;
    }
}

int split_optimal(const double *value, size_t n, double most, size_t *class_of, size_t *classes)
{
    cuts c = {0};
    int status = sort_values(value, n, &c.s);
    if (status)
        return status;
    const size_t width = c.s.points + 1;
    double *const room = calloc(5 * width + n, sizeof *room);
    c.sum = (sums){room, room + width, room + 2 * width};
    c.cost = room + 3 * width;
    c.before = room + 4 * width;
    c.part = room + 5 * width;
    status = room ? WS_OK : ws_fail(WS_EMEM, "no memory to split launches");
    if (!status)
        add_up(&c);
    do {
        if (!status)
            status = add_class(&c);
    } while (!status && c.classes < c.s.points && !is_narrow(&c, most));
    if (!status) {
        mark(&c, class_of);
        *classes = c.classes;
    }
    free(room);
    free(c.from);
    sorted_fini(&c.s);
    return status;
}

/* ------------------------------------------------------------------------------------------------ density */

/* B. W. Silverman, "Density Estimation for Statistics and Data Analysis", 1986, equation 3.31, times `narrow`. */
static double bandwidth(const sorted *s, double narrow)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < s->n; i++)
        mean += s->value[i] / (double)s->n;
    for (size_t i = 0; i < s->n; i++)
        squares += (s->value[i] - mean) * (s->value[i] - mean) / (double)s->n;
    const double middle = s->value[s->order[s->n * 3 / 4]] - s->value[s->order[s->n / 4]], deviation = sqrt(squares);
    return 0.9 * (middle > 0 ? fmin(deviation, middle / 1.34) : deviation) * pow((double)s->n, -0.2) * narrow;
}

/* Values at which the density has a minimum. */
static size_t find_minima(const sorted *s, double width, double minimum[GRID])
{
    double density[GRID];
    const double low = s->point[0].value, step = (s->point[s->points - 1].value - low) / (GRID - 1);
    size_t n = 0;
    for (size_t g = 0; g < GRID; g++) {
        density[g] = 0;
        for (size_t p = 0; p < s->points; p++) {
            const double z = (low + step * (double)g - s->point[p].value) / width;
            density[g] += (double)s->point[p].count * exp(-z * z / 2);
        }
    }
    for (size_t g = 1; g + 1 < GRID; g++) {
        size_t after = g;
        while (after + 1 < GRID && density[after] == density[g])
            after++;
        if (density[g] < density[g - 1] && density[g] < density[after])
            minimum[n++] = low + step * (double)(g + after - 1) / 2;
        g = after > g ? after - 1 : g;
    }
    return n;
}

/* Classes between the minima that hold any value; whether all have a spread below `most`. */
static int mark_between(const sorted *s, const double *minimum, size_t minima, double most, size_t *class_of,
                        size_t *classes, bool *narrow)
{
    double *const part = malloc(s->n * sizeof *part);
    if (!part)
        return ws_fail(WS_EMEM, "no memory to split launches");
    size_t cut = 0, begin = 0;
    *classes = 0;
    *narrow = true;
    for (size_t i = 0; i < s->n; i++) {
        const double v = s->value[s->order[i]];
        class_of[s->order[i]] = *classes;
        part[i - begin] = v;
        size_t next = cut;
        while (next < minima && i + 1 < s->n && s->value[s->order[i + 1]] > minimum[next])
            next++;
        if (i + 1 < s->n && next == cut)
            continue;
        *narrow = *narrow && sampling_spread(part, i + 1 - begin) < most;
        begin = i + 1;
        cut = next;
        ++*classes;
    }
    free(part);
    return WS_OK;
}

int split_density(const double *value, size_t n, double most, size_t *class_of, size_t *classes)
{
    static const double narrowest = 1e-3;
    double minimum[GRID];
    sorted s;
    int status = sort_values(value, n, &s);
    if (status)
        return status;
    bool narrow = s.points < 2;
    memset(class_of, 0, n * sizeof *class_of);
    *classes = 1;
    for (double by = 1; !status && !narrow && by > narrowest; by /= 2)
        status =
            mark_between(&s, minimum, find_minima(&s, bandwidth(&s, by), minimum), most, class_of, classes, &narrow);
    sorted_fini(&s);
    return status || narrow ? status : split_optimal(value, n, most, class_of, classes);
}
