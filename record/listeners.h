/* listeners.h - who listens to launches: the metric families, and the writer of a trace file. */
#ifndef WS_LISTENERS_H
#define WS_LISTENERS_H

#include "record/sources.h"
#include "collect/wst/wst.h"
#include "metrics/collector.h"
#include "metrics/instructions.h"
#include "model/traffic_profile.h"

typedef struct ws_listeners_options {
    bool metrics; /* collect the metrics of `set` (NULL: all) */
    const char *set;
    const char *trace; /* file to write; NULL: none */
    bool profile;      /* with metrics: and a profile for models */
    unsigned workers;  /* threads that make a profile; 0: one per processor */
    bool instructions; /* with metrics: and what each instruction did */
    bool no_values;    /* with metrics: leave out the families that look at values */
    bool values;       /* with the values that the families want of some blocks: replay is then exact for them, too */
    const char *const *notes; /* see ws_trace_writer_options */
    const ws_trace *from;     /* whose launches they will see; NULL: those of a program that runs now */
} ws_listeners_options;

typedef struct ws_listeners {
    ws_collector *collector;    /* NULL: no metrics */
    ws_profiler *profiler;      /* NULL: no profile */
    size_t profiler_at;         /* number of its sink */
    bool instructions;          /* somebody looks at instructions: */
    size_t instructions_at;     /* ... number of its sink */
    ws_bytes code, counts;      /* what those of the last launch did */
    ws_sources sources;         /* files that they come from */
    ws_trace_writer *trace;     /* NULL: no trace */
    size_t trace_at;            /* number of its sink */
    const ws_sink *const *sink; /* [n]: for ws_run, the collector's first */
    size_t n;
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state); /* who is told of merged states */
    void *context;
    const ws_sink **owned; /* the list, when it is ours */
} ws_listeners;

/* Others who listen may fill the struct by hand instead. Zeroed before. Whatever it returns, end with
 * ws_listeners_close. */
int ws_listeners_open(ws_listeners *listeners, const ws_listeners_options *options);

/* For ws_run.collect, with the listeners as its context. */
int ws_listeners_collect(void *listeners, const ws_launch *launch, size_t sink, void *state);

/* After a launch was stored: notes source files that were not seen before. */
int ws_listeners_note_sources(ws_listeners *listeners, ws_store *store, int64_t run);

/* After a launch, with its status, which it returns, or the trace's when that failed. */
int ws_listeners_launched(ws_listeners *listeners, int status);

/* Completes the trace: bytes copied after the last launch. Frees all. */
int ws_listeners_close(ws_listeners *listeners, uint64_t h2d_bytes, uint64_t d2h_bytes);

#endif
