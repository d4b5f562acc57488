/* simulation_internal.h - what simulation.c, simulation_frame.c and simulation_checkpoint.c share. */
#ifndef WS_SIMULATION_INTERNAL_H
#define WS_SIMULATION_INTERNAL_H

#include "base/bytes.h"
#include "base/progress.h"
#include "record/simulate/label_note.h"
#include "record/simulate/load_report.h"
#include "record/simulate/simulation.h"
#include "record/simulate/steady.h"
#include "model/activity.h"

#define WS_SIMULATION_PROJECTED "steady" /* how a launch ended that was stopped */

typedef struct ws_simulation_row {
    char *workload, *kernel;
    char ended[16];
    size_t launch; /* its number; 0: the next one of the workload */
    double *value;
    double *bound;    /* halves of intervals, of the same columns; NULL: nobody asked */
    double simulated; /* share of its warp instructions */
} ws_simulation_row;

struct ws_simulation {
    const ws_machine *machine;
    ws_simulation_options options;
    ws_sim *sim;
    ws_simulation_row *rows;
    size_t count, room;
    ws_sim_sums before, first; /* at the start of the launch; of all */
    ws_progress bar;
    size_t launch;          /* of the trace */
    ws_label_seen labelled; /* what sm.commutative says of the launches that were simulated */
    uint64_t argued;        /* launches of a program that runs live, which arguments are of */
    size_t number;          /* of the launch that runs, from 1 on; 0: it is not from a trace */
    uint64_t trace;         /* what tells it from others */
    uint64_t next_checkpoint;
    ws_load_report *loads;          /* NULL: nobody asked */
    ws_activity_report *activity;   /* NULL: nobody asked */
    ws_activity did;                /* up to the last stretch that was kept */
    uint64_t kept;                  /* cycles of the launch in these */
    const ws_listed_launch *listed; /* [listed_count] that are to be simulated, in order of their numbers; NULL: all */
    size_t listed_count;
    const char *list;     /* the file that lists them */
    uint64_t list_sum;    /* what tells the list from others */
    ws_sim_sums weighted; /* rows as often as their weights say, with a list or where launches are stopped */
    bool rehearsal;       /* the launch that runs is run for what it leaves behind */
    ws_steady steady;     /* of the launch */
    ws_sim_sums part;     /* what it did, if it was stopped */
    /* Of machines that were given up: */
    uint64_t cycles_before, checked_before;
    bool sass;                  /* a launch was recorded on a GPU */
    uint64_t launches, waiting; /* of a trace: taken up, and of these that wait in loops for others */
    bool cold;  /* a trace says how much the host copied, and not where, for a machine that would have it in L2 */
    bool spent; /* the last launch did not end, so the machine cannot take another */
};

/* A row with zeros, for a whole launch. WS_EMEM. */
int ws_simulation_add_row(ws_simulation *s, const char *workload, const char *kernel, const char *ended,
                          ws_simulation_row **out);

/* simulation_checkpoint.c. Launches with their instructions and sizes: warps of another trace would go on somewhere
 * else. */
uint64_t ws_simulation_identify_trace(const ws_trace *trace);
uint64_t ws_simulation_identify_list(const ws_listed_launch *l, size_t n);
/* Writes the checkpoint of the launch that runs. */
int ws_simulation_keep(ws_simulation *s);
/* Reads it, with s->trace known, into `bytes`, which the caller frees in any case. Rows and sums come back; the state
 * of the machine begins at reader->next. */
int ws_simulation_recall(ws_simulation *s, ws_bytes *bytes, ws_reader *reader);

#endif
