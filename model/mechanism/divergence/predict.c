/* predict.c - launches of a trace become logs, logs are walked once for each remedy. */
#include "model/mechanism/divergence/predict.h"

#include "base/status.h"
#include "model/access_log.h"
#include "model/mechanism/divergence/keep.h"
#include "model/mechanism/divergence/walk_machine.h"
#include "model/mechanism/trace_take.h"

#include <math.h>

static const size_t LOG_LIMIT = UINT32_MAX - 1;

typedef struct walks {
    ws_prediction *to;
    const char *workload;
    ws_walk *walk[WS_REMEDIES_MOST];
    size_t count;
} walks;

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    const walks *const w = context;
    const ws_access_log *const log = state;
    ws_predicted_kernel *const k = ws_work_rows_kernel(&w->to->kernels, w->workload, launch->kernel);
    (void)sink;
    int status = k ? WS_OK : WS_EMEM;
    for (size_t i = 0; i < w->count && !status; i++) {
        status = ws_walk_launch(w->walk[i], log, launch, &k->result[i]);
        if (!status && !k->keeps[i])
            status = ws_walk_keeps(&w->to->machine[i], log, launch, &k->keeps[i]);
    }
    return status;
}

int ws_predict(ws_trace *trace, const char *workload, const ws_remedies *remedies, ws_prediction *p)
{
    const ws_sink sink = ws_access_log_sink(&LOG_LIMIT);
    walks w = {.to = p, .workload = workload, .count = remedies->count};
    int status = WS_OK;
    *p = (ws_prediction){.kernels.bytes = sizeof(ws_predicted_kernel)};
    for (size_t i = 0; i < w.count && !status; i++) {
        status = ws_walk_machine_of(remedies->one[i].machine, &p->machine[i]);
        if (!status)
            status = ws_walk_create(&p->machine[i], &w.walk[i]);
    }
    if (!status)
        status = ws_trace_take(trace, (const ws_sink *const[]){&sink}, 1, take_log, &w);
    for (size_t i = 0; i < w.count; i++)
        ws_walk_destroy(w.walk[i]);
    return status;
}

void ws_prediction_fini(ws_prediction *p)
{
    ws_work_rows_fini(&p->kernels);
}

double ws_predicted_speedup(const ws_predicted_kernel *kernel, size_t remedy)
{
    return kernel->result[remedy].cycles > 0 ? kernel->result[0].cycles / kernel->result[remedy].cycles : NAN;
}
