/* prediction.h - prediction of a model from traces or a machine, as `warpscape model` runs it. */
#ifndef WS_PREDICTION_H
#define WS_PREDICTION_H

#include "base/frame.h"
#include "model/machine/machine_choice.h"
#include "model/mechanism/trace_files.h"

typedef struct ws_prediction_run {
    const void *request; /* options of the model, as its command parsed them */
    int argc;            /* command line, for the signature of frames */
    char **argv;
    const ws_frame_layout *layout; /* of the frame; the model's, unless open() selects another */
    ws_frame *frame, *notes;       /* rows; notes of the frame, in order */
    ws_machine *machine;           /* for models on a machine */
    void *state;                   /* of the model: state_bytes, zeroed */
} ws_prediction_run;

/* Model. Its functions are called in this order and return WS_OK or a failure, which ends the run. The frame is printed
 * as the ws_frame_output among its options requests. There is no frame if a list was requested, which the model has
 * printed. */
typedef struct ws_predictor {
    ws_frame_layout layout; /* without labels: finish() makes the frame, if any */
    bool on_machine;        /* the run reads the machine of the request, ... */
    size_t choice;          /* ... from the ws_machine_choice at this offset; WS_ON_MACHINE sets both */
    size_t state_bytes;
    int (*open)(ws_prediction_run *r); /* NULL: none */
    int (*trace)(ws_prediction_run *r, ws_trace *trace, const char *workload);
    int (*finish)(ws_prediction_run *r);       /* adds the remaining rows; NULL: none */
    int (*judge)(const ws_prediction_run *r);  /* after the frame is printed: remarks, WS_EVERIFY; NULL: none */
    void (*close)(const ws_prediction_run *r); /* frees the state, also after failures; NULL: none */
} ws_predictor;

/* member: a ws_machine_asked of the request. */
#define WS_ON_MACHINE(type, member) .model.on_machine = true, .model.choice = offsetof(type, member.choice)

/* Runs a model up to its last row; `traces` may be NULL. The caller owns *r, and frees it with ws_prediction_run_fini,
 * also after failures. */
int ws_prediction_run_begin(const ws_predictor *model, const void *request, const ws_trace_files *traces, int argc,
                            char **argv, ws_prediction_run *r);
void ws_prediction_run_fini(const ws_predictor *model, ws_prediction_run *r);

#endif
