/* mechanism.h - a mechanism of a GPU: what it asks of users, what its model says, and what simulations say of the same.
 * Rows of mechanisms.def; `model`, `verify`, `whatif`, `explore` and the tab key walk them, and a row without its
 * object does not link. */
#ifndef WS_MECHANISM_H
#define WS_MECHANISM_H

#include "model/mechanism/machine_traces.h"
#include "base/options/option_rows.h"
#include "model/mechanism/prediction.h"
#include "model/mechanism/quantities.h"
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
    ws_verifier verifier;
} ws_subject;

enum { WS_NO_TRACES = -1 };
typedef struct ws_mechanism {
    const ws_options *options;
    const void *asked;               /* the request before its options */
    size_t asked_bytes;              /* of it */
    long traces;                     /* offset of its ws_traces_asked, or WS_NO_TRACES */
    void (*complete)(void *request); /* fills in what was not given; NULL: nothing */
    ws_predictor model;
    const ws_subject *subject;       /* NULL: nothing is simulated */
    const ws_quantities *quantities; /* of machines under workloads, for `whatif` and `explore`; NULL: none */
} ws_mechanism;

/* Objects of the rows. A row's subject is defined where its mechanism names one. */
#define MECHANISM(name, summary) \
    extern const ws_mechanism ws_mechanism_##name; \
    extern const ws_subject ws_subject_##name;
#include "model/mechanism/mechanisms.def"
#undef MECHANISM

enum {
#define MECHANISM(name, summary) WS_MECHANISM_##name,
#include "model/mechanism/mechanisms.def"
#undef MECHANISM
    WS_MECHANISMS
};

/* The rows of the table; `verify` compares the subject of the first when no other is asked for. */
typedef struct ws_mechanism_row {
    const char *name, *summary;
    const ws_mechanism *is;
} ws_mechanism_row;
extern const ws_mechanism_row ws_mechanism_rows[WS_MECHANISMS];

#endif
