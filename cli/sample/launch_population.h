/* launch_population.h - launches in a results file, with the features used by sampling methods. */
#ifndef WS_LAUNCH_POPULATION_H
#define WS_LAUNCH_POPULATION_H

#include "metrics/store/store.h"
#include "model/sample/sampling.h"

/* Number of features of a launch, in the order of splitting into strata: see features of launch_population.c. */
enum { WS_LAUNCH_FEATURES = 5, WS_LAUNCH_PKA = 12 };

typedef struct ws_known_launch {
    char *kernel, *title; /* mangled name; readable name */
    uint64_t number;
    double instructions, threads;                           /* warp instructions; threads of a block */
    double feature[WS_LAUNCH_FEATURES], pka[WS_LAUNCH_PKA]; /* NaN: not measured */
} ws_known_launch;

typedef struct ws_launch_population {
    char *workload;
    ws_known_launch *known;
    ws_sample_launch *launch; /* the same launches, as input of a plan */
    size_t launches, room;
} ws_launch_population;

typedef struct ws_launch_populations {
    ws_launch_population *item;
    size_t count, room;
} ws_launch_populations;

/* Loads the launches of the named workloads, or of all without a name; of run `run`, or 0: of the runs shown by
 * default. WS_ENOTFOUND names a workload missing from the file. Zero *out before; always free with _fini. */
int ws_launch_populations_load(const char *db, int64_t run, const char *const *workload, size_t workloads,
                               ws_launch_populations *out);
void ws_launch_populations_fini(ws_launch_populations *all);

/* Makes a plan with the options of `how` over the launches. The population keeps ownership: one plan at a time. */
void ws_launch_population_plan(ws_launch_population *p, const ws_sample_method *method, const ws_sample_plan *how,
                               ws_sample_plan *plan);

#endif
