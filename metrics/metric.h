/* metric.h - a metric family: events in, counters kept, columns out.
 *
 * A family counts during a launch (it is a sink), leaves a vector of doubles (its counters) at the end of the
 * launch, and computes its columns from such a vector. Vectors of several launches are combined counter by counter,
 * so the same emit() serves a launch, all launches of a kernel, and a whole workload; the results file stores only
 * counters. */
#ifndef WS_METRIC_H
#define WS_METRIC_H

#include "collect/trace/sink.h"

#include <stdbool.h>

typedef enum ws_combine { WS_SUM, WS_MAX, WS_MIN } ws_combine;

/* One counter, or `count` of them when count > 1 (names then get _0, _1 ...). */
typedef struct ws_counter {
    const char *name;
    ws_combine combine;
    unsigned count; /* 0 reads as 1 */
    unsigned
        bins; /* of a histogram: 1 + its ws_bins (study_metrics.h), so that other edges are other counters; else 0 */
} ws_counter;

/* One column, or `count` consecutive ones (bins of a histogram). */
typedef struct ws_metric_column {
    const char *name;     /* unique over all families; C identifier characters */
    const char *unit;     /* "instr", "ratio", "bytes" ... */
    const char *group;    /* study: its subspace KS KC DV IM CO; else the family name */
    unsigned index;       /* study: number of the dimension, 1..129; else 0 */
    unsigned count;       /* 0 reads as 1 */
    bool histogram;       /* its bins hold counts, which ws_metric_make_fractions() divides by their sum */
    bool brief;           /* among the dozen that the author of a kernel reads first */
    const char *question; /* one sentence: definition, and whether exact or a sketch with what error */
} ws_metric_column;

typedef struct ws_metric {
    ws_sink sink;
    const char *set;                 /* a row of metric_layout.c: "study", "modern", "machines" or "synchronization" */
    const char *question;            /* the question that the family answers */
    const ws_counter *counters;      /* ends with name NULL */
    const ws_metric_column *columns; /* ends with name NULL */

    /* Reads the launch's result out of the merged state into counter[], as many as the table holds. */
    int (*finish)(void *state, const ws_launch *launch, double *counter);

    /* What the family remembers of a program's launches from one to the next, so many bytes; 0: nothing. The collector
     * keeps it, zeroed at first, and hands it to the sink's attach() as its context. finish() alone reads and changes
     * it: launches end one by one, in their order. Who has no collector attaches none, and each launch is the first of
     * its program. forget() frees what it owns (NULL: nothing). */
    size_t memory_size;
    void (*forget)(void *memory);

    /* Columns from (combined) counters. NaN where undefined. */
    void (*emit)(const double *counter, double *value);
} ws_metric;

/* All families in the order of metrics.def, *n of them. */
const ws_metric *const *ws_metrics(size_t *n);

/* Totals of the two tables of a family. */
size_t ws_metric_counters(const ws_metric *metric);
size_t ws_metric_columns(const ws_metric *metric);

/* into[i] = combine(into[i], from[i]); NaN counts as "no value yet" in MIN and MAX. */
void ws_metric_combine(const ws_metric *metric, double *into, const double *from);

#define WS_UNIT_FRACTION  "fraction"
#define WS_NOTE_FRACTIONS "fractions: bins of histograms are fractions that sum to 1" /* in frames that have such */

/* In the columns of a family: histograms as fractions that sum to 1, all zero when there is no sample.
 * NaN stays NaN. */
void ws_metric_make_fractions(const ws_metric *metric, double *value);

/* A launch that stands for `weight` of its kind: sums are multiplied, extremes stay. Copied bytes are known of every
 * launch and stay, too. */
void ws_metric_weigh(const ws_metric *metric, double *counter, double weight);

/* Counters of copied bytes. */
bool ws_metric_is_known(const ws_counter *counter);

#endif
