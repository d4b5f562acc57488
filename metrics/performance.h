/* performance.h - the set of features that predict: rates and logarithms made from columns of the other sets.
 *
 * What they are stands in performance.def; how they were chosen, and how well maps and subsets made from them do, in
 * docs/statistics.md. */
#ifndef WS_PERFORMANCE_H
#define WS_PERFORMANCE_H

#include "base/frame.h"
#include "metrics/metric.h"

#include <stdbool.h>

#define WS_SET_PERFORMANCE "performance"

typedef struct ws_feature {
    const char *name, *unit, *group, *meaning;
    const char *column; /* what it is made from, see performance.def */
} ws_feature;

/* The features in order from 0 on; a NULL name behind the last. */
ws_feature ws_feature_at(size_t index);

/* Is a column of the family needed for a feature? */
bool ws_performance_needs(const ws_metric *metric);

/* The features of each row of a frame that has the columns of all families needed; labels and notes come along, and a
 * column `seconds` in front. What was not measured is NaN. WS_EMEM. The caller frees *out. */
int ws_performance_frame(const ws_frame *all, ws_frame **out);

#endif
