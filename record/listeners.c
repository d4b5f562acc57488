/* listeners.c - puts together who listens to the launches of a command. */
#include "record/listeners.h"

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

static int add_sinks(ws_listeners *l, bool instructions)
{
    size_t n = 0;
    const ws_sink *const *const families = l->collector ? ws_collector_sinks(l->collector, &n) : NULL;
    l->owned = calloc(n + 3, sizeof *l->owned);
    if (!l->owned)
        return ws_fail(WS_EMEM, "out of memory");
    for (; l->n < n; l->n++)
        l->owned[l->n] = families[l->n];
    l->profiler_at = l->n;
    if (l->profiler)
        l->owned[l->n++] = ws_profiler_sink(l->profiler);
    l->instructions = instructions;
    l->instructions_at = l->n;
    if (instructions)
        l->owned[l->n++] = &ws_instructions_sink;
    l->trace_at = l->n;
    if (l->trace)
        l->owned[l->n++] = ws_trace_writer_sink(l->trace);
    l->sink = l->owned;
    return WS_OK;
}

int ws_listeners_open(ws_listeners *l, const ws_listeners_options *o)
{
    const ws_trace_writer_options how = {.notes = o->notes, .sample_block = o->values ? sample_block : NULL};
    int status = WS_OK;
    l->sources.trace = o->from;
    if (o->metrics) {
        status = ws_collector_create(o->set, &l->collector);
        l->collect = ws_collector_collect;
        l->context = l->collector;
    }
    if (!status && o->metrics && o->no_values)
        ws_collector_drop_values(l->collector);
    if (!status && o->metrics && o->profile)
        status = ws_profiler_create(&l->profiler);
    if (l->profiler)
        ws_profiler_set_workers(l->profiler, o->workers);
    if (!status && o->trace)
        status = ws_trace_writer_create(o->trace, &how, &l->trace);
    return status ? status : add_sinks(l, o->metrics && o->instructions);
}

static int keep_profile(const ws_listeners *l, const ws_launch *launch, const void *state)
{
    ws_traffic_profile *const profile = malloc(sizeof *profile);
    ws_bytes bytes = {0};
    if (!profile)
        return ws_fail(WS_EMEM, "no memory for a profile");
    int status = ws_profiler_finish(l->profiler, launch, state, profile);
    if (!status) {
        ws_traffic_profile_write(profile, &bytes);
        status = bytes.failed ? ws_fail(WS_EMEM, "no memory for a profile")
                              : ws_collector_set_profile(l->collector, bytes.data, bytes.length);
    }
    ws_bytes_fini(&bytes);
    free(profile);
    return status;
}

static int keep_instructions(ws_listeners *l, const ws_launch *launch, void *state)
{
    l->code.length = l->counts.length = 0;
    const int status = ws_instructions_finish(state, launch, &l->code, &l->counts);
    ws_collector_set_listing(l->collector, &l->code, &l->counts);
    return status;
}

int ws_listeners_collect(void *listeners, const ws_launch *launch, size_t sink, void *state)
{
    ws_listeners *const l = listeners;
    const bool keeps_lines = (l->instructions && sink == l->instructions_at) || (l->trace && sink == l->trace_at);
    const int status = keeps_lines && launch->origin ? ws_sources_see(&l->sources, launch->origin) : WS_OK;
    if (status)
        return status;
    if (l->instructions && sink == l->instructions_at)
        return keep_instructions(l, launch, state);
    if (l->profiler && sink == l->profiler_at)
        return keep_profile(l, launch, state);
    return l->collect ? l->collect(l->context, launch, sink, state) : WS_OK;
}

int ws_listeners_note_sources(ws_listeners *l, ws_store *store, int64_t run)
{
    return ws_sources_note(&l->sources, store, run);
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
    const int kept = l->trace ? ws_sources_keep(&l->sources, l->trace) : WS_OK; /* else closing says the same */
    const int status = ws_trace_writer_close(l->trace, h2d_bytes, d2h_bytes);
    ws_collector_destroy(l->collector);
    ws_profiler_destroy(l->profiler);
    ws_sources_fini(&l->sources);
    ws_bytes_fini(&l->code);
    ws_bytes_fini(&l->counts);
    free(l->owned);
    *l = (ws_listeners){0};
    return status ? status : kept;
}
