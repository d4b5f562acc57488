/* mechanism.h - mechanism of a GPU: its options, model and comparison with simulations. Rows of mechanisms.def;
 * `model`, `verify`, `whatif`, `explore` and tab completion use them, and a row without its object does not link. */
#ifndef WS_MECHANISM_H
#define WS_MECHANISM_H

#include "model/mechanism/machine_traces.h"
#include "base/options/option_rows.h"
#include "model/mechanism/prediction.h"
#include "model/mechanism/quantities.h"
#include "model/mechanism/verification.h"

#include <stddef.h>

/* Options of a comparison in addition to --config. */
enum {
    WS_TAKES_TRACES = 1,
    WS_WANTS_TRACES = 2,
    WS_TAKES_PROTOCOL = 4,
    WS_TAKES_TIER = 8,
    WS_TAKES_ENERGY = 16,
    WS_TAKES_INPUT = 32
};

/* Comparison `warpscape verify --NAME`. */
typedef struct ws_subject {
    const char *name, *argument; /* of the option; NULL: no argument */
    const char *what;            /* its help */
    const char *machine;         /* default of --config, a file of data/configs */
    unsigned worst, median;      /* defaults of --worst and --median, percent; 0: the option does not apply */
    unsigned takes;
    void (*check)(const struct argp_state *state,
                  const ws_verify_request *request); /* refuses invalid requests; NULL: none */
    ws_verifier verifier;
} ws_subject;

enum { WS_NO_TRACES = -1 };
typedef struct ws_mechanism {
    const ws_options *options;
    const void *asked;               /* default request */
    size_t asked_bytes;              /* its size */
    long traces;                     /* offset of its ws_traces_asked, or WS_NO_TRACES */
    void (*complete)(void *request); /* sets omitted values; NULL: none */
    ws_predictor model;
    const ws_subject *subject;       /* NULL: no simulation */
    const ws_quantities *quantities; /* of machines with workloads, for `whatif` and `explore`; NULL: none */
} ws_mechanism;

/* Objects of the rows. A row's subject is defined if its mechanism names one. */
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

/* Rows of the table; `verify` compares the subject of the first by default. */
typedef struct ws_mechanism_row {
    const char *name, *summary;
    const ws_mechanism *is;
} ws_mechanism_row;
extern const ws_mechanism_row ws_mechanism_rows[WS_MECHANISMS];

#endif
