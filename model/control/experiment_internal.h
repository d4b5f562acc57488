/* experiment_internal.h - between the runs of an experiment and what is reported of them. */
#ifndef WS_EXPERIMENT_INTERNAL_H
#define WS_EXPERIMENT_INTERNAL_H

#include "model/control/experiment.h"

typedef struct ws_run {
    ws_drive_totals totals;
    ws_wear_result wear;
} ws_run;

/* value[WS_OUTCOMES] of a run, that of the base, and the optimum's (NULL: regret is NaN). */
void ws_outcome_values(const ws_run *run, const ws_run *base, const ws_run *optimum, double *value);

#endif
