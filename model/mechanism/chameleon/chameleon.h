/* chameleon.h - shared parts of `warpscape model chameleon`: the request, and the data read for it. */
#ifndef WS_CHAMELEON_H
#define WS_CHAMELEON_H

#include "base/frame.h"
#include "base/status.h"
#include "model/control/experiment.h"
#include "model/control/supply_file.h"

#include <limits.h>

enum { WS_CHAMELEON_MOST = 64 }; /* most values of each repeatable option */

/* WS_CHAMELEON_ALL: rows of workloads followed by their mean, for each supply. */
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
    const char *machine; /* runs the workloads of `db` if `loads` does not give their costs */
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

/* Data read for a request, in the form of experiments. */
typedef struct ws_chameleon {
    const ws_chameleon_request *request;
    char folder[PATH_MAX]; /* data */
    ws_control control;
    ws_load *load; /* the selected ones */
    size_t loads;
    ws_supply_class type[WS_CHAMELEON_MOST]; /* of generated sources */
    ws_supply measured[WS_CHAMELEON_MOST];   /* of measured sources */
    ws_supply_report report[WS_CHAMELEON_MOST];
    ws_experiment_source source[WS_CHAMELEON_MOST];
    size_t sources;
    const ws_policy *policy[WS_CHAMELEON_MOST];
    size_t policies;
    ws_thermal_chip chip;
    ws_fatigue fatigue;
} ws_chameleon;

/* Reads the data of a request. ws_chameleon_close must follow, also after a failure. */
int ws_chameleon_open(const ws_chameleon_request *request, ws_chameleon *chameleon);
void ws_chameleon_close(ws_chameleon *chameleon);

/* Print --list (all entries, and loads from db, loads and machine of the request; the data read go to *chameleon, which
 * the caller zeroes and closes), and --options. */
int ws_chameleon_list(const ws_chameleon_request *request, ws_chameleon *chameleon);
int ws_chameleon_list_options(const ws_chameleon_request *request);

/* Reads only the server's configuration. */
int ws_chameleon_control(const ws_chameleon_request *request, ws_control *control);

/* Returns the requested experiment, which borrows from `chameleon`, without progress and watcher. */
ws_experiment ws_chameleon_experiment(const ws_chameleon *chameleon);

/* Returns whether there is a single supply, workload, policy and seed, and hence a single timeline. */
bool ws_chameleon_is_one(const ws_chameleon *chameleon);

/* Makes a frame with a row for each supply, workload and policy, or for means of them. With several seeds each outcome
 * has its mean and the ends of its confidence interval. The caller frees *out. */
int ws_chameleon_frame(const ws_chameleon *chameleon, const ws_experiment_result *result, ws_chameleon_per per,
                       ws_frame **out);

/* Record of a run for its figures: at most WS_RECORD_ROWS rows, each for an equal part of the time. */
enum { WS_RECORD_ROWS = 2000 };
typedef struct ws_chameleon_record ws_chameleon_record;
int ws_chameleon_record_create(const ws_chameleon *chameleon, ws_chameleon_record **out);
void ws_chameleon_record_destroy(ws_chameleon_record *record); /* accepts NULL */
/* Watcher (ws_experiment.watch) for an experiment of one run. */
int ws_chameleon_record_see(ws_chameleon_record *record, const ws_drive_period *period, const ws_wear *wear);
/* Make the frames; the caller frees *out. */
int ws_chameleon_timeline(const ws_chameleon_record *record, ws_frame **out);
int ws_chameleon_learning(const ws_chameleon_record *record, ws_frame **out);

/* Measures the effect of each uncertain constant: a row for each option whose ends differ in control.def. `progress` as
 * in ws_experiment. The caller frees *out. */
int ws_chameleon_sensitivity(const ws_chameleon *chameleon, int (*progress)(void *context, double done), void *context,
                             ws_frame **out);

/* Frames of the figures, which are written to request->directory with them. Each may be NULL. */
typedef struct ws_chameleon_pictures {
    const ws_experiment_result *result;
    const ws_frame *timeline, *learning, *sensitivity;
} ws_chameleon_pictures;
int ws_chameleon_draw(const ws_chameleon *chameleon, const ws_chameleon_pictures *pictures);

#endif
