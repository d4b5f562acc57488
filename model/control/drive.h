/* drive.h - simulation of a server with a supply and a policy, and its energy totals.
 *
 * Fine periods tune the load to the mode's budget, coarse periods choose the mode: Switch (state, mode), Analyze (run,
 * reward), Learn. Source: Goswami (2013), section 5.1.4 and Algorithm 1. */
#ifndef WS_DRIVE_H
#define WS_DRIVE_H

#include "model/control/policy.h"

/* Completed coarse period, for watchers. All pointers are borrowed for the call. */
typedef struct ws_drive_period {
    size_t index, steps;       /* number of the period; fine periods in it */
    const double *supply_w;    /* [steps] */
    const ws_plant_flow *flow; /* [steps] */
    const double *stored_j;    /* [steps] at the end of each */
    const double *activity;    /* [steps] */
    unsigned mode;
    size_t state;         /* at its beginning */
    double reward;        /* 0..1 */
    const double *values; /* of the policy at the end, [states * modes]; NULL: none */
    size_t states, modes;
    double least_w, most_w; /* range of supply minus demand that the states divide into intervals */
} ws_drive_period;

typedef struct ws_drive_watcher {
    int (*period)(void *context, const ws_drive_period *period); /* a failure ends the drive */
    void *context;
} ws_drive_watcher;

typedef struct ws_drive_request {
    const ws_control *control;
    const ws_plant *plant;
    const ws_policy *policy;
    const double *supply_w, *activity; /* [steps], one value per fine period */
    size_t steps;
    uint64_t seed;                   /* of exploration and forecast errors */
    const ws_drive_watcher *watcher; /* [watchers] */
    size_t watchers;
} ws_drive_request;

/* Sums over the drive. Energies in J. */
typedef struct ws_drive_totals {
    double seconds;
    double generated_j, direct_j, delivered_j, charged_j, curtailed_j;
    double lost_j; /* in charging and discharging */
    double start_j, end_j;
    double throughput;                   /* mean, of the nominal one */
    double reward;                       /* mean over coarse periods */
    double switches;                     /* of the mode */
    double asleep;                       /* share of the time */
    double mode_share[WS_CONTROL_MODES]; /* share of the time */
    double imbalance; /* largest violation of energy conservation in a step, relative to its energy */
} ws_drive_totals;

/* Runs a drive. WS_EMEM, WS_EINPUT; also failures of a watcher or the policy. */
int ws_drive(const ws_drive_request *request, ws_drive_totals *totals);

/* Return the supply used, directly or from the battery, over the supply generated; the same without the battery; the
 * share of the load's energy that came from the battery. NaN if the divisor is 0. */
double ws_drive_utilization(const ws_drive_totals *totals);
double ws_drive_direct_utilization(const ws_drive_totals *totals);
double ws_drive_battery_share(const ws_drive_totals *totals);

/* Returns the states of a choosing policy: intervals of mismatch times intervals of charge. */
size_t ws_drive_states(const ws_control *control);

#endif
