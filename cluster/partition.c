/* partition.c - members by partitions without a tree: medoids and means. */
#include "base/status.h"
#include "cluster/method_internal.h"
#include "cluster/quality.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- medoids
 *
 * Partitioning around medoids (Kaufman and Rousseeuw 1990): members are added one by one, each the one that shortens
 * the sum of distances most, then the exchange that shortens it most is made, as long as one does. What every exchange
 * would change is found for all members at a time (Schubert and Rousseeuw, "Faster k-Medoids Clustering", 2019): n^2
 * steps an exchange, not k n^2. */

typedef struct medoids {
    const ws_points *p;
    size_t k, *member;
    bool *chosen; /* [rows] */
    size_t *own;  /* [rows] the nearest member, and distances to it and to the next one */
    double *nearest, *next;
    double *without, *change; /* [k] of the sum when a member goes; and another row comes for it */
} medoids;

/* Every row's nearest members. */
static void find_nearest(medoids *m)
{
    for (size_t i = 0; i < m->p->rows; i++) {
        m->nearest[i] = m->next[i] = INFINITY;
        for (size_t c = 0; c < m->k; c++) {
            const double d = ws_points_distance(m->p, i, m->member[c]);
            if (d < m->nearest[i]) {
                m->next[i] = m->nearest[i];
                m->nearest[i] = d;
                m->own[i] = c;
            } else if (d < m->next[i]) {
                m->next[i] = d;
            }
        }
    }
}

/* One more member: the row with which the sum is least, of equal ones the first. */
static void add_medoid(medoids *m)
{
    double least = INFINITY;
    size_t best = SIZE_MAX;
    for (size_t j = 0; j < m->p->rows; j++) {
        double sum = 0;
        for (size_t i = 0; !m->chosen[j] && i < m->p->rows; i++)
            sum += fmin(m->nearest[i], ws_points_distance(m->p, i, j));
        if (!m->chosen[j] && (best == SIZE_MAX || sum < least)) {
            best = j;
            least = sum;
        }
    }
    m->chosen[best] = true;
    m->member[m->k++] = best;
    for (size_t i = 0; i < m->p->rows; i++)
        m->nearest[i] = fmin(m->nearest[i], ws_points_distance(m->p, i, best));
}

/* change[c] of all members, should row j come for one of them; what it brings whoever goes is returned. */
static double weigh_exchange(medoids *m, size_t j)
{
    double gain = 0;
    memcpy(m->change, m->without, m->k * sizeof *m->change);
    for (size_t i = 0; i < m->p->rows; i++) {
        const double d = ws_points_distance(m->p, i, j);
        if (d < m->nearest[i]) {
            gain += d - m->nearest[i];
            m->change[m->own[i]] += m->nearest[i] - m->next[i];
        } else if (d < m->next[i]) {
            m->change[m->own[i]] += d - m->next[i];
        }
    }
    return gain;
}

/* The exchange that shortens the sum most, of equal ones the first row; false when none does. */
static bool exchange_medoid(medoids *m)
{
    double sum = 0, least;
    size_t out = SIZE_MAX, in = 0;
    find_nearest(m);
    memset(m->without, 0, m->k * sizeof *m->without);
    for (size_t i = 0; i < m->p->rows; i++) {
        sum += m->nearest[i];
        m->without[m->own[i]] += m->next[i] - m->nearest[i];
    }
    least = -1e-12 * sum;
    for (size_t j = 0; m->k > 1 && j < m->p->rows; j++) {
        const double gain = m->chosen[j] ? 0 : weigh_exchange(m, j);
        for (size_t c = 0; !m->chosen[j] && c < m->k; c++)
            if (m->change[c] + gain < least) {
                least = m->change[c] + gain;
                out = c;
                in = j;
            }
    }
    if (out == SIZE_MAX)
        return false; /* a single medoid was the best of all rows when it was added */
    m->chosen[m->member[out]] = false;
    m->chosen[in] = true;
    m->member[out] = in;
    return true;
}

