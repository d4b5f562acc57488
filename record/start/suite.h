/* suite.h - the built-in workloads as a table, and running them into a results file: for the commands suite and study.
 */
#ifndef WS_SUITE_H
#define WS_SUITE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_SUITE_SCALES = 3, WS_SUITE_MOST = 128, WS_SUITE_MOST_WORKERS = 4096 };

/* Bits: the groups that a workload belongs to. What belongs to none runs unless others are asked for. Of those that
 * wait blocks wait for one another, so some counts hang on timing; the others are of studies: of memory divergence, of
 * data that blocks share, of synchronization, of barriers and semaphores, of data that stay from kernel to kernel, and
 * of estimates, which kernels drawn by a seed judge. */
typedef enum ws_suite_group {
    WS_SUITE_USUAL = 0,
    WS_SUITE_WAITING = 1,
    WS_SUITE_DIVERGENCE = 2,
    WS_SUITE_SHARING = 4,
    WS_SUITE_SYNCHRONIZATION = 8,
    WS_SUITE_BARRIERS = 16,
    WS_SUITE_REUSE = 32,
    WS_SUITE_DRAWN = 64,
    WS_SUITE_STUDIES = WS_SUITE_DIVERGENCE | WS_SUITE_SHARING | WS_SUITE_SYNCHRONIZATION | WS_SUITE_BARRIERS |
                       WS_SUITE_REUSE | WS_SUITE_DRAWN
} ws_suite_group;

typedef struct ws_suite_workload {
    const char *abbr, *name, *suite;
    int kernels;
    bool shared;
    unsigned groups;                 /* ws_suite_group */
    double million[WS_SUITE_SCALES]; /* warp instructions at each scale, for the progress bar */
    const char *description;
} ws_suite_workload;

/* A workload of the study's map, and what its table 7-11 says of it. */
typedef struct ws_study_member {
    const char *abbr;
    double threads, intensity; /* over all launches; arithmetic instructions to memory instructions */
} ws_study_member;

/* Names of the scales, as in ws_suite_workload.million; NULL behind the last. */
extern const char *const ws_suite_scales[];

const ws_suite_workload *ws_suite_workloads(size_t *n);
const ws_study_member *ws_study_members(size_t *n);
/* Whether the workload belongs to the group; WS_SUITE_USUAL: to none. */
bool ws_suite_is_of(const ws_suite_workload *workload, ws_suite_group group);
/* NULL when there is none of that name. */
const ws_suite_workload *ws_suite_find(const char *abbr);
const ws_study_member *ws_study_find(const char *abbr);
/* Whether the study used the workload at all: in its map, or beside it. */
bool ws_study_has(const char *abbr);

/* Marks the workload of that name, in any case, in wanted[WS_SUITE_MOST]; argp_error, with a guess, when there is none.
 */
void ws_suite_want(const struct argp_state *state, const char *text, bool *wanted);

typedef struct ws_suite_request {
    size_t scale;      /* index of ws_suite_scales */
    const char *sizes; /* NAME=N,... of the workloads' --size; NULL: those of the scale */
    uint64_t seed;
    uint64_t workers; /* 0: as many as there are processors */
    const char *set;  /* of metrics */
    bool profile;     /* with profiles for models */
    bool lines;       /* with what each instruction did */
    const char *db;   /* the results file; it is made when it is not there */
    const char
        *trace; /* folder that takes a trace file of each workload; it is made when it is not there. NULL: none */
    const char
        *launches;      /* file that lists those that are measured, and the workloads when none is marked; NULL: all */
    bool values;        /* with the values that some metrics look at */
    unsigned checks;    /* bits of ws_check: what programs do wrong that their results may not show */
    bool pages;         /* memory lies in pages as on a GPU and under ws_program_run (ws_device_options) */
    const bool *wanted; /* [WS_SUITE_MOST]; none marked: all of the group */
    ws_suite_group group;
    bool resume;       /* leave out what is done in the file at this scale and seed */
    bool quiet;        /* and say nothing about it */
    const char *again; /* what goes on after an interruption, for the message: "--resume" */
} ws_suite_request;

/* A line on stderr for each workload, progress between, and one for each finding of checks. WS_EVERIFY when one failed
 * or has findings, the others being done; WS_EINTERRUPTED, and what ws_store_open gives. */
int ws_suite_run(const ws_suite_request *request);

/* Where the programs of the workloads are: one named by the abbreviation of each. WS_ENOTFOUND. */
int ws_suite_find_folder(char *folder, size_t size);

/* How a workload's process ended, in words; "done" when well. */
struct ws_child_result;
void ws_suite_describe(const ws_suite_workload *workload, const struct ws_child_result *result, char *text,
                       size_t size);

#endif
