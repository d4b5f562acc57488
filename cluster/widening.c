/* widening.c - factor on Student's t for intervals, learned from machines where all rows are known.
 *
 * Outcomes of few workloads are heavy-tailed, so intervals by Student's t hold less often than they say. Each further
 * base takes the part of a new machine, of which only the members count. The factor is the quantile, at the
 * confidence, of |estimate - mean of all rows| over the half-width. */
#include "base/status.h"
#include "cluster/drawing.h"
#include "cluster/estimation_internal.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    size_t members;
    double factor;
} defaults[] = {
#define WIDEN(members, factor) {members, factor},
#include "cluster/widening.def"
#undef WIDEN
};
enum { DEFAULTS = sizeof defaults / sizeof *defaults };

double ws_estimation_widening(size_t members)
{
    if (members <= defaults[0].members)
        return defaults[0].factor;
    for (size_t i = 1; i < DEFAULTS; i++)
        if (members <= defaults[i].members) {
            const double part =
                (double)(members - defaults[i - 1].members) / (double)(defaults[i].members - defaults[i - 1].members);
            return defaults[i - 1].factor + part * (defaults[i].factor - defaults[i - 1].factor);
        }
    return defaults[DEFAULTS - 1].factor;
}

/* Errors that are smaller, relative to the half-width, are rounding. */
static const double NOTHING = 1e-12;

typedef struct trial { /* one interval on a machine where the mean is known */
    double ratio;      /* error over half-width; the interval holds if it is at most the factor */
    size_t to;         /* the base that takes the part of the new machine */
} trial;

typedef struct learning {
    const ws_estimating *w;
    trial *trial;
    size_t trials;
    double *value; /* [bases * outcomes * rows], rows in the order of base[0] */
    double *mean;  /* [bases * outcomes] */
} learning;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to learn intervals");
}

static int read_values(learning *l)
{
    const ws_estimation *const a = l->w->asked;
    const size_t rows = l->w->rows;
    l->value = calloc(a->bases * a->outcomes * rows + 1, sizeof *l->value);
    l->mean = calloc(a->bases * a->outcomes + 1, sizeof *l->mean);
    if (!l->value || !l->mean)
        return no_memory();
    for (size_t b = 0; b < a->bases; b++)
        for (size_t o = 0; o < a->outcomes; o++) {
            const size_t at = b * a->outcomes + o;
            for (size_t i = 0; i < rows; i++)
                l->value[at * rows + i] = ws_estimating_value(&a->base[b], l->w->row_of[b][i], a->outcome[o]);
            l->mean[at] = ws_estimating_mean(l->w, l->value + at * rows);
        }
    return WS_OK;
}

/* Every outcome of every further base, estimated from these members. */
static int try_members(learning *l, const ws_sample *sample, const size_t *member, double *x, double *y)
{
    const ws_estimation *const a = l->w->asked;
    const size_t rows = l->w->rows;
    for (size_t to = 1; to < a->bases; to++)
        for (size_t o = 0; o < a->outcomes; o++) {
            const size_t is = to * a->outcomes + o; /* and o on base[0] */
            for (size_t i = 0; i < sample->members; i++) {
                x[i] = l->value[o * rows + member[i]];
                y[i] = l->value[is * rows + member[i]];
            }
            ws_estimated e;
            const int rc = ws_estimate_one(a, sample, x, l->mean[o], y, &e);
            if (rc != WS_OK)
                return rc;
            const double error = fabs(e.interval.mean - l->mean[is]);
            const double half = ws_interval_half(&e.interval, a->confidence);
            l->trial[l->trials++] = (trial){error <= half * NOTHING ? 0 : error / half, to};
        }
    return WS_OK;
}

/* Chances of all rows in the draw of the members; false if the members had other chances. */
static bool redraws(const learning *l, double *chance, double *size)
{
    const ws_estimating *const w = l->w;
    const size_t rows = w->rows, outcomes = w->asked->outcomes;
    const double *const v = w->asked->importance;
    ws_frame *const frame = ws_frame_create(rows, outcomes, 1, NULL);
    bool same = frame != NULL;
    for (size_t o = 0; same && o < outcomes; o++)
        for (size_t i = 0; i < rows; i++)
            frame->value[i * outcomes + o] = l->value[o * rows + i];
    same = same && ws_draw_sizes(frame, w->asked->base[0].path, size) == WS_OK;
    for (size_t i = 0; same && v && i < rows; i++)
        size[i] *= v[i];
    same = same && ws_draw_chances(size, rows, w->subset.size, NULL, NULL, chance) == WS_OK;
    for (size_t i = 0; same && i < w->subset.size; i++)
        same = fabs(chance[w->member[i]] - w->chance[i]) <= 1e-4 * w->chance[i];
    ws_frame_destroy(frame);
    return same;
}

