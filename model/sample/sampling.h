/* sampling.h - which launches of a program are to be simulated, so that their weighted sum stands for all?
 *
 * All that is known is cheap: each launch's kernel, how many instructions it executed, and numbers of its like. A plan
 * puts every launch into a stratum, chooses some of each, and gives these weights. What they say when they have been
 * simulated is extrapolate.h's; the list between the two is launch_list.h's. docs/sampling.md has the rules with their
 * sources. */
#ifndef WS_SAMPLING_H
#define WS_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_sample_launch {
    const char *kernel;    /* mangled; launches of one kernel have texts that are equal */
    uint64_t number;       /* in the program, rising */
    double time;           /* what it takes, as far as cheap numbers tell: any unit, above 0 */
    double instructions;   /* of warps */
    double threads;        /* of a block */
    const double *feature; /* [features of the plan]; NaN where it is not known */
    /* Out: */
    size_t stratum;     /* from 0 on */
    double weight;      /* how many launches it stands for; 0: it is not simulated */
    const char *reason; /* why it is simulated; NULL when it is not */
} ws_sample_launch;

typedef struct ws_sample_stratum {
    size_t launches, chosen;
    double time;   /* of all of its launches together */
    double spread; /* coefficient of variation that its launches' times are taken to have; NaN: nobody says */
    double error;  /* half of the interval of its total, over the total of all strata; NaN with `spread` */
} ws_sample_stratum;

typedef struct ws_sample_plan {
    /* In: */
    ws_sample_launch *launch; /* [launches] in order of their numbers */
    size_t launches, features;
    double error, confidence; /* 0.02, 0.95: wanted for the total time */
    const double *share; /* [features] by how much of its own variation a feature makes times vary that weights do not
                            account for */
    double split;        /* variation above which launches of a kernel are split; 0: whichever takes least time */
    double noise;        /* of times of launches that look the same */
    double cold;         /* how much longer the first launch of a stratum may take than the others, as a share */
    size_t count;        /* launches to choose, for methods that do not know by themselves */
    uint64_t seed;
    /* Out, the caller's to free with ws_sample_plan_fini: */
    ws_sample_stratum *stratum;
    size_t strata;
    double bound; /* half of the interval of the total time, relative; NaN: the method says nothing of it */
} ws_sample_plan;

typedef struct ws_sample_method {
    const char *name, *meaning;
    bool counts;  /* it needs `count` */
    bool bounded; /* it says how wrong it may be */
    int (*choose)(ws_sample_plan *plan);
} ws_sample_method;

/* NULL behind the last. */
const ws_sample_method *ws_sample_method_at(size_t index);

/* Defaults of error, confidence, split, noise, cold; nothing chosen. */
void ws_sample_plan_init(ws_sample_plan *plan);
void ws_sample_plan_fini(ws_sample_plan *plan);

/* Fills what a plan gives. WS_EINPUT without launches, or with a count above their number; WS_EMEM. */
int ws_sample_choose(const ws_sample_method *method, ws_sample_plan *plan);

/* Launches that are simulated, and their share of the instructions of all. */
size_t ws_sample_chosen(const ws_sample_plan *plan, double *share);

/* Two-sided quantile of the normal distribution: 1.96 for 0.95. */
double ws_sample_quantile(double confidence);

#endif
