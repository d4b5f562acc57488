/* sampling.h - selection of a program's launches to simulate, with weights, so that their weighted sum estimates the
 * total.
 *
 * The inputs are cheap: each launch's kernel, instruction count and similar numbers. A plan assigns every launch to a
 * stratum, selects some of each, and sets their weights. extrapolate.h evaluates the simulated launches; launch_list.h
 * is the list between both. docs/sampling.md has the rules with their sources. */
#ifndef WS_SAMPLING_H
#define WS_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_sample_launch {
    const char *kernel;    /* mangled; launches of one kernel have equal texts */
    uint64_t number;       /* in the program, rising */
    double time;           /* estimated duration in any unit, above 0 */
    double instructions;   /* of warps */
    double threads;        /* per block */
    const double *feature; /* [features of the plan]; NaN if not known */
    /* Output: */
    size_t stratum;     /* from 0 */
    double weight;      /* number of launches it represents; 0: not simulated */
    const char *reason; /* why it is simulated; NULL if it is not */
} ws_sample_launch;

typedef struct ws_sample_stratum {
    size_t launches, chosen;
    double time;   /* of all its launches together */
    double spread; /* assumed coefficient of variation of its launches' times; NaN: unknown */
    double error;  /* half of the interval of its total, over the total of all strata; NaN with `spread` */
} ws_sample_stratum;

typedef struct ws_sample_plan {
    /* Input: */
    ws_sample_launch *launch; /* [launches] in order of their numbers */
    size_t launches, features;
    double error, confidence; /* 0.02, 0.95: target for the total time */
    const double *share;      /* [features] share of a feature's variation found in times, beyond weights */
    double split;             /* variation above which a kernel's launches are split; 0: whichever costs least time */
    double noise;             /* variation of times of equal-looking launches */
    double cold;              /* extra duration of a stratum's first launch, as a share */
    size_t count;             /* launches to select, for methods that need a count */
    uint64_t seed;
    /* Output, freed by the caller with ws_sample_plan_fini: */
    ws_sample_stratum *stratum;
    size_t strata;
    double bound; /* half of the relative interval of the total time; NaN: the method gives none */
} ws_sample_plan;

typedef struct ws_sample_method {
    const char *name, *meaning;
    bool counts;  /* it needs `count` */
    bool bounded; /* it bounds its error */
    int (*choose)(ws_sample_plan *plan);
} ws_sample_method;

/* Returns NULL past the last. */
const ws_sample_method *ws_sample_method_at(size_t index);

/* Sets the defaults of error, confidence, split, noise and cold; selects nothing. */
void ws_sample_plan_init(ws_sample_plan *plan);
void ws_sample_plan_fini(ws_sample_plan *plan);

/* Fills the output of a plan. WS_EINPUT without launches, or with a count above their number; WS_EMEM. */
int ws_sample_choose(const ws_sample_method *method, ws_sample_plan *plan);

/* Returns the number of selected launches, and their share of all instructions. */
size_t ws_sample_chosen(const ws_sample_plan *plan, double *share);

/* Returns the two-sided quantile of the normal distribution: 1.96 for 0.95. */
double ws_sample_quantile(double confidence);

#endif
