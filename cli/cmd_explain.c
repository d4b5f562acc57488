/* cmd_explain.c - `warpscape explain`: what does a column, or a rule of `summary`, mean? */
#include "cli/annotate/measure.h"
#include "cli/annotate/rule.h"
#include "cli/cli.h"
#include "base/options/option_rows.h"
#include "model/mechanism/occupancy/occupancy_table.h"
#include "model/mechanism/roofline/roofline_table.h"

#include "base/guess.h"
#include "metrics/metric_layout.h"
#include "metrics/performance.h"
#include "model/sim/sim_stats.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
    ws_rest names;
} request;

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (!r->names.count)
        argp_error(state, "which column or rule?");
}

static const ws_option_row option_rows[] = {WS_REST_OF_ARGUMENTS(request, names), {0}};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "NAME...",
    .doc = "Explains columns of `warpscape metrics' and `annotate', and rules of `summary': unit, group, definition, "
           "and whether they are exact.\vExample: warpscape explain simd_efficiency uncoalesced_loads",
};

enum { LONGEST = 64, MOST_WITH = 8 };

/* What is looked for, and what it may have been meant to be. */
typedef struct search {
    const char *name;
    ws_guess guess;
    char best[LONGEST];            /* a copy: tables of columns go */
    char with[MOST_WITH][LONGEST]; /* that have the name as a part, */
    size_t withs;                  /* ... so many, also more than that */
} search;

static void see_part(search *s, const char *column)
{
    if (!*s->name || !strstr(column, s->name))
        return;
    for (size_t i = 0; i < s->withs && i < MOST_WITH; i++)
        if (!strcmp(s->with[i], column))
            return;
    if (s->withs < MOST_WITH)
        snprintf(s->with[s->withs], LONGEST, "%s", column);
    s->withs++;
}

static bool is_called(search *s, const char *column)
{
    const size_t least = s->guess.least;
    ws_guess_see(&s->guess, column);
    see_part(s, column);
    if (s->guess.least < least)
        snprintf(s->best, sizeof s->best, "%s", column);
    return !strcmp(s->name, column);
}

static void print(const char *name, const char *unit, const char *group, const char *definition)
{
    printf("%s\n   unit: %s; group: %s\n   %s\n", name, unit && *unit ? unit : "none", group, definition);
}

/* The column of its family that has this value. */
static const ws_metric_column *column_of(const ws_metric *metric, size_t value)
{
    const ws_metric_column *c = metric->columns;
    for (; value >= (c->count ? c->count : 1); c++)
        value -= c->count ? c->count : 1;
    return c;
}

/* A column by its own name, or a row of them by the name that they share. */
static bool explain_set(search *s, const char *set)
{
    ws_layout layout;
    size_t n;
    bool found = false;
    const ws_metric *const *const metric = ws_metrics(&n);
    if (ws_layout_init(set, &layout))
        return false;
    for (size_t i = 0; i < layout.columns && !found; i++) {
        const ws_layout_column *const c = &layout.column[i];
        const ws_metric_column *const whole = column_of(metric[c->family], c->value);
        found = is_called(s, c->name) || is_called(s, whole->name);
        if (found)
            print(s->name, c->unit, c->group, whole->question);
    }
    ws_layout_fini(&layout);
    return found;
}

static bool explain_metric(search *s)
{
    return explain_set(s, NULL) || explain_set(s, "machines") || explain_set(s, "synchronization");
}

static bool explain_feature(search *s)
{
    for (size_t i = 0; ws_feature_at(i).name; i++) {
        const ws_feature f = ws_feature_at(i);
        if (!is_called(s, f.name))
            continue;
        print(f.name, f.unit, f.group, f.meaning);
        return true;
    }
    return false;
}

static bool explain_count(search *s)
{
    for (unsigned c = 0; c < WS_COUNTS; c++)
        if (is_called(s, ws_count_table[c].name)) {
            print(s->name, ws_count_table[c].unit, "annotate", ws_count_table[c].definition);
            return true;
        }
    return false;
}

static bool explain_measure(search *s)
{
    for (unsigned m = 0; m < WS_MEASURES; m++)
        if (is_called(s, ws_measure_table[m].name)) {
            print(s->name, ws_measure_table[m].unit, "annotate", ws_measure_table[m].definition);
            return true;
        }
    return false;
}

static bool explain_statistic(search *s)
{
    ws_sim_stat column;
    for (size_t i = 0; (column = ws_sim_stat_of_any(i)).name; i++)
        if (is_called(s, column.name)) {
            print(s->name, column.unit, "sim", column.meaning);
            return true;
        }
    return false;
}

static bool explain_roofline(search *s)
{
    for (const ws_roofline_column *c = ws_roofline_columns; c->name; c++)
        if (is_called(s, c->name)) {
            print(s->name, c->unit, "model roofline", c->meaning);
            return true;
        }
    return false;
}

static bool explain_occupancy(search *s)
{
    for (const ws_occupancy_column *c = ws_occupancy_columns; c->name; c++)
        if (is_called(s, c->name)) {
            print(s->name, c->unit, "model occupancy", c->meaning);
            return true;
        }
    return false;
}

static bool explain_rule(search *s)
{
    for (unsigned r = 0; r < WS_RULES; r++)
        if (is_called(s, ws_rule_table[r].name)) {
            printf("%s\n   a rule of `warpscape summary'; it uses %s\n   holds if: %s\n   try: %s\n", s->name,
                   ws_rule_table[r].column, ws_rule_table[r].definition, ws_rule_table[r].remedy);
            return true;
        }
    return false;
}

static int refuse(const search *s)
{
    char with[MOST_WITH * LONGEST + 64] = "";
    size_t n = 0;
    for (size_t i = 0; i < s->withs && i < MOST_WITH; i++)
        n += (size_t)snprintf(with + n, sizeof with - n, "%s%s", i ? ", " : "; names that contain it: ", s->with[i]);
    if (s->withs > MOST_WITH)
        snprintf(with + n, sizeof with - n, " and more");
    if (*s->best)
        return ws_fail(WS_ENOTFOUND, "there is no column or rule '%s'; did you mean '%s'?", s->name, s->best);
    return ws_fail(WS_ENOTFOUND, "there is no column or rule '%s'%s", s->name, with);
}

WS_COMMAND(explain)
{
    static bool (*const place[])(search * s) = {explain_metric,    explain_feature,  explain_count,     explain_measure,
                                                explain_statistic, explain_roofline, explain_occupancy, explain_rule};
    request r = {0};
    ws_options_parse(&options, argc, argv, &r);
    for (int i = 0; i < r.names.count; i++) {
        search s = {.name = r.names.argument[i], .guess = ws_guess_of(r.names.argument[i])};
        bool found = false;
        for (size_t p = 0; p < sizeof place / sizeof *place; p++)
            found = place[p](&s) || found;
        if (!found)
            return refuse(&s);
    }
    return WS_OK;
}
