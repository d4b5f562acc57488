/* experiment.h - comparison of policies over supplies, loads and seeds, with confidence intervals.
 *
 * For one supply, load and seed, all policies get the same weather, load activity and random numbers. */
#ifndef WS_EXPERIMENT_H
#define WS_EXPERIMENT_H

#include "model/control/drive.h"
#include "model/control/lifetime.h"
#include "model/control/supply.h"
#include "model/control/thermal.h"
#include "model/control/wear.h"

#include <stdbool.h>

/* Source of a supply. `make` is called once for each seed, from several threads. */
typedef struct ws_experiment_source {
    const char *name;
    /* Makes `count` steps of step_s; the caller frees *out. */
    int (*make)(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out);
    const void *context;
} ws_experiment_source;

/* `make` functions for a context of type ws_supply_class, and for a measured ws_supply. The latter gives its beginning
 * for each seed, resampled to the step length with the same means. WS_EINPUT if it is too short. */
int ws_experiment_generated(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out);
int ws_experiment_measured(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out);

/* All pointers are borrowed. */
typedef struct ws_experiment {
    const ws_control *control;
    double seconds; /* of each run */
    const ws_experiment_source *source;
    const ws_load *load;
    const ws_policy *const *policy;
    size_t sources, loads, policies;
    const ws_policy *base;       /* baseline of the other policies; it also runs if not selected */
    bool regret;                 /* also runs the optimum for regret; otherwise regret is NaN */
    const ws_thermal_chip *chip; /* NULL: temperatures and life are NaN */
    const ws_fatigue *fatigue;
    uint64_t seed; /* first seed; the others follow by 1 */
    size_t seeds;
    unsigned workers; /* 0: the number of processors. The number does not affect results */
    /* Called several times a second in the caller's thread, done from 0 to 1; a result other than WS_OK ends the
     * experiment with it. May be NULL. */
    int (*progress)(void *context, double done);
    /* Called for each period of each selected run, after the wear of that period (NULL without a chip), from several
     * threads. May be NULL. */
    int (*watch)(void *context, const ws_drive_period *period, const ws_wear *wear);
    void *context;
} ws_experiment;

/* Outcomes of a run, see outcomes.def. */
enum {
#define OUTCOME(name, unit, mean, value, meaning) WS_OUTCOME_##name,
#include "model/control/outcomes.def"
#undef OUTCOME
    WS_OUTCOMES
};

typedef struct ws_outcome {
    const char *name, *unit, *meaning;
    bool geometric; /* loads and supplies have a geometric mean */
} ws_outcome;
const ws_outcome *ws_outcome_at(size_t index); /* NULL past the last */

typedef struct ws_experiment_result {
    size_t sources, loads, policies, seeds;
    double *value; /* [sources][loads][policies][seeds][WS_OUTCOMES] */
} ws_experiment_result;

/* Runs an experiment. WS_EINPUT without runs, or for a time shorter than a step; also failures of a source, a drive or
 * the progress. The caller frees *result with ws_experiment_fini, also after a failure. */
int ws_experiment_run(const ws_experiment *experiment, ws_experiment_result *result);
void ws_experiment_fini(ws_experiment_result *result);

const double *ws_experiment_at(const ws_experiment_result *r, size_t source, size_t load, size_t policy, size_t seed);

/* Average over all supplies or loads, instead of one. */
enum { WS_EXPERIMENT_ALL = -1 };

/* Mean of an outcome over seeds, and its 95 % confidence interval (Student's t; NaN for one seed). */
typedef struct ws_estimate {
    double mean, low, high;
} ws_estimate;

/* Estimates a policy: estimate[WS_OUTCOMES]. Supplies and loads given as WS_EXPERIMENT_ALL are averaged within each
 * seed first. Ratios are averaged by their logarithms. */
void ws_experiment_estimate(const ws_experiment_result *r, long source, long load, size_t policy,
                            ws_estimate *estimate);

#endif
