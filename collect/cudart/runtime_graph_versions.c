/* runtime_graph_versions.c - functions of graphs and capture whose parameters differ between versions; compiled once
 * for each, with WS_CUDART_MAJOR. CUDA 13 gives edges data where CUDA 11 and 12 did so only under names with _v2. */
#include "collect/cudart/cudart_internal.h"

#include "collect/cudart/cudart_graph.h"

#if WS_CUDART_MAJOR >= 13
#define WITH_EDGES(name) name
#define INFO(name)       name
#else
#define WITH_EDGES(name) name##_v2
#define INFO(name)       name##_v3
#endif

/* A function that one of the libraries exports, declared here because no header can have all of its forms. */
#define EXPORTED(name, params, call) \
    cudaError_t name params; \
    cudaError_t name params \
    { \
        WS_RUNTIME_ENTER(); \
        return ws_rt_from_driver(call); \
    }

/* ------------------------------------------------------------------------------------------------ edges */

EXPORTED(WITH_EDGES(cudaGraphAddDependencies),
         (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
          size_t count),
         cuGraphAddDependencies_v2(graph, from, to, (const CUgraphEdgeData *)edges, count))
EXPORTED(WITH_EDGES(cudaGraphRemoveDependencies),
         (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
          size_t count),
         cuGraphRemoveDependencies_v2(graph, from, to, (const CUgraphEdgeData *)edges, count))
EXPORTED(WITH_EDGES(cudaGraphGetEdges),
         (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges, size_t *count),
         cuGraphGetEdges_v2(graph, from, to, (CUgraphEdgeData *)edges, count))
EXPORTED(WITH_EDGES(cudaGraphNodeGetDependencies),
         (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count),
         cuGraphNodeGetDependencies_v2(node, nodes, (CUgraphEdgeData *)edges, count))
EXPORTED(WITH_EDGES(cudaGraphNodeGetDependentNodes),
         (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count),
         cuGraphNodeGetDependentNodes_v2(node, nodes, (CUgraphEdgeData *)edges, count))
EXPORTED(WITH_EDGES(cudaStreamUpdateCaptureDependencies),
         (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges, size_t count,
          unsigned int flags),
         cuStreamUpdateCaptureDependencies_v2(stream, nodes, (const CUgraphEdgeData *)edges, count, flags))

#define THREADS(name) name##_ptsz
#define PTSZ(name)    THREADS(name)

EXPORTED(PTSZ(WITH_EDGES(cudaStreamUpdateCaptureDependencies)),
         (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges, size_t count,
          unsigned int flags),
         cuStreamUpdateCaptureDependencies_v2(ws_rt_thread_stream(stream), nodes, (const CUgraphEdgeData *)edges, count,
                                              flags))

cudaError_t WITH_EDGES(cudaGraphAddNode)(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *,
                                         const cudaGraphEdgeData *, size_t, struct cudaGraphNodeParams *);
cudaError_t WITH_EDGES(cudaGraphAddNode)(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                                         const cudaGraphEdgeData *edges, size_t count,
                                         struct cudaGraphNodeParams *params)
{
    return ws_rt_add_node(node, graph, before, edges, count, params);
}

/* ------------------------------------------------------------------------------------------------ capture */

typedef unsigned long long id_type;

static CUresult info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, id_type *id, cudaGraph_t *graph,
                     const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges, size_t *count)
{
    return cuStreamGetCaptureInfo_v3(stream, (CUstreamCaptureStatus *)status, (cuuint64_t *)id, graph, nodes,
                                     (const CUgraphEdgeData **)edges, count);
}

EXPORTED(INFO(cudaStreamGetCaptureInfo),
         (cudaStream_t stream, enum cudaStreamCaptureStatus *status, id_type *id, cudaGraph_t *graph,
          const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges, size_t *count),
         info(stream, status, id, graph, nodes, edges, count))
EXPORTED(PTSZ(INFO(cudaStreamGetCaptureInfo)),
         (cudaStream_t stream, enum cudaStreamCaptureStatus *status, id_type *id, cudaGraph_t *graph,
          const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges, size_t *count),
         info(ws_rt_thread_stream(stream), status, id, graph, nodes, edges, count))

