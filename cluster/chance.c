/* chance.c - how wrong are subsets that nobody chose? */
#include "cluster/judging.h"

#include "base/status.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static int no_memory(const char *name)
{
    return ws_fail(WS_EMEM, "%s: no memory to judge subsets", name);
}

void ws_chance_fini(ws_chance *c)
{
    for (int kind = 0; kind < WS_JUDGED_KINDS; kind++)
        free(c->of[kind]);
    *c = (ws_chance){0};
}

/* row[parts * names]: where each name stands in each part, of names that all parts have. */
static int find_common(const ws_judging *w, size_t **out, size_t *names)
{
    size_t *const row = calloc(w->part[0].rows * w->parts + 1, sizeof *row);
    *names = 0;
    if (!row)
        return no_memory(w->name);
    for (size_t i = 0; i < w->index.rows; i++) {
        const size_t at = w->index.order[i];
        bool common = w->part_of[at] == 0;
        for (size_t p = 0; common && p < w->parts; p++)
            common = ws_judging_has_row(w, p, w->index.name[at], &row[*names * w->parts + p]);
        *names += common;
    }
    *out = row;
    return WS_OK;
}

/* A subset drawn without replacement, judged in all parts. */
static int draw(const ws_judging *w, gsl_rng *rng, const size_t *common, size_t *name, size_t names, size_t draw_number,
                ws_judged *room, ws_chance *c)
{
    int rc = WS_OK;
    size_t *const row = name + names;
    gsl_ran_shuffle(rng, name, names, sizeof *name);
    c->of[WS_LEVELS][draw_number] = c->of[WS_CHANGES][draw_number] = 0;
    for (size_t p = 0; rc == WS_OK && p < w->parts; p++) {
        for (size_t m = 0; m < c->size; m++)
            row[m] = common[name[m] * w->parts + p];
        rc = ws_judging_errors_of_rows(w, p, row, NULL, c->size, room);
        c->of[WS_LEVELS][draw_number] += ws_judging_average(w, room, false) / (double)w->parts;
        if (w->changes)
            c->of[WS_CHANGES][draw_number] += ws_judging_average(w, room, true) / (double)w->parts;
    }
    return rc;
}

int ws_chance_init(const ws_judging *w, size_t size, ws_chance *c)
{
    const size_t draws = w->evaluation->random;
    size_t *common = NULL, names = 0, *name = NULL;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    ws_judged *const room = calloc(w->metrics->columns, sizeof *room);
    *c = (ws_chance){size, draws, {calloc(draws, sizeof(double)), calloc(draws, sizeof(double))}};
    int rc =
        rng && room && c->of[WS_LEVELS] && c->of[WS_CHANGES] ? find_common(w, &common, &names) : no_memory(w->name);
    if (rc == WS_OK && names < size)
        rc = ws_fail(WS_EINPUT, "%s: expected at least %zu rows that every part has, to draw subsets from, found %zu",
                     w->name, size, names);
    if (rc == WS_OK) {
        name = calloc(2 * names, sizeof *name);
        rc = name ? WS_OK : no_memory(w->name);
    }
    if (rc == WS_OK) {
        gsl_rng_set(rng, w->evaluation->seed);
        for (size_t i = 0; i < names; i++)
            name[i] = i;
        for (size_t d = 0; rc == WS_OK && d < draws; d++)
            rc = draw(w, rng, common, name, names, d, room, c);
        for (int kind = 0; kind < WS_JUDGED_KINDS; kind++)
            gsl_sort(c->of[kind], 1, draws);
    }
    free(name);
    free(common);
    free(room);
    if (rng)
        gsl_rng_free(rng);
    return rc;
}

void ws_chance_compare(const ws_chance *c, int kind, double error, double *value)
{
    double below = 0, mean = 0;
    for (size_t d = 0; d < c->draws; d++) {
        const double other = c->of[kind][d];
        below += other < error ? 100 : other == error ? 50 : 0;
        mean += other / (double)c->draws;
    }
    value[0] = isnan(error) ? NAN : below / (double)c->draws;
    value[1] = mean;
    value[2] = gsl_stats_quantile_from_sorted_data(c->of[kind], 1, c->draws, 0.1);
    value[3] = gsl_stats_quantile_from_sorted_data(c->of[kind], 1, c->draws, 0.9);
}
