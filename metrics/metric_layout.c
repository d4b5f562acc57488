/* metric_layout.c - in which order do the columns of a set stand? */
#include "metrics/metric_layout.h"

#include "base/status.h"
#include "metrics/performance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ws_metric_in_set(const ws_metric *metric, const char *set, bool *wanted)
{
    static const char *const sets[] = {"study", "modern", "all", "machines", "synchronization", WS_SET_PERFORMANCE};
    bool known = !set;
    for (size_t i = 0; set && i < sizeof sets / sizeof sets[0]; i++)
        known |= strcmp(set, sets[i]) == 0;
    if (!known)
        return ws_fail(WS_EINPUT,
                       "no metric set is called `%s`: use study, modern, all, machines, synchronization or performance",
                       set);
    /* What only the check of the study asks for is in no other set; it needs the study's numbers beside it. `all` is
     * what is measured where nobody asks: families that cost more, or say nothing of most programs, have sets of their
     * own. */
    const bool of_check = strcmp(metric->set, "machines") == 0, study = strcmp(metric->set, "study") == 0;
    const bool of_all = study || strcmp(metric->set, "modern") == 0;
    if (set && strcmp(set, "machines") == 0)
        *wanted = of_check || study;
    else if (set && strcmp(set, WS_SET_PERFORMANCE) == 0)
        *wanted = ws_performance_needs(metric);
    else
        *wanted = set && strcmp(set, "all") != 0 ? strcmp(set, metric->set) == 0 : of_all;
    return WS_OK;
}

static void add_family(ws_layout *layout, const ws_metric *metric, size_t family)
{
    size_t value = 0;
    for (const ws_metric_column *c = metric->columns; c->name; c++)
        for (unsigned bin = 0; bin < (c->count ? c->count : 1); bin++, value++) {
            ws_layout_column *const out = &layout->column[layout->columns++];
            out->family = family;
            out->value = value;
            out->unit = c->unit;
            out->group = c->group;
            out->histogram = c->histogram;
            out->brief = c->brief;
            out->index = c->index ? c->index + bin : 0;
            if (c->count > 1)
                snprintf(out->name, sizeof out->name, "%s_%u", c->name, bin);
            else
                snprintf(out->name, sizeof out->name, "%s", c->name);
        }
}

/* Dimensions by number, then everything else as it came. */
static int compare(const void *a, const void *b)
{
    const ws_layout_column *const x = a, *const y = b;
    const unsigned ix = x->index ? x->index : UINT32_MAX, iy = y->index ? y->index : UINT32_MAX;
    if (ix != iy)
        return ix < iy ? -1 : 1;
    if (x->family != y->family)
        return x->family < y->family ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

int ws_layout_init(const char *set, ws_layout *layout)
{
    size_t families, columns = 0;
    const ws_metric *const *const all = ws_metrics(&families);
    *layout = (ws_layout){0};
    for (size_t i = 0; i < families; i++)
        columns += ws_metric_columns(all[i]);
    layout->column = calloc(columns + 1, sizeof *layout->column);
    if (!layout->column)
        return ws_fail(WS_EMEM, "no memory for %zu columns", columns);
    for (size_t i = 0; i < families; i++) {
        bool wanted;
        const int status = ws_metric_in_set(all[i], set, &wanted);
        if (status != WS_OK) {
            ws_layout_fini(layout);
            return status;
        }
        if (wanted)
            add_family(layout, all[i], i);
    }
    if (layout->columns)
        qsort(layout->column, layout->columns, sizeof *layout->column, compare);
    return WS_OK;
}

void ws_layout_fini(ws_layout *layout)
{
    free(layout->column);
    *layout = (ws_layout){0};
}
