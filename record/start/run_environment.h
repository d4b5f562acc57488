/* run_environment.h - environment of processes that use our libraries in place of the vendor's: variables for the
 * loader, for libraries of Python that search elsewhere, and for the recorder (record/record.c).
 *
 * `warpscape run` gives it to its program, `warpscape env` prints it. */
#ifndef WS_RUN_ENVIRONMENT_H
#define WS_RUN_ENVIRONMENT_H

#include "record/start/elf_look.h"
#include "record/start/run_program.h"

#include <stddef.h>

enum { WS_RUN_VARIABLES = 40 };

typedef struct ws_run_variable {
    const char *name;
    char *value; /* NULL: unset */
} ws_run_variable;

typedef struct ws_run_environment {
    ws_run_variable variable[WS_RUN_VARIABLES];
    size_t count;
} ws_run_environment;

/* Where the records of a request go, and the files of a command that watches. Paths are absolute. */
typedef struct ws_run_places {
    const char *libraries;        /* folder of the libraries, by a name that the loader accepts */
    const ws_elf_facts *program;  /* the only program; NULL: any */
    const char *db;               /* NULL: no results file */
    const char *workload;         /* NULL: the name of each program */
    const char *trace, *launches; /* folder of traces; ranges or file of launches; NULL: none, all */
    const char *board, *notes;    /* files of a command that watches; NULL: none */
    uint64_t run;                 /* number of the run; 0: each process begins its own */
} ws_run_places;

/* Computes the variables of a request. Lists are those of this process with our entries first. Returns WS_OK or
 * WS_EMEM. The caller calls ws_run_environment_fini in either case. */
int ws_run_environment_make(const ws_program_request *request, const ws_run_places *places, ws_run_environment *out);

/* Computes the variables that undo ws_run_environment_make: lists of this process without our entries, and all others
 * unset. As ws_run_environment_make otherwise. */
int ws_run_environment_undo(const char *libraries, ws_run_environment *out);

/* Sets the variables in this process. Returns WS_OK or WS_EMEM. */
int ws_run_environment_set(const ws_run_environment *environment);

void ws_run_environment_fini(ws_run_environment *environment);

#endif
