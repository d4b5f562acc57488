/* chameleon.h - what the parts of `warpscape model chameleon` share: what is asked for, and what was read for it. */
#ifndef WS_CHAMELEON_H
#define WS_CHAMELEON_H

#include "base/frame.h"
#include "base/status.h"
#include "model/control/experiment.h"
#include "model/control/supply_file.h"

#include <limits.h>

enum { WS_CHAMELEON_MOST = 64 }; /* of each kind of option that may be given again */

/* WS_CHAMELEON_ALL: rows of workloads, then their mean, for each supply. */
typedef enum ws_chameleon_per {
    WS_CHAMELEON_WORKLOAD,
    WS_CHAMELEON_SUPPLY,
    WS_CHAMELEON_POLICY,
    WS_CHAMELEON_ALL
} ws_chameleon_per;

typedef struct ws_chameleon_names {
    const char *name[WS_CHAMELEON_MOST];
    size_t count;
} ws_chameleon_names;

typedef struct ws_chameleon_request {
    ws_chameleon_names supply, workload, policy, setting; /* setting: "SECTION.NAME=VALUE" */
    const char *base, *db, *loads, *config, *thermal, *lifetime;
    const char *machine; /* on which the workloads of `db` run, when `loads` does not say what they cost */
    const char *plant;   /* panels and turbine of measured supplies */
    ws_supply_options measured;
    double days;
    uint64_t seed;
    size_t seeds;
    unsigned workers;
    ws_chameleon_per per;
    bool no_regret, sensitivity, list, options;
    const char *timeline, *learning, *directory;
} ws_chameleon_request;

/* Everything that was read for a request, in a form that experiments take. */
typedef struct ws_chameleon {
    const ws_chameleon_request *request;
    char folder[PATH_MAX]; /* data */
    ws_control control;
    ws_load *load; /* those asked for */
    size_t loads;
    ws_supply_class type[WS_CHAMELEON_MOST]; /* of the sources that have one */
    ws_supply measured[WS_CHAMELEON_MOST];   /* of the others */
    ws_supply_report report[WS_CHAMELEON_MOST];
    ws_experiment_source source[WS_CHAMELEON_MOST];
    size_t sources;
    const ws_policy *policy[WS_CHAMELEON_MOST];
    size_t policies;
    ws_thermal_chip chip;
    ws_fatigue fatigue;
} ws_chameleon;

/* Afterwards, also after a failure, ws_chameleon_close. */
int ws_chameleon_open(const ws_chameleon_request *request, ws_chameleon *chameleon);
void ws_chameleon_close(ws_chameleon *chameleon);

/* Prints --list (all there is, loads by db, loads and machine of the request), with what is read for it, which is
 * zeroed and the caller closes; and --options. */
int ws_chameleon_list(const ws_chameleon_request *request, ws_chameleon *chameleon);
int ws_chameleon_list_options(const ws_chameleon_request *request);

/* The server's configuration alone. */
int ws_chameleon_control(const ws_chameleon_request *request, ws_control *control);

/* The experiment that is asked for: everything in it is borrowed from `chameleon`. No progress, nobody who watches. */
ws_experiment ws_chameleon_experiment(const ws_chameleon *chameleon);

/* One supply, workload, policy and seed? Only then there is one timeline. */
bool ws_chameleon_is_one(const ws_chameleon *chameleon);

/* A row for each supply, workload and policy, or for means of them; with several seeds each outcome has its mean and
 * the ends of its confidence interval. The caller frees *out. */
int ws_chameleon_frame(const ws_chameleon *chameleon, const ws_experiment_result *result, ws_chameleon_per per,
                       ws_frame **out);

/* What is kept of a run for its pictures: at most WS_RECORD_ROWS rows, each for an equal part of the time. */
enum { WS_RECORD_ROWS = 2000 };
typedef struct ws_chameleon_record ws_chameleon_record;
int ws_chameleon_record_create(const ws_chameleon *chameleon, ws_chameleon_record **out);
void ws_chameleon_record_destroy(ws_chameleon_record *record); /* accepts NULL */
/* For ws_experiment.watch of an experiment of one run. */
int ws_chameleon_record_see(ws_chameleon_record *record, const ws_drive_period *period, const ws_wear *wear);
/* The caller frees *out. */
int ws_chameleon_timeline(const ws_chameleon_record *record, ws_frame **out);
int ws_chameleon_learning(const ws_chameleon_record *record, ws_frame **out);

/* What each constant that is not known changes: a row for each option whose ends differ in control.def. `progress` as
 * in ws_experiment. The caller frees *out. */
int ws_chameleon_sensitivity(const ws_chameleon *chameleon, int (*progress)(void *context, double done), void *context,
                             ws_frame **out);

/* Figures and their frames into request->directory. Each may be NULL. */
typedef struct ws_chameleon_pictures {
    const ws_experiment_result *result;
    const ws_frame *timeline, *learning, *sensitivity;
} ws_chameleon_pictures;
int ws_chameleon_draw(const ws_chameleon *chameleon, const ws_chameleon_pictures *pictures);

#endif
