/* prediction.c - see prediction.h. */
#include "model/mechanism/prediction.h"

#include "base/status.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/trace_walk.h"

#include <stdlib.h>

typedef struct visitor {
    const ws_predictor *model;
    ws_prediction_run *r;
} visitor;

static int visit(void *context, ws_trace *trace, const char *workload, double done)
{
    const visitor *const to = context;
    (void)done;
    return to->model->trace(to->r, trace, workload);
}

int ws_prediction_run_begin(const ws_predictor *model, const void *request, const ws_trace_files *traces, int argc,
                            char **argv, ws_prediction_run *r)
{
    visitor to = {model, r};
    const ws_trace_walk walk = {.files = traces, .visit = visit, .context = &to};
    *r = (ws_prediction_run){.request = request,
                             .argc = argc,
                             .argv = argv,
                             .layout = &model->layout,
                             .notes = ws_frame_create(0, 0, 1, NULL),
                             .state = calloc(1, model->state_bytes ? model->state_bytes : 1)};
    int status = r->notes && r->state ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status && model->on_machine)
        status = ws_machine_choose((const void *)((const char *)request + model->choice), &r->machine);
    if (!status && model->open)
        status = model->open(r);
    if (!status && r->layout->labels[0])
        status = ws_frame_begin(r->layout, &r->frame);
    if (!status && traces && model->trace)
        status = ws_trace_walk_run(&walk);
    return status || !model->finish ? status : model->finish(r);
}

void ws_prediction_run_fini(const ws_predictor *model, ws_prediction_run *r)
{
    if (r->state && model->close)
        model->close(r);
    free(r->state);
    ws_frame_destroy(r->frame);
    ws_frame_destroy(r->notes);
    ws_machine_destroy(r->machine);
}
