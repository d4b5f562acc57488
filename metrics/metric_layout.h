/* metric_layout.h - columns of a set in the order of frames, one entry per single column.
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
    size_t value;  /* index in the output of the family's emit() */
    char name[48]; /* "I_sop", "D_bra_3" */
    const char *unit, *group;
    unsigned index; /* number of the dimension, or 0 */
    bool histogram; /* bin of a histogram, see ws_metric_make_fractions() */
    bool brief;     /* see metric.h */
} ws_layout_column;

typedef struct ws_layout {
    ws_layout_column *column;
    size_t columns;
} ws_layout;

/* Creates the layout of a set. set: "study", "modern", "all" (study and modern; also NULL), "machines" (the study and
 * machines.c), "synchronization" (families of that set), or "performance" (all columns of the families that
 * performance.h needs). Returns WS_EINPUT with the names of the sets for any other name. The caller frees it with
 * ws_layout_fini. */
int ws_layout_init(const char *set, ws_layout *layout);
void ws_layout_fini(ws_layout *layout);

/* Sets *wanted to whether the family is part of the set. Returns WS_EINPUT for an unknown set. */
int ws_metric_in_set(const ws_metric *metric, const char *set, bool *wanted);

#endif
