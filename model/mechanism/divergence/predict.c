/* predict.c - launches of a trace become logs, logs are walked once for each mechanism. */
#include "model/mechanism/divergence/predict.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/interrupt.h"
#include "model/access_log.h"
#include "model/mechanism/divergence/keep.h"
#include "model/mechanism/trace_walk.h"
#include "model/mechanism/divergence/walk_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t LOG_LIMIT = UINT32_MAX - 1;

typedef struct walks {
    ws_prediction *to;
    ws_walk *walk[WS_REMEDIES_MOST];
} walks;

static int find_kernel(ws_prediction *p, const char *name, ws_predicted_kernel **out)
{
    for (size_t i = 0; i < p->kernels; i++)
        if (!strcmp(p->kernel[i].kernel, name)) {
            *out = &p->kernel[i];
            return WS_OK;
        }
    if (WS_GROW(p->kernel, p->room, p->kernels, 1))
        return ws_fail(WS_EMEM, "out of memory");
    *out = &p->kernel[p->kernels];
    **out = (ws_predicted_kernel){.kernel = strdup(name)};
    p->kernels += (*out)->kernel != NULL;
    return (*out)->kernel ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    walks *const w = context;
    ws_prediction *const p = w->to;
    const ws_access_log *const log = state;
    ws_predicted_kernel *k = NULL;
    (void)sink;
    int status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : find_kernel(p, launch->kernel, &k);
    for (size_t i = 0; i < p->mechanisms && !status; i++) {
        status = ws_walk_launch(w->walk[i], log, launch, &k->result[i]);
        if (!status && !k->keeps[i])
            status = ws_walk_keeps(&p->machine[i], log, launch, &k->keeps[i]);
    }
    if (!status)
        k->launches++;
    return status;
}

int ws_predict(ws_trace *trace, const ws_remedy *mechanism, size_t mechanisms, ws_prediction *p)
{
    const ws_sink sink = ws_access_log_sink(&LOG_LIMIT), *const sinks[] = {&sink};
    walks w = {.to = p};
    const ws_replay how = {.sinks = sinks, .sink_count = 1, .workers = 1, .collect = take_log, .context = &w};
    int status = WS_OK;
    *p = (ws_prediction){.mechanisms = mechanisms};
    for (size_t i = 0; i < mechanisms && !status; i++) {
        status = ws_walk_machine_of(mechanism[i].machine, &p->machine[i]);
        if (!status)
            status = ws_walk_create(&p->machine[i], &w.walk[i]);
    }
    if (!status)
        status = ws_trace_replay_all(trace, &how);
    for (size_t i = 0; i < mechanisms; i++)
        ws_walk_destroy(w.walk[i]);
    return status;
}

void ws_prediction_free(ws_prediction *p)
{
    for (size_t i = 0; i < p->kernels; i++)
        free(p->kernel[i].kernel);
    free(p->kernel);
    *p = (ws_prediction){0};
}

double ws_predicted_speedup(const ws_predicted_kernel *kernel, size_t mechanism)
{
    return kernel->result[mechanism].cycles > 0 ? kernel->result[0].cycles / kernel->result[mechanism].cycles : NAN;
}
