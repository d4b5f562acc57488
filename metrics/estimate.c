/* estimate.c - weights of measured launches and bounds of what they say: see estimate.h. */
#include "metrics/estimate.h"

#include "base/status.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AUX = WS_ESTIMATE_AUX, NEWTON_STEPS = 50 };

static const double confidence = 0.95;
static const double most_moved = 8; /* a weight is moved by at most this factor; else fewer totals are met */

typedef struct slice {
    size_t launches;
    ptrdiff_t measured; /* launch, or -1 */
} slice;

/* A part of the launches that is estimated by itself. */
typedef struct stratum {
    size_t slices, first_slice;
    double spread;    /* sum of launches * (launches - 1) over slices */
    unsigned aux;     /* how many auxiliaries the weights meet */
    double mean[AUX]; /* of the auxiliaries over measured launches: they are used as z / mean */
} stratum;

struct ws_estimate {
    const ws_estimate_launch *launch;
    slice *slice;
    size_t slices;
    stratum *stratum;
    size_t strata;
};

/* ------------------------------------------------------------------------------------------------ linear equations */

/* What GSL's BLAS calls for an argument that is wrong; the one of its archive does not go into a shared library. */
void cblas_xerbla(int argument, const char *routine, const char *form, ...)
{
    (void)argument, (void)routine, (void)form;
    abort(); /* a mistake of ours, as in GSL's own */
}

void ws_estimate_decompose(ws_estimate_system *system, unsigned n, const double zz[AUX][AUX])
{
    static const double nothing = 1e-10;
    gsl_matrix_view factor = gsl_matrix_view_array(system->factor, n, n);
    gsl_permutation order = {n, system->order};
    for (unsigned i = 0; i < n; i++)
        system->scale[i] = zz[i][i] > 0 ? 1 / sqrt(zz[i][i]) : 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            gsl_matrix_set(&factor.matrix, i, j, zz[i][j] * system->scale[i] * system->scale[j]);
    gsl_linalg_pcholesky_decomp(&factor.matrix,
                                &order); /* largest remaining part first; behind the rank it is no number */
    system->n = n;
    system->rank = 0;
    while (system->rank < n && gsl_matrix_get(&factor.matrix, system->rank, system->rank) > nothing)
        system->rank++;
}

/* x: the solution for the right side b; directions in which the system says nothing get 0. */
static void solve(const ws_estimate_system *system, const double b[AUX], double x[AUX])
{
    const unsigned rank = system->rank;
    memset(x, 0, system->n * sizeof *x);
    if (!rank)
        return;
    double y[AUX];
    gsl_matrix_const_view factor = gsl_matrix_const_view_array_with_tda(system->factor, rank, rank, system->n);
    gsl_vector_view part = gsl_vector_view_array(y, rank);
    for (unsigned k = 0; k < rank; k++)
        y[k] = b[system->order[k]] * system->scale[system->order[k]];
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasUnit, &factor.matrix, &part.vector);
    for (unsigned k = 0; k < rank; k++)
        y[k] /= gsl_matrix_get(&factor.matrix, k, k);
    gsl_blas_dtrsv(CblasLower, CblasTrans, CblasUnit, &factor.matrix, &part.vector);
    for (unsigned k = 0; k < rank; k++)
        x[system->order[k]] = y[k] * system->scale[system->order[k]];
}

double ws_estimate_explained(const ws_estimate_system *system, const double *zv)
{
    double x[AUX], sum = 0;
    solve(system, zv, x);
    for (unsigned k = 0; k < system->n; k++)
        sum += x[k] * zv[k];
    return sum;
}

/* ------------------------------------------------------------------------------------------------ auxiliaries */

static void auxiliaries(const ws_estimate_launch *l, double z[AUX])
{
    z[0] = 1;
    z[1] = l->warp_instructions;
    z[2] = l->blocks;
    z[3] = l->thread_instructions;
}

/* As z / mean, and all but the first as distance from 1: numbers of one size that lean on each other little. */
static void scaled(const stratum *s, const ws_estimate_launch *l, double z[AUX])
{
    auxiliaries(l, z);
    for (unsigned k = 1; k < AUX; k++)
        z[k] = s->mean[k] > 0 ? z[k] / s->mean[k] - 1 : 0;
}

static void find_means(const ws_estimate *e, stratum *s)
{
    size_t n = 0;
    for (size_t b = 0; b < s->slices; b++) {
        const ptrdiff_t m = e->slice[s->first_slice + b].measured;
        double z[AUX];
        if (m < 0)
            continue;
        auxiliaries(&e->launch[m], z);
        for (unsigned k = 0; k < AUX; k++)
            s->mean[k] += z[k];
        n++;
    }
    for (unsigned k = 0; k < AUX && n; k++)
        s->mean[k] /= (double)n;
}

/* ------------------------------------------------------------------------------------------------ slices and strata */

/* Launch i begins a stratum or slice that launch i - 1 is not in. */
static bool other_stratum(const ws_estimate_launch *l, size_t i)
{
    return i == 0 || l[i].stratum != l[i - 1].stratum;
}

