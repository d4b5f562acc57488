/* mechanism.h - a mechanism of a GPU: what it asks of users, what its model says, and what simulations say of the same.
 * Rows of mechanisms.def; `model`, `verify` and the tab key walk them, and a row without its object does not link. */
#ifndef WS_MECHANISM_H
#define WS_MECHANISM_H

#include "model/mechanism/machine_traces.h"
#include "base/options/option_rows.h"
#include "model/mechanism/prediction.h"
#include "model/mechanism/verification.h"

#include <stddef.h>

/* What a comparison takes besides --config. */
enum {
    WS_TAKES_TRACES = 1,
    WS_WANTS_TRACES = 2,
    WS_TAKES_PROTOCOL = 4,
    WS_TAKES_TIER = 8,
    WS_TAKES_ENERGY = 16,
    WS_TAKES_INPUT = 32
};

/* A comparison as `warpscape verify --NAME` offers it. */
typedef struct ws_subject {
    const char *name, *argument; /* of the option; NULL: it has no argument */
    const char *what;            /* its help */
    const char *machine;         /* without --config, a file of data/configs */
    unsigned worst, median;      /* without --worst and --median, percent; 0: those options have no meaning */
    unsigned takes;
    void (*check)(const struct argp_state *state, const ws_verify_request *request); /* NULL: nothing else to refuse */
    const ws_verifier *verifier;
} ws_subject;

/* Those there are, each in the folder of its mechanism. */
extern const ws_subject ws_subject_atomics, ws_subject_chiplets, ws_subject_coherence, ws_subject_divergence,
    ws_subject_memory, ws_subject_network, ws_subject_races, ws_subject_sharing, ws_subject_sync;

enum { WS_NO_TRACES = -1 };
typedef struct ws_mechanism {
    const ws_options *options;
    const void *asked;               /* the request before its options */
    size_t asked_bytes;              /* of it */
    long traces;                     /* offset of its ws_traces_asked, or WS_NO_TRACES */
    void (*complete)(void *request); /* fills in what was not given; NULL: nothing */
    const ws_predictor *model;
    const ws_subject *subject; /* NULL: nothing is simulated */
} ws_mechanism;

#define MECHANISM(name, summary) extern const ws_mechanism ws_mechanism_##name;
#include "model/mechanism/mechanisms.def"
#undef MECHANISM

typedef struct ws_mechanism_row {
    const char *name, *summary;
    const ws_mechanism *is;
} ws_mechanism_row;

/* The rows of the table, *n of them; the subject of the first is compared when no other is asked for. */
const ws_mechanism_row *ws_mechanisms(size_t *n);

#endif
