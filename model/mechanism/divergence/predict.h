/* predict.h - predictions of cache walks for the kernels of a trace, with each remedy. */
#ifndef WS_DIVERGENCE_PREDICT_H
#define WS_DIVERGENCE_PREDICT_H

#include "collect/wst/wst.h"
#include "model/mechanism/divergence/remedy.h"
#include "model/mechanism/divergence/terms.h"
#include "model/mechanism/work_rows.h"

/* Sums over the launches of a kernel, by remedy. */
typedef struct ws_predicted_kernel {
    ws_walk_result result[WS_REMEDIES_MOST];
    uint32_t keeps[WS_REMEDIES_MOST]; /* warps that the L1 holds entirely: of the first launch with such loads */
} ws_predicted_kernel;

typedef struct ws_prediction {
    ws_walk_machine machine[WS_REMEDIES_MOST];
    ws_work_rows kernels; /* a ws_predicted_kernel for each */
} ws_prediction;

/* Walks all launches of the trace. WS_EUNSUPPORTED for a machine that walks do not support; also failures of reading
 * traces. Free with ws_prediction_fini, also after failures. */
int ws_predict(ws_trace *trace, const char *workload, const ws_remedies *remedies, ws_prediction *prediction);
void ws_prediction_fini(ws_prediction *prediction);

/* Returns the cycles without the remedy over those with it. */
double ws_predicted_speedup(const ws_predicted_kernel *kernel, size_t remedy);

#endif