static int find_slices(ws_estimate *e, size_t n)
{
    const ws_estimate_launch *const l = e->launch;
    for (size_t i = 0; i < n; i++) {
        const bool fresh = other_stratum(l, i);
        if (fresh)
            e->stratum[e->strata++] = (stratum){.first_slice = e->slices};
        stratum *const s = &e->stratum[e->strata - 1];
        if (fresh || l[i].slice != l[i - 1].slice) {
            e->slice[e->slices++] = (slice){.measured = -1};
            s->slices++;
        }
        slice *const b = &e->slice[e->slices - 1];
        b->launches++;
        if (l[i].measured && b->measured >= 0)
            return ws_fail(WS_EINPUT, "slice %lld of stratum %lld has two measured launches", (long long)l[i].slice,
                           (long long)l[i].stratum);
        if (l[i].measured)
            b->measured = (ptrdiff_t)i;
    }
    return WS_OK;
}

/* The program ended within the last slice, before its turn to be measured: it goes with the slice before. */
static int join_last_slice(ws_estimate *e, stratum *s)
{
    slice *const last = &e->slice[s->first_slice + s->slices - 1];
    if (s->slices > 1 && last->measured < 0) {
        last[-1].launches += last->launches;
        s->slices--;
    }
    for (size_t b = 0; b < s->slices; b++) {
        const slice *const at = &e->slice[s->first_slice + b];
        if (at->measured < 0)
            return ws_fail(WS_EINPUT, "a slice of launches has none that was measured");
        s->spread += (double)at->launches * (double)(at->launches - 1);
    }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ weights */

/* Totals of the first `aux` auxiliaries over launches of slices with more than one, by weights d exp(lambda z) or
 * exactly. */
typedef struct balance {
    double total[AUX], jacobian[AUX][AUX];
} balance;

static double moved(const double lambda[AUX], const double z[AUX], unsigned aux)
{
    double exponent = 0;
    for (unsigned k = 0; k < aux; k++)
        exponent += lambda[k] * z[k];
    return exp(exponent);
}

static void weigh_up(const ws_estimate *e, const stratum *s, const double lambda[AUX], unsigned aux, balance *out)
{
    *out = (balance){.total = {0}};
    for (size_t b = 0; b < s->slices; b++) {
        const slice *const at = &e->slice[s->first_slice + b];
        double z[AUX];
        if (at->launches == 1)
            continue;
        scaled(s, &e->launch[at->measured], z);
        const double w = (double)at->launches * moved(lambda, z, aux);
        for (unsigned i = 0; i < aux; i++) {
            out->total[i] += w * z[i];
            for (unsigned j = 0; j < aux; j++)
                out->jacobian[i][j] += w * z[i] * z[j];
        }
    }
}

/* Newton's method for the totals; false when it does not get there with weights that are moved little. */
static bool calibrate(const ws_estimate *e, const stratum *s, const double wanted[AUX], unsigned aux,
                      double lambda[AUX])
{
    memset(lambda, 0, AUX * sizeof *lambda);
    for (int step = 0; step < NEWTON_STEPS; step++) {
        ws_estimate_system system;
        balance now;
        double off[AUX], move[AUX], largest = 0;
        weigh_up(e, s, lambda, aux, &now);
        for (unsigned k = 0; k < aux; k++) {
            off[k] = wanted[k] - now.total[k];
            largest = fmax(largest, fabs(off[k]));
        }
        if (largest <= 1e-9 * wanted[0])
            break;
        if (step == NEWTON_STEPS - 1)
            return false;
        ws_estimate_decompose(&system, aux, now.jacobian);
        solve(&system, off, move);
        for (unsigned k = 0; k < aux; k++) {
            lambda[k] += move[k];
            if (!(fabs(lambda[k]) < 100)) /* on its way to infinity */
                return false;
        }
    }
    for (size_t b = 0; b < s->slices; b++) {
        const slice *const at = &e->slice[s->first_slice + b];
        double z[AUX];
        if (at->launches == 1)
            continue;
        scaled(s, &e->launch[at->measured], z);
        const double factor = moved(lambda, z, aux);
        if (!(factor < most_moved && factor > 1 / most_moved))
            return false;
    }
    return true;
}

/* Launches i0..i1 are the stratum's. */
static void set_weights(const ws_estimate *e, stratum *s, ws_estimate_launch *launch, size_t i0, size_t i1)
{
    double wanted[AUX] = {0}, lambda[AUX];
    size_t drawn = 0;
    for (size_t i = i0; i < i1; i++) {
        double z[AUX];
        launch[i].weight = 0;
        scaled(s, &launch[i], z);
        for (unsigned k = 0; k < AUX; k++)
            wanted[k] += z[k];
    }
    for (size_t b = 0; b < s->slices; b++) {
        const slice *const at = &e->slice[s->first_slice + b];
        double z[AUX];
        drawn += at->launches > 1;
        if (at->launches > 1)
            continue;
        scaled(s, &launch[at->measured], z);
        for (unsigned k = 0; k < AUX; k++)
            wanted[k] -= z[k];
    }
    /* two measured launches for each total that is to be met */
    s->aux = drawn >= 2 * AUX ? AUX : drawn >= 2 ? (unsigned)(drawn / 2) + (drawn < 4) : 1;
    while (s->aux > 1 && !calibrate(e, s, wanted, s->aux, lambda))
        s->aux--;
    if (s->aux <= 1)
        memset(lambda, 0, sizeof lambda);
    for (size_t b = 0; b < s->slices; b++) {
        const slice *const at = &e->slice[s->first_slice + b];
        double z[AUX];
        scaled(s, &launch[at->measured], z);
        launch[at->measured].weight =
            at->launches == 1 ? 1 : (double)at->launches * (s->aux > 1 ? moved(lambda, z, s->aux) : 1);
    }
}

/* ------------------------------------------------------------------------------------------------ life */

static int compare(const void *a, const void *b)
{
    const ws_estimate_launch *const x = a, *const y = b;
    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    return x->slice < y->slice ? -1 : x->slice > y->slice;
}

static int work_out(ws_estimate *e, ws_estimate_launch *launch, size_t n)
{
    int status = find_slices(e, n);
    size_t end = 0;
    for (size_t h = 0; h < e->strata && !status; h++) {
        const size_t begin = end++;
        while (end < n && !other_stratum(launch, end))
            end++;
        stratum *const s = &e->stratum[h];
        status = join_last_slice(e, s);
        if (!status) {
            find_means(e, s);
            set_weights(e, s, launch, begin, end);
        }
    }
    return status;
}

int ws_estimate_create(ws_estimate_launch *launch, size_t n, ws_estimate **out)
{
    *out = NULL;
    ws_estimate *const e = calloc(1, sizeof *e);
    if (e) {
        e->launch = launch;
        e->slice = calloc(n + 1, sizeof *e->slice);
        e->stratum = calloc(n + 1, sizeof *e->stratum);
    }
    if (!e || !e->slice || !e->stratum) {
        ws_estimate_destroy(e);
        return ws_fail(WS_EMEM, "no memory for the sample");
    }
    qsort(launch, n, sizeof *launch, compare);
    const int status = work_out(e, launch, n);
    if (status)
        ws_estimate_destroy(e);
    else
        *out = e;
    return status;
}

void ws_estimate_destroy(ws_estimate *estimate)
{
    if (!estimate)
        return;
    free(estimate->slice);
    free(estimate->stratum);
    free(estimate);
}

/* ------------------------------------------------------------------------------------------------ bounds */

/* Variance of u around its regression on the stratum's auxiliaries; *freedom: its degrees of freedom, 0 when there
 * are none. */
static double residual_variance(const ws_estimate *e, const stratum *s, const double *u, double *freedom)
{
    double a[AUX][AUX] = {{0}}, b[AUX] = {0}, x[AUX], squares = 0;
    ws_estimate_system system;
    const size_t n = s->slices;
    unsigned aux = s->aux;
    while (aux > 1 && n < aux + 2)
        aux--;
    *freedom = n > aux ? (double)(n - aux) : 0;
    if (n <= aux)
        return INFINITY;
    for (size_t at = 0; at < n; at++) {
        const ptrdiff_t m = e->slice[s->first_slice + at].measured;
        double z[AUX];
        scaled(s, &e->launch[m], z);
        for (unsigned i = 0; i < aux; i++) {
            b[i] += z[i] * u[m];
            for (unsigned j = 0; j < aux; j++)
                a[i][j] += z[i] * z[j];
        }
    }
    ws_estimate_decompose(&system, aux, a);
    solve(&system, b, x);
    for (size_t at = 0; at < n; at++) {
        const ptrdiff_t m = e->slice[s->first_slice + at].measured;
        double z[AUX], residual = u[m];
        scaled(s, &e->launch[m], z);
        for (unsigned i = 0; i < aux; i++)
            residual -= x[i] * z[i];
        squares += residual * residual;
    }
    return squares / *freedom;
}

double ws_estimate_bound(const ws_estimate *estimate, const double *u)
{
    double sum = 0, spread_freedom = 0;
    for (size_t h = 0; h < estimate->strata; h++) {
        const stratum *const s = &estimate->stratum[h];
        double freedom;
        if (s->spread == 0)
            continue;
        const double variance = s->spread * residual_variance(estimate, s, u, &freedom);
        if (!isfinite(variance))
            return INFINITY;
        sum += variance;
        spread_freedom += variance * variance / freedom;
    }
    if (sum == 0)
        return 0;
    return gsl_cdf_tdist_Pinv(0.5 + confidence / 2, sum * sum / spread_freedom) * sqrt(sum);
}

double ws_estimate_scale(const char *unit, double value)
{
    static const double least_rate = 10;
    if (!strcmp(unit, "ratio") || !strcmp(unit, "fraction"))
        return fmax(1, fabs(value)); /* some ratios are no shares */
    return strcmp(unit, "1/kinstr") ? fabs(value) : fmax(fabs(value), least_rate);
}
