/* verification.h - comparison of a model with simulations, as `warpscape verify` runs it. */
#ifndef WS_VERIFICATION_H
#define WS_VERIFICATION_H

#include "base/progress.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/ledger.h"
#include "model/mechanism/trace_files.h"

#include <stdbool.h>
#include <stdint.h>

/* Request of a comparison; options that do not apply are 0. */
enum { WS_VERIFY_PROTOCOLS = 32 };
typedef struct ws_verify_request {
    const char *config;
    const char *protocol[WS_VERIFY_PROTOCOLS]; /* [protocols]; none: all known ones, or the machine's */
    size_t protocols;
    unsigned tier; /* 0: both */
    bool energy;   /* also compare joules */
    const ws_trace_files *traces;
    const char *file; /* argument of the option that selected the comparison */
    size_t scale;     /* of ws_suite_scales */
    uint64_t seed;
    double worst, median; /* bands, as ratios */
} ws_verify_request;

typedef struct ws_verification {
    const ws_verify_request *request;
    ws_machine *machine; /* of --config */
    ws_ledger ledger;
    ws_frame *notes; /* notes of the frame, in order */
    ws_progress bar;
    double done; /* share of the traces before this one */
    void *state; /* of the comparison: state_bytes, zeroed */
} ws_verification;

/* Comparison. Its functions are called in this order and return WS_OK or a failure, which ends the run. */
typedef struct ws_verifier {
    const char *labels[WS_LEDGER_LABELS];
    bool load;          /* rows have a load (ledger.h) */
    bool partial;       /* after a failure the earlier rows are printed */
    bool whole;         /* a damaged trace is refused before it is visited */
    const char *remark; /* appended to "machine: NAME", the first note; NULL: none */
    size_t state_bytes;
    int (*open)(ws_verification *v); /* prepares; NULL: none */
    int (*trace)(ws_verification *v, ws_trace *trace, const char *workload);
    int (*finish)(ws_verification *v);       /* adds rows of all traces; NULL: none */
    int (*judge)(const ws_verification *v);  /* prints a summary line; WS_EVERIFY if the model is refuted */
    void (*close)(const ws_verification *v); /* frees the state, also after failures; NULL: none */
} ws_verifier;

/* For finish(): returns WS_ENOTFOUND without rows, "no launch in the traces". */
int ws_verification_require_rows(ws_verification *v);

/* Runs a comparison up to its last row. The caller owns *v, and frees it with ws_verification_fini, also after
 * failures. */
int ws_verification_run(const ws_verifier *verifier, const ws_verify_request *request, ws_verification *v);
void ws_verification_fini(const ws_verifier *verifier, ws_verification *v);

#endif