/* ------------------------------------------------------------------------------------------------ by version */

#if WS_CUDART_MAJOR < 13

EXPORTED(cudaGraphAddDependencies,
         (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
         cuGraphAddDependencies(graph, from, to, count))
EXPORTED(cudaGraphRemoveDependencies,
         (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t count),
         cuGraphRemoveDependencies(graph, from, to, count))
EXPORTED(cudaGraphGetEdges, (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count),
         cuGraphGetEdges(graph, from, to, count))
EXPORTED(cudaGraphNodeGetDependencies, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count),
         cuGraphNodeGetDependencies(node, nodes, count))
EXPORTED(cudaGraphNodeGetDependentNodes, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count),
         cuGraphNodeGetDependentNodes(node, nodes, count))
EXPORTED(cudaStreamUpdateCaptureDependencies,
         (cudaStream_t stream, cudaGraphNode_t *nodes, size_t count, unsigned int flags),
         cuStreamUpdateCaptureDependencies(stream, nodes, count, flags))
EXPORTED(cudaStreamUpdateCaptureDependencies_ptsz,
         (cudaStream_t stream, cudaGraphNode_t *nodes, size_t count, unsigned int flags),
         cuStreamUpdateCaptureDependencies(ws_rt_thread_stream(stream), nodes, count, flags))
EXPORTED(cudaStreamGetCaptureInfo, (cudaStream_t stream, enum cudaStreamCaptureStatus *status, id_type *id),
         info(stream, status, id, NULL, NULL, NULL, NULL))
EXPORTED(cudaStreamGetCaptureInfo_ptsz, (cudaStream_t stream, enum cudaStreamCaptureStatus *status, id_type *id),
         info(ws_rt_thread_stream(stream), status, id, NULL, NULL, NULL, NULL))
EXPORTED(cudaStreamGetCaptureInfo_v2,
         (cudaStream_t stream, enum cudaStreamCaptureStatus *status, id_type *id, cudaGraph_t *graph,
          const cudaGraphNode_t **nodes, size_t *count),
         info(stream, status, id, graph, nodes, NULL, count))
EXPORTED(cudaStreamGetCaptureInfo_v2_ptsz,
         (cudaStream_t stream, enum cudaStreamCaptureStatus *status, id_type *id, cudaGraph_t *graph,
          const cudaGraphNode_t **nodes, size_t *count),
         info(ws_rt_thread_stream(stream), status, id, graph, nodes, NULL, count))
EXPORTED(cudaEventElapsedTime_v2, (float *milliseconds, cudaEvent_t start, cudaEvent_t end),
         cuEventElapsedTime(milliseconds, start, end))
EXPORTED(cudaGraphExecUpdate_v2, (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *out),
         cuGraphExecUpdate(exec, graph, (CUgraphExecUpdateResultInfo *)out))

cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t,
                             struct cudaGraphNodeParams *);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count,
                             struct cudaGraphNodeParams *params)
{
    return ws_rt_add_node(node, graph, before, NULL, count, params);
}

#endif

#if WS_CUDART_MAJOR >= 12

EXPORTED(cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
         cuGraphInstantiate(exec, graph, flags))
EXPORTED(cudaGraphExecUpdate, (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *out),
         cuGraphExecUpdate(exec, graph, (CUgraphExecUpdateResultInfo *)out))

#else

EXPORTED(cudaGraphInstantiate,
         (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphNode_t *wrong, char *log, size_t room),
         cuGraphInstantiate_v2(exec, graph, wrong, log, room))

static CUresult update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *wrong, int *how)
{
    CUgraphExecUpdateResultInfo out = {0};
    const CUresult result = cuGraphExecUpdate(exec, graph, &out);
    if (wrong)
        *wrong = out.errorNode;
    if (how)
        *how = (int)out.result;
    return result;
}

EXPORTED(cudaGraphExecUpdate, (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *wrong, int *how),
         update(exec, graph, wrong, how))

#endif
