/* predict.h - what walks through caches say of the kernels of a trace, with each remedy. */
#ifndef WS_DIVERGENCE_PREDICT_H
#define WS_DIVERGENCE_PREDICT_H

#include "collect/wst/wst.h"
#include "model/mechanism/divergence/remedy.h"
#include "model/mechanism/divergence/terms.h"
#include "model/mechanism/work_rows.h"

/* What is kept of a kernel: sums over its launches, by remedy. */
typedef struct ws_predicted_kernel {
    ws_walk_result result[WS_REMEDIES_MOST];
    uint32_t keeps[WS_REMEDIES_MOST]; /* warps that the L1 keeps whole: of the first launch with such loads */
} ws_predicted_kernel;

typedef struct ws_prediction {
    ws_walk_machine machine[WS_REMEDIES_MOST];
    ws_work_rows kernels; /* of each a ws_predicted_kernel */
} ws_prediction;

/* Walks all launches of the trace. WS_EUNSUPPORTED for a machine that walks do not know, and what reading traces gives.
 * Free with ws_prediction_fini, after failures, too. */
int ws_predict(ws_trace *trace, const char *workload, const ws_remedies *remedies, ws_prediction *prediction);
void ws_prediction_fini(ws_prediction *prediction);

/* Cycles without the remedy over cycles with it. */
double ws_predicted_speedup(const ws_predicted_kernel *kernel, size_t remedy);

#endif
