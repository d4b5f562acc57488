/* experiment_internal.h - interface between the runs of an experiment and its report. */
#ifndef WS_EXPERIMENT_INTERNAL_H
#define WS_EXPERIMENT_INTERNAL_H

#include "model/control/experiment.h"

typedef struct ws_run {
    ws_drive_totals totals;
    ws_wear_result wear;
} ws_run;

/* Computes value[WS_OUTCOMES] of a run from it, the baseline and the optimum (NULL: regret is NaN). */
void ws_outcome_values(const ws_run *run, const ws_run *base, const ws_run *optimum, double *value);

#endif
