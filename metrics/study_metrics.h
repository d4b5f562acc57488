/* study_metrics.h - what the families of the 129-dimension study share: frozen bins, histograms over launches, lane
 * counts.
 *
 * The dimensions are those of N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using Emerging
 * Technologies", dissertation, University of Florida, 2013, tables 3-1 and 3-2; docs/metrics.md has the definitions and
 * the choices made where the document leaves them open. */
#ifndef WS_STUDY_METRICS_H
#define WS_STUDY_METRICS_H

#include "metrics/metric.h"

/* Names of counters that only the results file knows to complete: bytes copied after the last launch are added to the
 * first two, and the third becomes the number of distinct kernel names in the rows combined. */
#define WS_COUNTER_H2D      "h2d_bytes"
#define WS_COUNTER_D2H      "d2h_bytes"
#define WS_COUNTER_DISTINCT "distinct_kernels"

typedef enum ws_bins {
#define BINS(name, ...) WS_BINS_##name,
#include "metrics/study_bins.def"
#undef BINS
    WS_BINS_KINDS
} ws_bins;

/* The bin that a value falls into, of the 10 or 5 of its kind. */
unsigned ws_bins_find(ws_bins kind, double value);

/* One launch as a histogram over launches: 1 in the bin of `value`, 0 in the others. */
void ws_bins_one(ws_bins kind, double value, double *counter);

/* The counts of a histogram as its columns. */
void ws_bins_copy(ws_bins kind, const double *counter, double *value);

/* The inner edges, one less than there are bins. */
const double *ws_bins_edges(ws_bins kind);

/* A counter and a column that are a histogram over these bins; the column counts what its unit says. */
#define WS_BINS_COUNTER(symbol, kind, bins_) \
    { \
        .name = symbol, .count = bins_, .bins = 1 + WS_BINS_##kind \
    }
#define WS_BINS_COLUMN(symbol, unit_, group_, number, bins_, text) \
    { \
        .name = symbol, .unit = unit_, .group = group_, .index = number, .count = bins_, .histogram = true, \
        .question = text \
    }

#endif
