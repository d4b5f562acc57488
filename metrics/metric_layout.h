/* metric_layout.h - the columns of a set in the order in which frames show them, one entry a single column.
 *
 * The study set comes first, in the order of its 129 dimension numbers; the other families follow in the order of
 * metrics.def. */
#ifndef WS_METRIC_LAYOUT_H
#define WS_METRIC_LAYOUT_H

#include "metrics/metric.h"

#include <stdbool.h>

enum { WS_STUDY_DIMENSIONS = 129 };

typedef struct ws_layout_column {
    size_t family; /* index in ws_metrics() */
    size_t value;  /* index in what the family's emit() writes */
    char name[48]; /* "I_sop", "D_bra_3" */
    const char *unit, *group;
    unsigned index; /* number of the dimension, or 0 */
    bool histogram; /* a bin of one, see ws_metric_make_fractions() */
    bool brief;     /* see metric.h */
} ws_layout_column;

typedef struct ws_layout {
    ws_layout_column *column;
    size_t columns;
} ws_layout;

/* set: "study", "modern", "all" (NULL reads as that: both), "machines" (the study's and those of machines.c),
 * "synchronization" (families that say so), or "performance" (all columns of the families that performance.h needs).
 * WS_EINPUT names the sets when there is no such one. The caller frees it with ws_layout_fini. */
int ws_layout_init(const char *set, ws_layout *layout);
void ws_layout_fini(ws_layout *layout);

/* *wanted = whether the family is part of the set. WS_EINPUT for an unknown set. */
int ws_metric_in_set(const ws_metric *metric, const char *set, bool *wanted);

#endif
