/* predict.h - what walks through caches say of the kernels of a trace, for each mechanism. */
#ifndef WS_DIVERGENCE_PREDICT_H
#define WS_DIVERGENCE_PREDICT_H

#include "model/mechanism/divergence/remedy.h"
#include "collect/wst/wst.h"
#include "model/mechanism/divergence/terms.h"

/* A kernel of a workload: sums over its launches, by mechanism. */
typedef struct ws_predicted_kernel {
    char *kernel;
    uint64_t launches;
    ws_walk_result result[WS_REMEDIES_MOST];
    uint32_t keeps[WS_REMEDIES_MOST]; /* warps that the L1 keeps whole: of the first launch with such loads */
} ws_predicted_kernel;

typedef struct ws_prediction {
    ws_walk_machine machine[WS_REMEDIES_MOST];
    ws_predicted_kernel *kernel;
    size_t kernels, room, mechanisms;
} ws_prediction;

/* Walks all launches of the trace. WS_EUNSUPPORTED for a machine that walks do not know, and what reading traces gives.
 * Free with ws_prediction_free, after failures, too. */
int ws_predict(ws_trace *trace, const ws_remedy *mechanism, size_t mechanisms, ws_prediction *prediction);
void ws_prediction_free(ws_prediction *prediction);

/* Cycles without the mechanism over cycles with it. */
double ws_predicted_speedup(const ws_predicted_kernel *kernel, size_t mechanism);

#endif
