/* performance.h - features that predict performance: rates and logarithms of columns of the other sets.
 *
 * performance.def defines them. docs/statistics.md describes their selection, and the accuracy of maps and subsets made
 * from them. */
#ifndef WS_PERFORMANCE_H
#define WS_PERFORMANCE_H

#include "base/frame.h"
#include "metrics/metric.h"

#include <stdbool.h>

#define WS_SET_PERFORMANCE "performance"

typedef struct ws_feature {
    const char *name, *unit, *group, *meaning;
    const char *column; /* source column, see performance.def */
} ws_feature;

/* Returns the feature at an index from 0; its name is NULL after the last. */
ws_feature ws_feature_at(size_t index);

/* Returns whether any feature needs a column of the family. */
bool ws_performance_needs(const ws_metric *metric);

/* Computes the features of each row of a frame with the columns of all families needed. Labels and notes are copied,
 * and a column `seconds` in front. Missing values are NaN. Returns WS_OK or WS_EMEM. The caller frees *out. */
int ws_performance_frame(const ws_frame *all, ws_frame **out);

#endif
