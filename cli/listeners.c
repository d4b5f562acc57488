/* listeners.c - puts together who listens to the launches of a command. */
#include "cli/listeners.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

/* Whose values a trace keeps: of the blocks that any family samples. */
static int sample_block(const ws_launch *launch, uint64_t block)
{
    size_t n;
    const ws_metric *const *const metric = ws_metrics(&n);
    for (size_t i = 0; i < n; i++)
        if (metric[i]->sink.sample_block && metric[i]->sink.sample_block(launch, block))
            return 1;
    return 0;
}

static int add_sinks(ws_listeners *l)
{
    size_t n = 0;
    const ws_sink *const *const families = l->collector ? ws_collector_sinks(l->collector, &n) : NULL;
    l->owned = calloc(n + 1, sizeof *l->owned);
    if (!l->owned)
        return ws_fail(WS_EMEM, "out of memory");
    for (; l->n < n; l->n++)
        l->owned[l->n] = families[l->n];
    if (l->trace)
        l->owned[l->n++] = ws_trace_writer_sink(l->trace);
    l->sink = l->owned;
    return WS_OK;
}

int ws_listeners_open(ws_listeners *l, const ws_listeners_options *o)
{
    const ws_trace_writer_options how = {.notes = o->notes, .sample_block = o->values ? sample_block : NULL};
    int status = WS_OK;
    if (o->metrics) {
        status = ws_collector_create(o->set, &l->collector);
        l->collect = ws_collector_collect;
        l->context = l->collector;
    }
    if (!status && o->trace)
        status = ws_trace_writer_create(o->trace, &how, &l->trace);
    return status ? status : add_sinks(l);
}

int ws_listeners_collect(void *listeners, const ws_launch *launch, size_t sink, void *state)
{
    const ws_listeners *const l = listeners;
    return l->collect ? l->collect(l->context, launch, sink, state) : WS_OK;
}

int ws_listeners_launched(ws_listeners *l, int status)
{
    if (!l->trace)
        return status;
    char message[1024];
    snprintf(message, sizeof message, "%s", ws_message());
    const int written = ws_trace_writer_end(l->trace, status);
    return status ? ws_fail(status, "%s", message) : written;
}

int ws_listeners_close(ws_listeners *l, uint64_t h2d_bytes, uint64_t d2h_bytes)
{
    const int status = ws_trace_writer_close(l->trace, h2d_bytes, d2h_bytes);
    ws_collector_destroy(l->collector);
    free(l->owned);
    *l = (ws_listeners){0};
    return status;
}
