/* sampler.c - strata of launches, slices that grow, and lots: see sampler.h. */
#include "metrics/sampler.h"

#include "base/grow.h"
#include "base/mix.h"
#include "base/status.h"
#include "metrics/estimate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AUX = WS_ESTIMATE_AUX,
    FIRST = 4,       /* launches of a stratum that are measured before anything is left out */
    SLICE_SHARE = 4, /* a slice is at most this part of the launches before it, so that there are many of them */
    SLICE_MOST = 4096
};

static const double confidence = 0.95;
static const double strange = 1.5; /* instructions beyond the measured range by this factor */
/* Columns that may miss the tolerance: some count events so rare that only measuring everything would catch them. */
static const double columns_left = 0.05;

typedef struct stratum {
    char *kernel;
    uint32_t block[3], dynamic_shared;
    unsigned octave;
    uint64_t launches, measured;
    uint64_t slice, slice_launches, slice_seen,
        lot;                          /* the slice in work: its number, size, launches so far, which to measure */
    bool surprised;                   /* a launch of the slice was unlike all measured ones */
    double spread;                    /* sum of n (n - 1) over slices */
    double warp_least, warp_most;     /* of measured launches */
    double warp_total;                /* of all launches */
    double origin[AUX], zz[AUX][AUX]; /* auxiliaries of the first launch, and products of distances from them */
    double *first, *sum, *square,
        *zv; /* [columns], [columns], [columns], [columns][AUX]: distances from the first launch */
} stratum;

struct ws_sampler {
    double tolerance, warp_total;
    uint64_t seed;
    const ws_collector *collector;
    size_t families, columns;
    const char **unit; /* [columns] */
    double *value;     /* [columns] of one launch */
    double *need;      /* [columns] scratch */
    stratum *stratum;
    size_t strata, room;
    stratum *now; /* of the launch that was chosen or not; NULL: none */
    bool measure;
    double blocks;
};

/* ------------------------------------------------------------------------------------------------ life */

static int fill_units(ws_sampler *s)
{
    size_t at = 0;
    s->unit = calloc(s->columns + 1, sizeof *s->unit);
    s->value = calloc(s->columns + 1, sizeof *s->value);
    s->need = calloc(s->columns + 1, sizeof *s->need);
    if (!s->unit || !s->value || !s->need)
        return ws_fail(WS_EMEM, "no memory for the sampler");
    for (size_t i = 0; i < s->families; i++)
        for (const ws_metric_column *c = ws_collector_metric(s->collector, i)->columns; c->name; c++)
            for (unsigned k = 0; k < (c->count ? c->count : 1); k++)
                s->unit[at++] = c->histogram ? WS_UNIT_FRACTION : c->unit;
    return WS_OK;
}

int ws_sampler_create(double tolerance, uint64_t seed, const ws_collector *collector, ws_sampler **out)
{
    *out = NULL;
    ws_sampler *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for the sampler");
    s->tolerance = tolerance;
    s->seed = seed;
    s->collector = collector;
    ws_collector_sinks(collector, &s->families);
    for (size_t i = 0; i < s->families; i++)
        s->columns += ws_metric_columns(ws_collector_metric(collector, i));
    const int status = fill_units(s);
    if (status)
        ws_sampler_destroy(s);
    else
        *out = s;
    return status;
}

void ws_sampler_destroy(ws_sampler *sampler)
{
    if (!sampler)
        return;
    for (size_t i = 0; i < sampler->strata; i++) {
        free(sampler->stratum[i].kernel);
        free(sampler->stratum[i].first);
    }
    free(sampler->stratum);
    free(sampler->unit);
    free(sampler->value);
    free(sampler->need);
    free(sampler);
}

/* ------------------------------------------------------------------------------------------------ strata */

static unsigned octave_of(uint64_t blocks)
{
    return blocks ? 63 - (unsigned)__builtin_clzll(blocks) : 0;
}

static bool is_of(const stratum *h, const ws_sampler_launch *l)
{
    return h->octave == octave_of(l->blocks) && h->dynamic_shared == l->dynamic_shared &&
           !memcmp(h->block, l->block, sizeof h->block) && !strcmp(h->kernel, l->kernel);
}

static int add_stratum(ws_sampler *s, const ws_sampler_launch *l)
{
    if (WS_GROW(s->stratum, s->room, s->strata, 1))
        return ws_fail(WS_EMEM, "no memory for the sampler");
    stratum *const h = &s->stratum[s->strata];
    *h = (stratum){.kernel = strdup(l->kernel), .dynamic_shared = l->dynamic_shared, .octave = octave_of(l->blocks)};
    memcpy(h->block, l->block, sizeof h->block);
    h->first = calloc(s->columns * (3 + AUX) + 1, sizeof *h->first);
    if (!h->kernel || !h->first) {
        free(h->kernel);
        free(h->first);
        return ws_fail(WS_EMEM, "no memory for the sampler");
    }
    h->sum = h->first + s->columns;
    h->square = h->sum + s->columns;
    h->zv = h->square + s->columns;
    h->slice_launches = 1;
    s->strata++;
    return WS_OK;
}

