/* support.c - members whose distribution is nearest to that of all rows, in energy distance.
 *
 * The energy distance (Szekely and Rizzo 2013) of members s with weights w, which sum to 1, and all n rows is
 *
 *     E = 2 sum_s w_s r_s - sum_s sum_t w_s w_t d(s, t) - const,   r_s = mean over rows i of d(i, s)
 *
 * It is 0 when both distributions are the same and bounds how wrong means of smooth functions over the members can be;
 * points that minimise it are support points (Mak and Joseph, "Support points", 2018). Members are found with equal
 * weights, one after another and then by exchanging one for another as long as that helps; then the weights are set, a
 * convex problem. */
#include "base/status.h"
#include "cluster/method_internal.h"

#include <stdbool.h>
#include <stdlib.h>

/* Steps that gain less, relative to the mean distance, are rounding. */
static const double NOTHING = 1e-12;

typedef struct work {
    const ws_points *p;
    double *mean;   /* [rows] r */
    double *within; /* [rows] sum of distances to the members */
    bool *chosen;   /* [rows] */
    double scale;   /* mean of r: what a gain is measured against */
} work;

static void find_means(work *w)
{
    const size_t n = w->p->rows;
    const double *const v = w->p->importance;
    double total = v ? 0 : (double)n;
    for (size_t i = 0; i < n; i++) {
        total += v ? v[i] : 0;
        for (size_t j = i + 1; j < n; j++) {
            const double d = ws_points_distance(w->p, i, j);
            w->mean[i] += v ? v[j] * d : d;
            w->mean[j] += v ? v[i] * d : d;
        }
    }
    for (size_t i = 0; i < n; i++) {
        w->mean[i] /= total;
        w->scale += w->mean[i] / (double)n;
    }
}

static void change(work *w, size_t row, bool in)
{
    w->chosen[row] = in;
    for (size_t i = 0; i < w->p->rows; i++)
        w->within[i] += in ? ws_points_distance(w->p, i, row) : -ws_points_distance(w->p, i, row);
}

/* Of k members with sum `means` of their r and sum `pairs` of the distances of all ordered pairs. */
static double energy(size_t k, double means, double pairs)
{
    return 2 * means / (double)k - pairs / ((double)k * (double)k);
}

static void totals(const work *w, const size_t *member, size_t k, double *means, double *pairs)
{
    *means = *pairs = 0;
    for (size_t c = 0; c < k; c++) {
        *means += w->mean[member[c]];
        *pairs += w->within[member[c]];
    }
}

static bool is_in(const bool *rows, size_t row)
{
    return rows && rows[row];
}

/* One more member: that which leaves the least energy, of equal ones the first. */
static void add_best(work *w, size_t *member, size_t k)
{
    double means, pairs, least = 0;
    size_t best = SIZE_MAX;
    totals(w, member, k, &means, &pairs);
    for (size_t j = 0; j < w->p->rows; j++) {
        const double e = energy(k + 1, means + w->mean[j], pairs + 2 * w->within[j]);
        if (!w->chosen[j] && !is_in(w->p->excluded, j) && (best == SIZE_MAX || e < least)) {
            best = j;
            least = e;
        }
    }
    member[k] = best;
    change(w, best, true);
}

/* The exchange of a member for another row that gains most; false when none gains. */
static bool exchange(work *w, size_t *member, size_t k)
{
    double means, pairs;
    totals(w, member, k, &means, &pairs);
    double least = energy(k, means, pairs) - NOTHING * w->scale;
    size_t out = SIZE_MAX, in = 0;
    for (size_t c = 0; c < k; c++)
        for (size_t j = 0; j < w->p->rows; j++) {
            const size_t s = member[c];
            if (w->chosen[j] || is_in(w->p->excluded, j) || is_in(w->p->required, s))
                continue;
            const double to_rest = w->within[j] - ws_points_distance(w->p, j, s);
            const double e = energy(k, means - w->mean[s] + w->mean[j], pairs - 2 * w->within[s] + 2 * to_rest);
            if (e < least) {
                least = e;
                out = c;
                in = j;
            }
        }
    if (out == SIZE_MAX)
        return false;
    change(w, member[out], false);
    member[out] = in;
    change(w, in, true);
    return true;
}

/* Weights of least energy: weight moves from where its gradient is steepest up to where it is steepest down, as far as
 * that helps (sequential minimal optimisation, Platt 1998), until no move does. */
static void weigh(const work *w, const size_t *member, size_t k, double *weight, double *slope)
{
    enum { MOVES_EACH = 1000 };
    for (size_t c = 0; c < k; c++) {
        weight[c] = 1 / (double)k;
        slope[c] = 2 * w->mean[member[c]] - 2 * w->within[member[c]] / (double)k;
    }
    for (size_t move = 0; move < MOVES_EACH * k; move++) {
        size_t to = 0, from = SIZE_MAX;
        for (size_t c = 0; c < k; c++) {
            if (slope[c] < slope[to])
                to = c;
            if (weight[c] > 0 && (from == SIZE_MAX || slope[c] > slope[from]))
                from = c;
        }
        const double down = slope[from] - slope[to], apart = ws_points_distance(w->p, member[from], member[to]);
        if (down <= NOTHING * w->scale)
            return;
        const bool all = 4 * apart * weight[from] <= down;
        const double step = all ? weight[from] : down / (4 * apart);
        weight[from] = all ? 0 : weight[from] - step;
        weight[to] += step;
        for (size_t c = 0; c < k; c++)
            slope[c] -=
                2 * step *
                (ws_points_distance(w->p, member[c], member[to]) - ws_points_distance(w->p, member[c], member[from]));
    }
}

int ws_choose_support(const ws_points *points, size_t k, size_t *cluster, size_t *member, double *weight)
{
    (void)cluster;
    work w = {.p = points,
              .mean = calloc(points->rows, sizeof(double)),
              .within = calloc(points->rows, sizeof(double)),
              .chosen = calloc(points->rows, sizeof(bool))};
    double *const slope = calloc(k, sizeof *slope);
    const bool room = w.mean && w.within && w.chosen && slope;
    if (room) {
        find_means(&w);
        size_t c = 0;
        for (size_t i = 0; i < points->rows && c < k; i++)
            if (is_in(points->required, i)) {
                member[c++] = i;
                change(&w, i, true);
            }
        for (; c < k; c++)
            add_best(&w, member, c);
        while (exchange(&w, member, k))
            ;
        weigh(&w, member, k, weight, slope);
        for (c = 0; c < k; c++)
            weight[c] *= (double)points->rows;
    }
    free(w.mean);
    free(w.within);
    free(w.chosen);
    free(slope);
    return room ? WS_OK : ws_fail(WS_EMEM, "no memory for support points of %zu rows", points->rows);
}