int ws_choose_medoids(const ws_points *p, size_t k, size_t *cluster, size_t *member, double *weight)
{
    (void)cluster, (void)weight;
    const size_t n = p->rows;
    medoids m = {.p = p,
                 .member = member,
                 .chosen = calloc(n, sizeof(bool)),
                 .own = calloc(n, sizeof(size_t)),
                 .nearest = calloc(n, sizeof(double)),
                 .next = calloc(n, sizeof(double)),
                 .without = calloc(k, sizeof(double)),
                 .change = calloc(k, sizeof(double))};
    const bool room = m.chosen && m.own && m.nearest && m.next && m.without && m.change;
    for (size_t i = 0; room && i < n; i++)
        m.nearest[i] = INFINITY;
    while (room && m.k < k)
        add_medoid(&m);
    while (room && exchange_medoid(&m))
        ;
    free(m.chosen);
    free(m.own);
    free(m.nearest);
    free(m.next);
    free(m.without);
    free(m.change);
    return room ? WS_OK : ws_fail(WS_EMEM, "no memory for medoids of %zu rows", n);
}

/* ---------------------------------------------------------------- means
 *
 * Lloyd's iteration (1982) from starts drawn as k-means++ does (Arthur and Vassilvitskii 2007), then single rows to
 * other clusters as long as that lowers the sum of squares (Hartigan 1975); the start that ends with the least counts,
 * of equal ones the first. */

enum { STARTS = 100, MOST_ROUNDS = 200 };

typedef struct means {
    const ws_points *p;
    size_t k;
    gsl_rng *random;
    double *centre;  /* [k * columns] */
    double *nearest; /* [rows] squares */
    size_t *cluster, *size;
    size_t *best; /* [rows] clusters of the best start */
} means;

static const double *row_of(const means *m, size_t i)
{
    return m->p->point + i * m->p->columns;
}

static void set_centre(means *m, size_t c, size_t row)
{
    memcpy(m->centre + c * m->p->columns, row_of(m, row), m->p->columns * sizeof *m->centre);
}

/* A row with a chance that grows with the square of its distance to the centres so far; any, when all are at one. */
static size_t draw_row(means *m, double total)
{
    double left = gsl_rng_uniform(m->random) * total;
    if (!(total > 0))
        return gsl_rng_uniform_int(m->random, m->p->rows);
    size_t i = 0;
    while (i + 1 < m->p->rows && (left -= m->nearest[i]) >= 0)
        i++;
    return i;
}

static void start(means *m)
{
    for (size_t i = 0; i < m->p->rows; i++)
        m->nearest[i] = 1;
    double total = (double)m->p->rows;
    for (size_t c = 0; c < m->k; c++) {
        set_centre(m, c, draw_row(m, total));
        total = 0;
        for (size_t i = 0; i < m->p->rows; i++) {
            const double d = ws_distance_square(row_of(m, i), m->centre + c * m->p->columns, m->p->columns);
            m->nearest[i] = c && m->nearest[i] < d ? m->nearest[i] : d;
            total += m->nearest[i];
        }
    }
}

/* Rows to their nearest centres; a centre without rows gets the row that is farthest from its own and
 * not alone there. */
static bool assign(means *m)
{
    bool moved = false;
    memset(m->size, 0, m->k * sizeof *m->size);
    for (size_t i = 0; i < m->p->rows; i++) {
        size_t to = 0;
        for (size_t c = 0; c < m->k; c++) {
            const double d = ws_distance_square(row_of(m, i), m->centre + c * m->p->columns, m->p->columns);
            if (!c || d < m->nearest[i]) {
                m->nearest[i] = d;
                to = c;
            }
        }
        moved |= m->cluster[i] != to + 1;
        m->cluster[i] = to + 1;
        m->size[to]++;
    }
    for (size_t c = 0; c < m->k; c++) {
        size_t farthest = SIZE_MAX;
        for (size_t i = 0; !m->size[c] && i < m->p->rows; i++)
            if (m->size[m->cluster[i] - 1] > 1 && (farthest == SIZE_MAX || m->nearest[i] > m->nearest[farthest]))
                farthest = i;
        if (farthest == SIZE_MAX)
            continue;
        m->size[m->cluster[farthest] - 1]--;
        m->cluster[farthest] = c + 1;
        m->nearest[farthest] = 0;
        m->size[c] = 1;
        moved = true;
    }
    return moved;
}

