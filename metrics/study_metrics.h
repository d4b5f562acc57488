/* study_metrics.h - frozen bins, histograms over launches and lane counts of the families of the 129-dimension study.
 *
 * The dimensions are those of N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using Emerging
 * Technologies", dissertation, University of Florida, 2013, tables 3-1 and 3-2. docs/metrics-study.md has the
 * definitions, and the choices for points that the document leaves open. */
#ifndef WS_STUDY_METRICS_H
#define WS_STUDY_METRICS_H

#include "metrics/metric.h"

/* Names of counters that the results file completes. The first two receive the bytes copied after the last launch; the
 * third becomes the number of distinct kernel names in the combined rows. */
#define WS_COUNTER_H2D      "h2d_bytes"
#define WS_COUNTER_D2H      "d2h_bytes"
#define WS_COUNTER_DISTINCT "distinct_kernels"

typedef enum ws_bins {
#define BINS(name, ...) WS_BINS_##name,
#include "metrics/study_bins.def"
#undef BINS
    WS_BINS_KINDS
} ws_bins;

/* Returns the bin of a value, of the 10 or 5 of its kind. */
unsigned ws_bins_find(ws_bins kind, double value);

/* Writes one launch as a histogram over launches: 1 in the bin of `value`, 0 in the others. */
void ws_bins_one(ws_bins kind, double value, double *counter);

/* Copies the counts of a histogram to its columns. */
void ws_bins_copy(ws_bins kind, const double *counter, double *value);

/* Returns the inner edges, one fewer than the bins. */
const double *ws_bins_edges(ws_bins kind);

/* Initializers of a counter and a column that are a histogram over these bins; the unit of the column names the objects
 * counted. */
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