static int draw(learning *l, const double *chance, double *room)
{
    const ws_estimating *const w = l->w;
    const size_t rows = w->rows;
    size_t *const order = calloc(2 * rows + 1, sizeof *order), *const member = order + rows;
    double *const weight = room, *const p = room + rows, *const x = room + 2 * rows, *const y = room + 3 * rows,
                  *const share = room + 4 * rows;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    int rc = order && rng ? WS_OK : no_memory();
    if (rng)
        gsl_rng_set(rng, (unsigned long)w->asked->seed);
    for (size_t d = 0; rc == WS_OK && d < w->asked->draws; d++) {
        const size_t n = ws_draw_members(rng, chance, rows, order, member);
        for (size_t i = 0; i < n; i++) {
            p[i] = chance[member[i]];
            weight[i] = w->share[member[i]] / p[i];
            share[i] = w->share[member[i]];
        }
        const ws_sample sample = {.members = n,
                                  .rows = rows,
                                  .weight = weight,
                                  .share = w->sample.share ? share : NULL,
                                  .shares = w->sample.shares,
                                  .chance = p};
        rc = try_members(l, &sample, member, x, y);
    }
    free(order);
    if (rng)
        gsl_rng_free(rng);
    return rc;
}

/* The quantile of the trials without those on one base (or of all), at least 1. Of k trials it is the
 * ceil((k + 1) confidence)-th, so that another one like them is below it with that probability; the largest if there
 * are too few. */
static double quantile(const learning *l, size_t without, double *sorted)
{
    size_t k = 0;
    for (size_t t = 0; t < l->trials; t++)
        if (l->trial[t].to != without)
            sorted[k++] = l->trial[t].ratio;
    gsl_sort(sorted, 1, k);
    const size_t at = (size_t)ceil((double)(k + 1) * l->w->asked->confidence);
    return k ? fmax(1, sorted[(at < k ? at : k) - 1]) : 1;
}

/* The share of intervals that hold on a base that the factor was not learned from, over all such bases. */
static double held_out(const learning *l, double *sorted)
{
    size_t held = 0, all = 0;
    for (size_t b = 1; b < l->w->asked->bases; b++) {
        const double factor = quantile(l, b, sorted);
        for (size_t t = 0; t < l->trials; t++)
            if (l->trial[t].to == b) {
                held += l->trial[t].ratio <= factor;
                all++;
            }
    }
    return (double)held / (double)all;
}

static int note_learned(const learning *l, bool drawn, double factor, double *sorted, ws_frame *frame)
{
    const ws_estimation *const a = l->w->asked;
    char who[64] = "the same members";
    if (drawn)
        snprintf(who, sizeof who, "%zu draws of members", a->draws);
    int rc = ws_frame_note(frame, "interval: %g %%, Student's t widened by %.3g, learned from %s on %zu further base%s",
                           100 * a->confidence, factor, who, a->bases - 1, a->bases == 2 ? "" : "s");
    if (rc == WS_OK && a->bases > 2)
        rc = ws_frame_note(frame, "held out: on a base that the factor is not learned from, %.1f %% of intervals hold",
                           100 * held_out(l, sorted));
    if (rc == WS_OK && (double)(l->trials + 1) * (1 - a->confidence) < 1)
        rc = ws_frame_note(frame,
                           "caution: %zu trial%s on the bases %s too few for a confidence of %g %%: the widest of them "
                           "is taken; give more bases",
                           l->trials, l->trials == 1 ? "" : "s", l->trials == 1 ? "is" : "are", 100 * a->confidence);
    return rc;
}

static int learn(const ws_estimating *w, double *factor, ws_frame *frame)
{
    const ws_estimation *const a = w->asked;
    const size_t most = (a->bases - 1) * a->outcomes * (w->chance ? a->draws : 1);
    learning l = {.w = w, .trial = calloc(most + 1, sizeof *l.trial)};
    const size_t wide = w->rows > w->subset.size ? w->rows : w->subset.size;
    double *const room = calloc(5 * wide + 1, sizeof *room), *const sorted = calloc(most + 1, sizeof *sorted);
    bool drawn = false;
    int rc = l.trial && room && sorted ? read_values(&l) : no_memory();
    if (rc == WS_OK && w->chance) {
        double *const chance = calloc(2 * w->rows + 1, sizeof *chance);
        drawn = chance && redraws(&l, chance, chance + w->rows);
        if (drawn)
            rc = draw(&l, chance, room);
        free(chance);
    }
    if (rc == WS_OK && !drawn)
        rc = try_members(&l, &w->sample, w->member, room, room + wide);
    if (rc == WS_OK) {
        *factor = quantile(&l, SIZE_MAX, sorted);
        rc = note_learned(&l, drawn, *factor, sorted, frame);
    }
    free(sorted);
    free(room);
    free(l.trial);
    free(l.value);
    free(l.mean);
    return rc;
}

int ws_estimating_widen(const ws_estimating *w, double *factor, ws_frame *frame)
{
    const ws_estimation *const a = w->asked;
    if (a->widening > 0) {
        *factor = a->widening;
        return ws_frame_note(frame, "interval: %g %%, Student's t widened by %g, as asked", 100 * a->confidence,
                             *factor);
    }
    if (a->bases > 1)
        return learn(w, factor, frame);
    *factor = ws_estimation_widening(w->subset.size);
    const int rc = ws_frame_note(frame,
                                 "interval: %g %%, Student's t widened by %.3g, the default for %zu members "
                                 "(docs/estimates.md); further bases give a measured factor",
                                 100 * a->confidence, *factor, w->subset.size);
    if (rc == WS_OK && w->subset.size < defaults[0].members)
        return ws_frame_note(frame, "caution: fewer than %zu members: no interval was measured for so few",
                             defaults[0].members);
    return rc;
}