static void find_centres(means *m)
{
    const size_t columns = m->p->columns;
    memset(m->centre, 0, m->k * columns * sizeof *m->centre);
    for (size_t i = 0; i < m->p->rows; i++)
        for (size_t j = 0; j < columns; j++)
            m->centre[(m->cluster[i] - 1) * columns + j] += row_of(m, i)[j] / (double)m->size[m->cluster[i] - 1];
}

/* What the sum of squares has of a row in a cluster of so many rows, whose centre moves as it comes (+1)
 * or goes (-1). */
static double share(const means *m, size_t row, size_t c, int change)
{
    const double n = (double)m->size[c];
    return n / (n + change) * ws_distance_square(row_of(m, row), m->centre + c * m->p->columns, m->p->columns);
}

static void move_row(means *m, size_t row, size_t from, size_t to)
{
    const double before = (double)m->size[from]--, after = (double)++m->size[to];
    for (size_t j = 0; j < m->p->columns; j++) {
        const double x = row_of(m, row)[j];
        double *const a = &m->centre[from * m->p->columns + j], *const b = &m->centre[to * m->p->columns + j];
        *a -= (x - *a) / (before - 1);
        *b += (x - *b) / after;
    }
    m->cluster[row] = to + 1;
}

/* Lets each row go where it lowers the sum most; false when none did. */
static bool improve(means *m)
{
    bool moved = false;
    for (size_t i = 0; i < m->p->rows; i++) {
        const size_t from = m->cluster[i] - 1;
        if (m->size[from] < 2)
            continue;
        const double left = share(m, i, from, -1);
        double least = left * (1 - 1e-12);
        size_t to = from;
        for (size_t c = 0; c < m->k; c++) {
            const double other = c == from ? INFINITY : share(m, i, c, 1);
            if (other < least) {
                least = other;
                to = c;
            }
        }
        if (to == from)
            continue;
        move_row(m, i, from, to);
        moved = true;
    }
    return moved;
}

static int find_means(means *m)
{
    double least = INFINITY;
    int status = WS_OK;
    for (int s = 0; s < STARTS && status == WS_OK; s++) {
        double sum;
        start(m);
        memset(m->cluster, 0, m->p->rows * sizeof *m->cluster);
        for (int round = 0; round < MOST_ROUNDS && assign(m); round++)
            find_centres(m);
        find_centres(m);
        for (int round = 0; round < MOST_ROUNDS && improve(m); round++)
            ;
        status = ws_within_squares(m->p->point, m->p->rows, m->p->columns, m->cluster, m->k, &sum);
        if (status == WS_OK && sum < least * (1 - 1e-12)) {
            least = sum;
            memcpy(m->best, m->cluster, m->p->rows * sizeof *m->best);
        }
    }
    return status;
}

int ws_choose_means(const ws_points *p, size_t k, size_t *cluster, size_t *member, double *weight)
{
    (void)weight;
    means m = {.p = p,
               .k = k,
               .random = gsl_rng_alloc(gsl_rng_mt19937),
               .centre = calloc(k * p->columns + 1, sizeof(double)),
               .nearest = calloc(p->rows, sizeof(double)),
               .cluster = calloc(p->rows, sizeof(size_t)),
               .best = cluster,
               .size = calloc(k, sizeof(size_t))};
    int status = m.random && m.centre && m.nearest && m.cluster && m.size
                     ? WS_OK
                     : ws_fail(WS_EMEM, "no memory for means of %zu rows", p->rows);
    if (status == WS_OK) {
        gsl_rng_set(m.random, p->seed);
        status = find_means(&m);
    }
    if (status == WS_OK)
        status = ws_representatives(p->point, p->rows, p->columns, m.best, k, member, NULL);
    if (m.random)
        gsl_rng_free(m.random);
    free(m.centre);
    free(m.nearest);
    free(m.cluster);
    free(m.size);
    return status;
}