int ws_sampler_choose(ws_sampler *s, const ws_sampler_launch *launch, ws_sampler_choice *choice)
{
    size_t i = 0;
    while (i < s->strata && !is_of(&s->stratum[i], launch))
        i++;
    if (i == s->strata) {
        const int status = add_stratum(s, launch);
        if (status)
            return status;
    }
    stratum *const h = &s->stratum[i];
    s->now = h;
    s->blocks = (double)launch->blocks;
    s->measure = h->slice_seen == h->lot;
    *choice = (ws_sampler_choice){.measure = s->measure, .stratum = (int64_t)i, .slice = (int64_t)h->slice};
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ what was seen */

static void auxiliaries(const ws_sampler *s, double warp, double thread, double z[AUX])
{
    z[0] = 1;
    z[1] = warp;
    z[2] = s->blocks;
    z[3] = thread;
}

/* The columns of the launch that the collector holds. */
static void emit_all(const ws_sampler *s)
{
    double *to = s->value;
    for (size_t i = 0; i < s->families; i++) {
        const ws_metric *const m = ws_collector_metric(s->collector, i);
        m->emit(ws_collector_counters(s->collector, i), to);
        ws_metric_make_fractions(m, to); /* what a bound of a bin is part of */
        to += ws_metric_columns(m);
    }
}

/* Adds a measured launch to the sums of its stratum. */
static void learn(const ws_sampler *s, stratum *h, double warp, double thread)
{
    double z[AUX];
    auxiliaries(s, warp, thread, z);
    emit_all(s);
    if (!h->measured) {
        memcpy(h->origin, z, sizeof z);
        memcpy(h->first, s->value, s->columns * sizeof *h->first);
    }
    for (unsigned k = 1; k < AUX; k++) /* in parts of the first launch's, so that all have one size */
        z[k] = h->origin[k] > 0 ? z[k] / h->origin[k] - 1 : 0;
    for (unsigned i = 0; i < AUX; i++)
        for (unsigned j = 0; j < AUX; j++)
            h->zz[i][j] += z[i] * z[j];
    for (size_t c = 0; c < s->columns; c++) {
        const double v = s->value[c] - h->first[c];
        h->sum[c] += v;
        h->square[c] += v * v;
        for (unsigned k = 0; k < AUX; k++)
            h->zv[c * AUX + k] += v * z[k];
    }
    h->warp_least = h->measured ? fmin(h->warp_least, warp) : warp;
    h->warp_most = h->measured ? fmax(h->warp_most, warp) : warp;
    h->measured++;
}

/* ----------------------------------------------------------------------------------------------- how much is needed */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Residual deviation of a column over the deviation that is tolerated, for a mean of one launch. */
static double column_need(const ws_sampler *s, const stratum *h, const ws_estimate_system *system, size_t c,
                          double tolerance)
{
    double residual = h->square[c] - ws_estimate_explained(system, h->zv + c * AUX);
    const double freedom = (double)h->measured - system->rank;
    const double scale = ws_estimate_scale(s->unit[c], h->first[c] + h->sum[c] / (double)h->measured);
    if (!isfinite(residual))
        return 0;                         /* undefined for a launch: nothing to hold a tolerance against */
    if (residual <= 1e-12 * h->square[c]) /* rounding */
        return 0;
    return scale > 0 ? sqrt(residual / freedom) / (tolerance * scale) : INFINITY;
}

/* The same for all columns but the few worst. */
static double worst_need(const ws_sampler *s, const stratum *h, double *t)
{
    ws_estimate_system system;
    ws_estimate_decompose(&system, h->measured > AUX + 1 ? AUX : 1, h->zz);
    const double freedom = (double)h->measured - system.rank;
    const double share = s->warp_total > 0 ? h->warp_total / s->warp_total : 1;
    *t = gsl_cdf_tdist_Pinv(0.5 + confidence / 2, freedom);
    for (size_t c = 0; c < s->columns; c++)
        s->need[c] = column_need(s, h, &system, c, s->tolerance / sqrt(share));
    qsort(s->need, s->columns, sizeof *s->need, compare_doubles);
    const size_t at = (size_t)((1 - columns_left) * (double)s->columns);
    return s->columns ? s->need[at < s->columns ? at : s->columns - 1] : 0;
}

/* How many launches the next slice may have: as many as leave t deviations of all slices' error within the
 * tolerance. */
static uint64_t next_size(const ws_sampler *s, const stratum *h)
{
    double t, n = 1;
    if (h->measured < FIRST)
        return 1;
    const double need = worst_need(s, h, &t), launches = (double)h->launches;
    uint64_t most = h->launches / SLICE_SHARE;
    most = most < SLICE_MOST ? most : SLICE_MOST;
    while (n + 1 <= (double)most && t * need * sqrt(h->spread + (n + 1) * n) <= launches + n + 1)
        n++;
    return (uint64_t)n;
}

/* A number below n from the seed, the stratum and the slice. */
static uint64_t draw(const ws_sampler *s, const stratum *h, uint64_t n)
{
    const uint64_t x = s->seed * WS_MIX_STEP + (uint64_t)(h - s->stratum) * 0xd1b54a32d192ed03u + h->slice;
    return (uint64_t)(((__uint128_t)ws_hash(x) * n) >> 64);
}

static void begin_slice(const ws_sampler *s, stratum *h)
{
    h->spread += (double)h->slice_launches * (double)(h->slice_launches - 1);
    h->slice++;
    h->slice_seen = 0;
    h->slice_launches = h->surprised ? 1 : next_size(s, h);
    h->surprised = false;
    h->lot = draw(s, h, h->slice_launches);
}

int ws_sampler_ran(ws_sampler *s, uint64_t warp_instructions, uint64_t thread_instructions)
{
    stratum *const h = s->now;
    const double warp = (double)warp_instructions;
    if (!h)
        return WS_OK;
    s->now = NULL;
    h->launches++;
    h->warp_total += warp;
    s->warp_total += warp;
    if (s->measure)
        learn(s, h, warp, (double)thread_instructions);
    const bool surprised =
        !s->measure && h->measured && (warp > strange * h->warp_most || warp * strange < h->warp_least);
    h->slice_seen++;
    h->surprised = h->surprised || surprised;
    if (h->slice_seen == h->slice_launches)
        begin_slice(s, h);
    return WS_OK;
}
