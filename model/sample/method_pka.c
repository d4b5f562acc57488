/* method_pka.c - Principal Kernel Selection: C. Avalos Baddouh, M. Khairy, R. Green, M. Payer, T. Rogers, "Principal
 * Kernel Analysis: A Tractable Methodology to Simulate Scaled GPU Workloads", MICRO 2021.
 *
 * k-means over standardised features of all launches, of whatever kernel; the first launch of each cluster stands for
 * it, with its size as weight. There k is the least that keeps the error of measured cycles small; nobody has measured
 * any here, so it is given. Principal components are left out: all of them together keep every distance. Centres begin
 * as in D. Arthur, S. Vassilvitskii, "k-means++: The Advantages of Careful Seeding", SODA 2007. */
#include "model/sample/sampling_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100, FINE = 1 << 30 };

typedef struct means {
    double *x, *centre; /* [launches][features], [count][features] */
    double *nearest;    /* [launches] squared distance to the centre */
    size_t *cluster, *size;
    size_t n, k, features;
} means;

static void means_fini(means *m)
{
    free(m->x);
    free(m->centre);
    free(m->nearest);
    free(m->cluster);
    free(m->size);
}

/* Features that nobody knows, or that do not vary, say nothing. */
static void standardise(const ws_sample_plan *p, means *m)
{
    for (size_t f = 0; f < m->features; f++) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < m->n; i++)
            mean += p->launch[i].feature[f] / (double)m->n;
        for (size_t i = 0; i < m->n; i++)
            squares += (p->launch[i].feature[f] - mean) * (p->launch[i].feature[f] - mean) / (double)m->n;
        for (size_t i = 0; i < m->n; i++)
            m->x[i * m->features + f] = squares > 0 ? (p->launch[i].feature[f] - mean) / sqrt(squares) : 0;
    }
}

static double distance(const means *m, size_t launch, const double *centre)
{
    double sum = 0;
    for (size_t f = 0; f < m->features; f++) {
        const double d = m->x[launch * m->features + f] - centre[f];
        sum += d * d;
    }
    return sum;
}

static void seed_centres(means *m, uint64_t *state)
{
    size_t next = sampling_draw(state, m->n);
    for (size_t k = 0; k < m->k; k++) {
        double all = 0;
        memcpy(m->centre + k * m->features, m->x + next * m->features, m->features * sizeof *m->x);
        for (size_t i = 0; i < m->n; i++) {
            const double d = distance(m, i, m->centre + k * m->features);
            m->nearest[i] = k ? fmin(m->nearest[i], d) : d;
            all += m->nearest[i];
        }
        double lot = all * ((double)sampling_draw(state, FINE) / FINE);
        for (next = 0; next + 1 < m->n && lot >= m->nearest[next]; next++)
            lot -= m->nearest[next];
    }
}

static bool assign(means *m)
{
    bool moved = false;
    for (size_t i = 0; i < m->n; i++) {
        size_t best = 0;
        double least = INFINITY;
        for (size_t k = 0; k < m->k; k++) {
            const double d = distance(m, i, m->centre + k * m->features);
            if (d < least) {
                least = d;
                best = k;
            }
        }
        moved = moved || m->cluster[i] != best;
        m->cluster[i] = best;
    }
    return moved;
}

/* A cluster without launches keeps its centre. */
static void move_centres(means *m)
{
    memset(m->size, 0, m->k * sizeof *m->size);
    for (size_t i = 0; i < m->n; i++)
        if (!m->size[m->cluster[i]]++)
            memset(m->centre + m->cluster[i] * m->features, 0, m->features * sizeof *m->centre);
    for (size_t i = 0; i < m->n; i++)
        for (size_t f = 0; f < m->features; f++)
            m->centre[m->cluster[i] * m->features + f] += m->x[i * m->features + f] / (double)m->size[m->cluster[i]];
}

static int take_clusters(ws_sample_plan *p, const means *m)
{
    size_t *const part = malloc(m->n * sizeof *part);
    int status = part ? WS_OK : ws_fail(WS_EMEM, "no memory for clusters of launches");
    for (size_t k = 0; k < m->k && !status; k++) {
        size_t n = 0;
        for (size_t i = 0; i < m->n; i++)
            if (m->cluster[i] == k)
                part[n++] = i;
        status = n ? sampling_add_stratum(p, part, n, n > 1 ? NAN : 0) : WS_OK;
        if (status || !n)
            continue;
        p->stratum[p->strata - 1].chosen = 1;
        p->launch[part[0]].weight = (double)n;
        p->launch[part[0]].reason = n == 1 ? "only" : "cluster";
    }
    free(part);
    return status;
}

int method_pka(ws_sample_plan *plan)
{
    means m = {.n = plan->launches, .k = plan->count, .features = plan->features};
    uint64_t state = plan->seed;
    m.x = calloc(m.n * m.features + 1, sizeof *m.x);
    m.centre = calloc(m.k * m.features + 1, sizeof *m.centre);
    m.nearest = calloc(m.n, sizeof *m.nearest);
    m.cluster = calloc(m.n, sizeof *m.cluster);
    m.size = calloc(m.k, sizeof *m.size);
    int status = m.x && m.centre && m.nearest && m.cluster && m.size
                     ? WS_OK
                     : ws_fail(WS_EMEM, "no memory for clusters of launches");
    if (!status) {
        standardise(plan, &m);
        seed_centres(&m, &state);
        for (int round = 0; round < ROUNDS && (assign(&m) || !round); round++)
            move_centres(&m);
        status = take_clusters(plan, &m);
    }
    means_fini(&m);
    return status;
}
