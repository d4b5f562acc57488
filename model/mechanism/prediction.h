/* prediction.h - what a model makes of traces or of a machine, as `warpscape model` runs it. */
#ifndef WS_PREDICTION_H
#define WS_PREDICTION_H

#include "base/frame.h"
#include "model/machine/machine_choice.h"
#include "model/mechanism/trace_files.h"

typedef struct ws_prediction_run {
    const void *request; /* options of the model, as its command parsed them */
    int argc;            /* what it was called with, to sign frames */
    char **argv;
    const ws_frame_layout *layout; /* of the frame; the model's, unless open() chooses another */
    ws_frame *frame, *notes;       /* rows; notes of the frame, in their order */
    ws_machine *machine;           /* of models on a machine */
    void *state;                   /* of the model: state_bytes, zeroed */
} ws_prediction_run;

/* A model. Its functions return WS_OK or a failure, which ends the run; they are called in this order. The frame is
 * printed as a ws_frame_output among the children of its options says; there is none when what was asked for is a list,
 * which the model has printed. */
typedef struct ws_predictor {
    ws_frame_layout layout; /* without labels: finish() makes the frame, if any */
    bool on_machine;        /* the run reads the machine of the request, ... */
    size_t choice;          /* ... whose ws_machine_choice is there; WS_ON_MACHINE sets the two */
    size_t state_bytes;
    int (*open)(ws_prediction_run *r); /* NULL: nothing to prepare */
    int (*trace)(ws_prediction_run *r, ws_trace *trace, const char *workload);
    int (*finish)(ws_prediction_run *r);       /* adds the rows that trace() did not; NULL: there are none */
    int (*judge)(const ws_prediction_run *r);  /* once the frame is printed: remarks, WS_EVERIFY; NULL: none */
    void (*close)(const ws_prediction_run *r); /* frees the state, after failures also; NULL: nothing to free */
} ws_predictor;

/* member: a ws_machine_asked of the request. */
#define WS_ON_MACHINE(type, member) .model.on_machine = true, .model.choice = offsetof(type, member.choice)

/* Runs a model up to its last row; `traces` may be NULL. The caller owns *r, and frees it with ws_prediction_run_fini,
 * after failures also. */
int ws_prediction_run_begin(const ws_predictor *model, const void *request, const ws_trace_files *traces, int argc,
                            char **argv, ws_prediction_run *r);
void ws_prediction_run_fini(const ws_predictor *model, ws_prediction_run *r);

#endif
