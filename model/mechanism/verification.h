/* verification.h - a comparison of a model with simulations, as `warpscape verify` runs it. */
#ifndef WS_VERIFICATION_H
#define WS_VERIFICATION_H

#include "base/progress.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/ledger.h"
#include "model/mechanism/trace_files.h"

#include <stdbool.h>
#include <stdint.h>

/* What is wanted of a comparison; what does not go with it is 0. */
enum { WS_VERIFY_PROTOCOLS = 32 };
typedef struct ws_verify_request {
    const char *config;
    const char *protocol[WS_VERIFY_PROTOCOLS]; /* [protocols]; none: all that are known, or the machine's */
    size_t protocols;
    unsigned tier; /* 0: both */
    bool energy;   /* compare joules also */
    const ws_trace_files *traces;
    const char *file; /* the argument of the option that chose the comparison */
    size_t scale;     /* of ws_suite_scales */
    uint64_t seed;
    double worst, median; /* bands, in parts */
} ws_verify_request;

typedef struct ws_verification {
    const ws_verify_request *request;
    ws_machine *machine; /* of --config */
    ws_ledger ledger;
    ws_frame *notes; /* notes of the frame, in their order */
    ws_progress bar;
    double done; /* the part of the traces before this one */
    void *state; /* of the comparison: state_bytes, zeroed */
} ws_verification;

/* A comparison. Its functions return WS_OK or a failure, which ends the run; they are called in this order. */
typedef struct ws_verifier {
    const char *labels[WS_LEDGER_LABELS];
    bool load;          /* rows have a load (ledger.h) */
    bool partial;       /* after a failure the rows before it are printed */
    bool whole;         /* a damaged trace is refused before it is visited */
    const char *remark; /* behind "machine: NAME", the first of the notes; NULL: nothing */
    size_t state_bytes;
    int (*open)(ws_verification *v); /* prepares; NULL: nothing to */
    int (*trace)(ws_verification *v, ws_trace *trace, const char *workload);
    int (*finish)(ws_verification *v);       /* adds rows of all traces; NULL: none */
    int (*judge)(const ws_verification *v);  /* prints a line that sums up; WS_EVERIFY when the model is refuted */
    void (*close)(const ws_verification *v); /* frees the state, after failures also; NULL: nothing to free */
} ws_verifier;

/* A finish(): WS_ENOTFOUND without rows, "no launch in the traces". */
int ws_verification_require_rows(ws_verification *v);

/* Runs a comparison up to its last row. The caller owns *v, and frees it with ws_verification_fini, after failures
 * also. */
int ws_verification_run(const ws_verifier *verifier, const ws_verify_request *request, ws_verification *v);
void ws_verification_fini(const ws_verifier *verifier, ws_verification *v);

#endif
