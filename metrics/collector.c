/* collector.c - which families listen to a launch, and what did they count? */
#include "metrics/collector.h"

#include "base/status.h"
#include "metrics/metric_layout.h"

#include <stdlib.h>
#include <string.h>

struct ws_collector {
    size_t n;
    const ws_metric **metric; /* [n] */
    const ws_sink **sink;     /* [n] */
    ws_sink *attached;        /* [n] copies of sinks of families that remember, with their memory as context */
    void **memory;            /* [n] NULL: it remembers nothing */
    double **counter;         /* [n] */
    void *profile;            /* of the last launch; NULL: none */
    size_t profile_length;
    const ws_bytes *code, *counts; /* of the last launch; NULL: nobody looked */
};

static int add_family(ws_collector *collector, const ws_metric *metric)
{
    double *const counter = calloc(ws_metric_counters(metric) + 1, sizeof *counter);
    void *const memory = metric->memory_size ? calloc(1, metric->memory_size) : NULL;
    if (!counter || (metric->memory_size && !memory)) {
        free(counter);
        free(memory);
        return ws_fail(WS_EMEM, "no memory for the counters of %s", metric->sink.name);
    }
    ws_sink *const attached = &collector->attached[collector->n];
    *attached = metric->sink;
    attached->context = memory;
    collector->metric[collector->n] = metric;
    collector->sink[collector->n] = memory ? attached : &metric->sink;
    collector->memory[collector->n] = memory;
    collector->counter[collector->n++] = counter;
    return WS_OK;
}

static void drop_family(ws_collector *c, size_t i)
{
    if (c->memory[i] && c->metric[i]->forget)
        c->metric[i]->forget(c->memory[i]);
    free(c->memory[i]);
    free(c->counter[i]);
}

int ws_collector_create(const char *set, ws_collector **out)
{
    size_t n;
    const ws_metric *const *const all = ws_metrics(&n);
    int status = WS_OK;
    *out = NULL;
    ws_collector *const c = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "no memory for the metrics");
    c->metric = calloc(n + 1, sizeof *c->metric);
    c->sink = calloc(n + 1, sizeof *c->sink);
    c->counter = calloc(n + 1, sizeof *c->counter);
    c->attached = calloc(n + 1, sizeof *c->attached);
    c->memory = calloc(n + 1, sizeof *c->memory);
    if (!c->metric || !c->sink || !c->counter || !c->attached || !c->memory)
        status = ws_fail(WS_EMEM, "no memory for the metrics");
    for (size_t i = 0; i < n && status == WS_OK; i++) {
        bool wanted = false;
        status = ws_metric_in_set(all[i], set, &wanted);
        if (wanted)
            status = add_family(c, all[i]);
    }
    if (status != WS_OK) {
        ws_collector_destroy(c);
        return status;
    }
    *out = c;
    return WS_OK;
}

void ws_collector_destroy(ws_collector *collector)
{
    if (!collector)
        return;
    for (size_t i = 0; i < collector->n; i++)
        drop_family(collector, i);
    free(collector->profile);
    free(collector->counter);
    free(collector->attached);
    free(collector->memory);
    free(collector->sink);
    free(collector->metric);
    free(collector);
}

void ws_collector_drop_values(ws_collector *collector)
{
    size_t kept = 0;
    for (size_t i = 0; i < collector->n; i++) {
        if (collector->metric[i]->sink.values) {
            drop_family(collector, i);
            continue;
        }
        collector->metric[kept] = collector->metric[i];
        collector->sink[kept] = collector->sink[i];
        collector->memory[kept] = collector->memory[i];
        collector->counter[kept++] = collector->counter[i];
    }
    collector->n = kept;
}

const ws_sink *const *ws_collector_sinks(const ws_collector *collector, size_t *n)
{
    *n = collector->n;
    return (const ws_sink *const *)collector->sink;
}

int ws_collector_collect(void *collector, const ws_launch *launch, size_t sink, void *state)
{
    const ws_collector *const c = collector;
    if (sink >= c->n) /* a sink that the caller added behind ours */
        return WS_OK;
    return c->metric[sink]->finish(state, launch, c->counter[sink]);
}

const ws_metric *ws_collector_metric(const ws_collector *collector, size_t i)
{
    return collector->metric[i];
}

const double *ws_collector_counters(const ws_collector *collector, size_t i)
{
    return collector->counter[i];
}

int ws_collector_set_profile(ws_collector *collector, const void *data, size_t length)
{
    void *const copy = malloc(length + 1);
    if (!copy)
        return ws_fail(WS_EMEM, "no memory for a profile");
    memcpy(copy, data, length);
    free(collector->profile);
    collector->profile = copy;
    collector->profile_length = length;
    return WS_OK;
}

const void *ws_collector_profile(const ws_collector *collector, size_t *length)
{
    *length = collector->profile_length;
    return collector->profile;
}

void ws_collector_set_listing(ws_collector *collector, const ws_bytes *code, const ws_bytes *counts)
{
    collector->code = code;
    collector->counts = counts;
}

bool ws_collector_listing(const ws_collector *collector, const ws_bytes **code, const ws_bytes **counts)
{
    *code = collector->code;
    *counts = collector->counts;
    return collector->code != NULL;
}
