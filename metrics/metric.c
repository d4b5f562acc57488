/* metric.c - which metric families are there, and how large are their tables? */
#include "metrics/metric.h"

#include "metrics/study_metrics.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define METRIC(name) extern const ws_metric ws_metric_##name;
#include "metrics/metrics.def"
#undef METRIC

const ws_metric *const *ws_metrics(size_t *n)
{
    static const ws_metric *const all[] = {
#define METRIC(name) &ws_metric_##name,
#include "metrics/metrics.def"
#undef METRIC
        NULL,
    };
    *n = sizeof all / sizeof all[0] - 1;
    return all;
}

static unsigned width(unsigned count)
{
    return count ? count : 1;
}

size_t ws_metric_counters(const ws_metric *metric)
{
    size_t n = 0;
    for (const ws_counter *c = metric->counters; c->name; c++)
        n += width(c->count);
    return n;
}

size_t ws_metric_columns(const ws_metric *metric)
{
    size_t n = 0;
    for (const ws_metric_column *c = metric->columns; c->name; c++)
        n += width(c->count);
    return n;
}

static double combined(ws_combine how, double a, double b)
{
    switch (how) {
    case WS_MAX:
        return fmax(a, b); /* fmax and fmin give the other operand for a NaN */
    case WS_MIN:
        return fmin(a, b);
    case WS_SUM:
    default:
        return a + b;
    }
}

void ws_metric_combine(const ws_metric *metric, double *into, const double *from)
{
    for (const ws_counter *c = metric->counters; c->name; c++)
        for (unsigned i = 0; i < width(c->count); i++, into++, from++)
            *into = combined(c->combine, *into, *from);
}

bool ws_metric_is_known(const ws_counter *counter)
{
    return strcmp(counter->name, WS_COUNTER_H2D) == 0 || strcmp(counter->name, WS_COUNTER_D2H) == 0;
}

void ws_metric_make_fractions(const ws_metric *metric, double *value)
{
    for (const ws_metric_column *c = metric->columns; c->name; value += c->count ? c->count : 1, c++) {
        double all = 0;
        if (!c->histogram)
            continue;
        for (unsigned i = 0; i < c->count; i++)
            all += value[i];
        for (unsigned i = 0; i < c->count; i++)
            value[i] = all != 0 ? value[i] / all : 0; /* NaN stays NaN */
    }
}

void ws_metric_weigh(const ws_metric *metric, double *counter, double weight)
{
    for (const ws_counter *c = metric->counters; c->name; c++)
        for (unsigned i = 0; i < width(c->count); i++, counter++)
            if (c->combine == WS_SUM && !ws_metric_is_known(c))
                *counter *= weight;
}
