/* experiment.h - supplies x loads x policies x seeds: which policy does how well, and how sure is that?
 *
 * All policies of one supply, load and seed meet the same weather, the same activity of the load and the same luck. */
#ifndef WS_EXPERIMENT_H
#define WS_EXPERIMENT_H

#include "model/control/drive.h"
#include "model/control/lifetime.h"
#include "model/control/supply.h"
#include "model/control/thermal.h"
#include "model/control/wear.h"

#include <stdbool.h>

/* Where a supply comes from. `make` is called once for each seed, from several threads. */
typedef struct ws_experiment_source {
    const char *name;
    /* `count` steps of step_s; the caller frees *out. */
    int (*make)(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out);
    const void *context;
} ws_experiment_source;

/* For sources whose context is a ws_supply_class; and a ws_supply that was measured, the same for each seed: its
 * beginning, in steps of another length, whose means it keeps. WS_EINPUT when it is too short. */
int ws_experiment_generated(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out);
int ws_experiment_measured(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out);

/* Everything is borrowed. */
typedef struct ws_experiment {
    const ws_control *control;
    double seconds; /* of each run */
    const ws_experiment_source *source;
    const ws_load *load;
    const ws_policy *const *policy;
    size_t sources, loads, policies;
    const ws_policy *base; /* the others are measured against this one, which is run also when it is not asked for */
    bool regret;           /* against the optimum, which then is run as well; else regret is NaN */
    const ws_thermal_chip *chip; /* NULL: temperatures and life are NaN */
    const ws_fatigue *fatigue;
    uint64_t seed; /* of the first; the others follow by 1 */
    size_t seeds;
    unsigned workers; /* 0: as many as there are processors. Their number changes no result */
    /* Asked several times a second in the caller's thread, done from 0 to 1; other than WS_OK ends the experiment with
     * that. NULL: not asked. */
    int (*progress)(void *context, double done);
    /* Shown each period of each run that was asked for, after the wear of that period (NULL without a chip), from
     * several threads. NULL: nobody looks. */
    int (*watch)(void *context, const ws_drive_period *period, const ws_wear *wear);
    void *context;
} ws_experiment;

/* What is known of a run, see outcomes.def. */
enum {
#define OUTCOME(name, unit, mean, value, meaning) WS_OUTCOME_##name,
#include "model/control/outcomes.def"
#undef OUTCOME
    WS_OUTCOMES
};

typedef struct ws_outcome {
    const char *name, *unit, *meaning;
    bool geometric; /* how loads and supplies are averaged */
} ws_outcome;
const ws_outcome *ws_outcome_at(size_t index); /* NULL behind the last */

typedef struct ws_experiment_result {
    size_t sources, loads, policies, seeds;
    double *value; /* [sources][loads][policies][seeds][WS_OUTCOMES] */
} ws_experiment_result;

/* WS_EINPUT for nothing to do, a time shorter than a step; what a source, a drive or the progress returns. The caller
 * frees it with ws_experiment_fini, also after a failure. */
int ws_experiment_run(const ws_experiment *experiment, ws_experiment_result *result);
void ws_experiment_fini(ws_experiment_result *result);

const double *ws_experiment_at(const ws_experiment_result *r, size_t source, size_t load, size_t policy, size_t seed);

/* Which runs are averaged: one supply and load, or all of them. */
enum { WS_EXPERIMENT_ALL = -1 };

/* Mean over seeds, and its 95 % confidence interval (Student's t; NaN for one seed), of an outcome. */
typedef struct ws_estimate {
    double mean, low, high;
} ws_estimate;

/* Those of a policy: estimate[WS_OUTCOMES]. Supplies and loads that are WS_EXPERIMENT_ALL are averaged within each seed
 * first. Ratios are averaged by their logarithms. */
void ws_experiment_estimate(const ws_experiment_result *r, long source, long load, size_t policy,
                            ws_estimate *estimate);

#endif
