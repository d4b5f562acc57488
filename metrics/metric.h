/* metric.h - metric family: counters computed from events, and columns computed from counters.
 *
 * A family is a sink that counts during a launch. At the end of the launch it writes a vector of doubles (its
 * counters); columns are computed from such a vector. Vectors of several launches are combined counter by counter. The
 * same emit() therefore serves a launch, all launches of a kernel, and a whole workload; the results file stores only
 * counters. */
#ifndef WS_METRIC_H
#define WS_METRIC_H

#include "collect/trace/sink.h"

#include <stdbool.h>

typedef enum ws_combine { WS_SUM, WS_MAX, WS_MIN } ws_combine;

/* Counter, or `count` counters if count > 1, with names ending in _0, _1 ... */
typedef struct ws_counter {
    const char *name;
    ws_combine combine;
    unsigned count; /* 0 counts as 1 */
    unsigned bins;  /* histograms: 1 + ws_bins (study_metrics.h); other edges are other counters; else 0 */
} ws_counter;

/* Column, or `count` consecutive columns (bins of a histogram). */
typedef struct ws_metric_column {
    const char *name;     /* unique over all families; C identifier characters */
    const char *unit;     /* "instr", "ratio", "bytes" ... */
    const char *group;    /* study: its subspace KS KC DV IM CO; else the family name */
    unsigned index;       /* study: number of the dimension, 1..129; else 0 */
    unsigned count;       /* 0 counts as 1 */
    bool histogram;       /* bins hold counts, which ws_metric_make_fractions() divides by their sum */
    bool brief;           /* among the dozen columns that authors of kernels need first */
    const char *question; /* one sentence: definition, and exact or the error of a sketch */
} ws_metric_column;

typedef struct ws_metric {
    ws_sink sink;
    const char *set;                 /* row of metric_layout.c: "study", "modern", "machines" or "synchronization" */
    const char *question;            /* question that the family answers */
    const ws_counter *counters;      /* terminated by a NULL name */
    const ws_metric_column *columns; /* terminated by a NULL name */

    /* Writes the launch's counters from the merged state to counter[], with the size of the table. */
    int (*finish)(void *state, const ws_launch *launch, double *counter);

    /* Memory of a family across the launches of a program, in bytes; 0 for none. The collector owns it, zeroed at
     * first, and passes it to the sink's attach() as its context. Only finish() reads and changes it; launches end one
     * by one, in their order. Users without a collector attach no memory: each launch counts as the first of its
     * program. forget() frees what the memory owns, if not NULL. */
    size_t memory_size;
    void (*forget)(void *memory);

    /* Computes columns from (combined) counters. NaN if undefined. */
    void (*emit)(const double *counter, double *value);
} ws_metric;

/* Returns all families in the order of metrics.def, and sets *n to their number. */
const ws_metric *const *ws_metrics(size_t *n);

/* Return the total numbers of counters and columns of a family. */
size_t ws_metric_counters(const ws_metric *metric);
size_t ws_metric_columns(const ws_metric *metric);

/* Sets into[i] = combine(into[i], from[i]); NaN means "no value yet" in MIN and MAX. */
void ws_metric_combine(const ws_metric *metric, double *into, const double *from);

#define WS_UNIT_FRACTION  "fraction"
#define WS_NOTE_FRACTIONS "fractions: bins of histograms are fractions that sum to 1" /* in frames with such bins */

/* Converts a family's histogram columns to fractions that sum to 1, or to zeros without samples. NaN stays NaN. */
void ws_metric_make_fractions(const ws_metric *metric, double *value);

/* Weighs a launch that represents `weight` launches: sums are multiplied, extremes stay unchanged. Counters of copied
 * bytes are known for every launch and also stay unchanged. */
void ws_metric_weigh(const ws_metric *metric, double *counter, double weight);

/* Returns whether a counter counts copied bytes. */
bool ws_metric_is_known(const ws_counter *counter);

#endif
