/* launch_population.h - the launches of programs as a results file knows them, with what methods of sampling look at.
 */
#ifndef WS_LAUNCH_POPULATION_H
#define WS_LAUNCH_POPULATION_H

#include "metrics/store/store.h"
#include "model/sample/sampling.h"

/* Features of a launch, in the order in which strata are split by them: see features of launch_population.c. */
enum { WS_LAUNCH_FEATURES = 5, WS_LAUNCH_PKA = 12 };

typedef struct ws_known_launch {
    char *kernel, *title; /* mangled; as people read it */
    uint64_t number;
    double instructions, threads;                           /* warp instructions; threads of a block */
    double feature[WS_LAUNCH_FEATURES], pka[WS_LAUNCH_PKA]; /* NaN: not measured */
} ws_known_launch;

typedef struct ws_launch_population {
    char *workload;
    ws_known_launch *known;
    ws_sample_launch *launch; /* of a plan: the same launches */
    size_t launches, room;
} ws_launch_population;

typedef struct ws_launch_populations {
    ws_launch_population *item;
    size_t count, room;
} ws_launch_populations;

/* Launches in the file of the workloads named, all without a name; of run `run`, 0: of those that are shown.
 * WS_ENOTFOUND with the name of one that the file does not have. Zeroed before; free with _fini whatever it returns. */
int ws_launch_populations_load(const char *db, int64_t run, const char *const *workload, size_t workloads,
                               ws_launch_populations *out);
void ws_launch_populations_fini(ws_launch_populations *all);

/* A plan with the options of `how` over the launches, which stay the population's: one plan at a time. */
void ws_launch_population_plan(ws_launch_population *p, const ws_sample_method *method, const ws_sample_plan *how,
                               ws_sample_plan *plan);

#endif
