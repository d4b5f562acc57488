/* policy.h - who chooses the mode of power management: an ops struct, a file a policy, a row of policies.def each. */
#ifndef WS_POLICY_H
#define WS_POLICY_H

#include "model/control/plant.h"

#include <stdint.h>

/* What a policy knows before the first period. Everything is borrowed and outlives the policy. */
typedef struct ws_policy_setup {
    const ws_control *control;
    const ws_plant *plant;
    size_t states, modes;
    uint64_t seed;
    /* For those that know the future, NULL for a policy that only learns: a value a fine period. */
    const double *supply_w, *activity;
    size_t steps;
} ws_policy_setup;

/* What it knows when it chooses. */
typedef struct ws_observation {
    size_t interval;      /* coarse periods so far */
    size_t state;         /* interval of mismatch and of charge: mismatch * state.charge + charge */
    double supply_w;      /* mean over the coarse period before */
    double demand_w;      /* mean power that the load would have taken at the nominal point */
    double throughput;    /* mean over that period, of the nominal one */
    double load_w;        /* mean power that it took; in the first period that is demand_w */
    ws_plant_state plant; /* now: what the battery holds */
    unsigned mode;        /* of that period */
    /* Supply that is forecast for the coarse periods to come; NULL for a policy that does not ask for it. */
    const double *forecast_w;
    size_t forecasts;
} ws_observation;

/* A reward for what a mode did in a state. */
typedef struct ws_experience {
    size_t state, next; /* before and after */
    unsigned mode;      /* that was in force */
    double reward;      /* 0..1 */
} ws_experience;

typedef struct ws_policy {
    const char *name, *summary;
    bool forecast;  /* wants ws_observation.forecast_w */
    bool foresight; /* wants the future in ws_policy_setup */
    /* Makes the state of one run, freed with destroy (NULL: free). WS_EMEM, WS_EINPUT. */
    int (*create)(const ws_policy_setup *setup, void **state);
    void (*destroy)(void *state);
    /* The mode for the coarse period that begins. */
    unsigned (*choose)(void *state, const ws_observation *now);
    /* Called at the end of a period, before the mode of the next one is chosen; NULL: learns nothing. */
    void (*learn)(void *state, const ws_experience *seen);
    /* What it holds of each mode in each state: [states * modes], NULL: it keeps no table. */
    const double *(*values)(const void *state);
} ws_policy;

#define POLICY(name) extern const ws_policy ws_policy_##name;
#include "model/control/policies.def"
#undef POLICY

/* The policies in the order of policies.def; NULL behind the last. */
const ws_policy *ws_policy_at(size_t index);
/* NULL when there is none of that name. */
const ws_policy *ws_policy_find(const char *name);

/* The modes that draw least and most from the battery; of equals the one with the highest level. */
unsigned ws_policy_thrifty(const ws_control *control);
unsigned ws_policy_eager(const ws_control *control);

#endif
