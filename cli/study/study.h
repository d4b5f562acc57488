/* study.h - reproduction of the study: data and results of `warpscape study`, and the steps that compute them. */
#ifndef WS_STUDY_COMMAND_H
#define WS_STUDY_COMMAND_H

#include "plots/album.h"
#include "cli/report/analysis.h"
#include "base/options/sizes.h"
#include "record/start/suite.h"
#include "cluster/stability.h"

enum { WS_STUDY_SUBSPACES = 5, WS_STUDY_LINKAGES = 2 }; /* linkages used by the study: single, complete */

typedef enum ws_study_keep { WS_STUDY_70, WS_STUDY_90, WS_STUDY_KAISER, WS_STUDY_KEEPS } ws_study_keep;

typedef struct ws_study {
    const char *directory, *db, *machines; /* machines: scale of the check, or "none" */
    const char *simulate;                  /* scale of the simulated workloads, or "none" */
    uint64_t simulated_cycles;             /* limit per workload; 0: all */
    ws_suite_request suite;
    bool wanted[WS_SUITE_MOST];
    size_t draws, references, permutations;
    uint64_t random_seed;
    unsigned workers;

    char *failure; /* owned: failures that did not stop the report; NULL: none */

    ws_frame *matrix, *beside; /* the study's dimensions: workloads of its map; other workloads, NULL without any */
    ws_frame *modern;          /* for its workloads, the columns common to all */
    ws_frame *every;           /* all metrics of all workloads run */
    ws_frame *costs;           /* for its workloads: engine seconds, thread instructions */
    ws_frame *dropped;         /* constant dimensions */
    ws_sizes sizes;

    ws_analysis map[WS_STUDY_KEEPS][WS_STUDY_LINKAGES];
    ws_analysis subspace[WS_STUDY_SUBSPACES]; /* complete linkage, 90 %; without points if too few columns vary */
    ws_analysis newer;                        /* of the modern set, complete linkage, 90 % */
    ws_frame *subsets[2];                     /* 70 %, 90 % */
    ws_frame *errors, *weighted;              /* of the subsets at 90 % */
    ws_frame *choice, *quality, *agreement;   /* quality: of all linkages */
    ws_stability stability;                   /* complete linkage, 90 % */

    ws_frame *machine_table; /* one row per workload: distances among its runs on six machines, and to other workloads;
                                empty without the check */
    size_t cells, cells_changed; /* numbers compared between runs with one and several workers; number that differ */
    double machine_rand;         /* agreement of the cut of all runs with the workloads */

    ws_frame *simulated; /* simulator results: rows of ws_study_simulated[0], then [1], in the order of matrix; empty
                            without simulation */

    char *claims_file;
    struct ws_claims *claims; /* evaluated with the frames of the report (cli/claims/claims.h) */
    ws_album album;
} ws_study;

extern const ws_linkage ws_study_linkages[WS_STUDY_LINKAGES];
extern const char *const ws_study_keep_names[WS_STUDY_KEEPS]; /* "70", "90", "kaiser" */
typedef struct ws_study_subspace {
    const char *group, *word;
} ws_study_subspace;
extern const ws_study_subspace ws_study_subspaces[WS_STUDY_SUBSPACES];

/* Each step uses the results of earlier ones. All return WS_OK or a failure. */
int ws_study_load(ws_study *study);           /* matrix .. costs, from the results file */
int ws_study_analyse(ws_study *study);        /* map .. stability */
int ws_study_check_machines(ws_study *study); /* runs the check and sets its fields; no rows if machines is "none" */
int ws_study_simulate(ws_study *study);       /* sets simulated and traffic frames; no rows if `simulate` is "none" */
int ws_study_save_frames(ws_study *study);
int ws_study_judge(ws_study *study); /* evaluates claims with the saved frames */
int ws_study_draw(ws_study *study);
int ws_study_write_page(const void *study, FILE *out);
int ws_study_write_claims(const void *study, FILE *out); /* as a Markdown table */
void ws_study_drop_claims(ws_study *study);
void ws_study_fini(ws_study *study);

/* Sets claims_file. WS_ENOTFOUND if the file is missing. */
int ws_study_find_claims(ws_study *study);

/* Runs workloads. Failed workloads do not stop the study: `failure` records them, and the others run. */
int ws_study_run_suite(ws_study *study, const ws_suite_request *request);

/* Machines of data/configs used for simulation. */
enum { WS_STUDY_SIMULATED = 3 };
extern const char *const ws_study_simulated[WS_STUDY_SIMULATED];

/* Returns the value of a column in the row of a workload; NaN if either is missing. */
double ws_study_value(const ws_frame *frame, const char *workload, const char *column);

#endif
