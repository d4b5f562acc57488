/* policy.h - policies that choose the mode of power management: each is an ops struct, a file and a row of
 * policies.def. */
#ifndef WS_POLICY_H
#define WS_POLICY_H

#include "model/control/plant.h"

#include <stdint.h>

/* Input of a policy before the first period. All pointers are borrowed and outlive the policy. */
typedef struct ws_policy_setup {
    const ws_control *control;
    const ws_plant *plant;
    size_t states, modes;
    uint64_t seed;
    /* The future, one value per fine period; NULL for a policy that only learns. */
    const double *supply_w, *activity;
    size_t steps;
} ws_policy_setup;

/* Input of a choice. */
typedef struct ws_observation {
    size_t interval;      /* coarse periods so far */
    size_t state;         /* interval of mismatch and of charge: mismatch * state.charge + charge */
    double supply_w;      /* mean over the previous coarse period */
    double demand_w;      /* mean power of the load at the nominal point */
    double throughput;    /* mean over that period, relative to the nominal one */
    double load_w;        /* mean power consumed; in the first period demand_w */
    ws_plant_state plant; /* current state of the battery */
    unsigned mode;        /* of that period */
    /* Forecast supply of the next coarse periods; NULL for a policy without `forecast`. */
    const double *forecast_w;
    size_t forecasts;
} ws_observation;

/* Reward of a mode in a state. */
typedef struct ws_experience {
    size_t state, next; /* before and after */
    unsigned mode;      /* active mode */
    double reward;      /* 0..1 */
} ws_experience;

typedef struct ws_policy {
    const char *name, *summary;
    bool forecast;  /* needs ws_observation.forecast_w */
    bool foresight; /* needs the future in ws_policy_setup */
    /* Creates the state of one run, freed with destroy (NULL: free). WS_EMEM, WS_EINPUT. */
    int (*create)(const ws_policy_setup *setup, void **state);
    void (*destroy)(void *state);
    /* Returns the mode of the next coarse period. */
    unsigned (*choose)(void *state, const ws_observation *now);
    /* Called at the end of a period, before the next mode is chosen; NULL: no learning. */
    void (*learn)(void *state, const ws_experience *seen);
    /* Returns the learned value of each mode in each state: [states * modes]; NULL: no table. */
    const double *(*values)(const void *state);
} ws_policy;

#define POLICY(name) extern const ws_policy ws_policy_##name;
#include "model/control/policies.def"
#undef POLICY

/* Returns a policy in the order of policies.def; NULL past the last. */
const ws_policy *ws_policy_at(size_t index);
/* Returns NULL for an unknown name. */
const ws_policy *ws_policy_find(const char *name);

/* Return the modes that draw least and most from the battery; among equals the one with the highest level. */
unsigned ws_policy_thrifty(const ws_control *control);
unsigned ws_policy_eager(const ws_control *control);

#endif
