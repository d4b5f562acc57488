/* runtime_forward.c - functions that are the driver's under another name (cudart_forward.def), and their forms for
 * programs with a default stream for each thread. */
#include "collect/cudart/cudart_internal.h"

#include "collect/cudart/cudart_graph.h"

/* What is handed through is laid out alike. */
_Static_assert(sizeof(struct cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS), "memset nodes");
_Static_assert(sizeof(struct cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS), "host nodes");
_Static_assert(sizeof(struct cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS), "memory nodes");
_Static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps), "pools");
_Static_assert(sizeof(struct cudaMemAccessDesc) == sizeof(CUmemAccessDesc), "access");
_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "places");
_Static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData), "edges");
_Static_assert(sizeof(cudaGraphInstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS), "instantiation");

#define AT(pointer)  ((CUdeviceptr)(uintptr_t)(pointer))
#define EDGES(edges) ((const CUgraphEdgeData *)(edges))
#define FILL(params) ((const CUDA_MEMSET_NODE_PARAMS *)(params))
#define HOST(params) ((const CUDA_HOST_NODE_PARAMS *)(params))
#define FORWARD(name, params, call) \
    cudaError_t name params \
    { \
        WS_RUNTIME_ENTER(); \
        return ws_rt_from_driver(call); \
    }
#include "collect/cudart/cudart_forward.def"
#undef FORWARD

/* ------------------------------------------------------------------------------------------ streams of threads */

cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long *id)
{
    return cudaStreamGetId(ws_rt_thread_stream(stream), id);
}

cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t to, cudaStream_t from)
{
    return cudaStreamCopyAttributes(ws_rt_thread_stream(to), ws_rt_thread_stream(from));
}

cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t stream, int attribute, void *value)
{
    return cudaStreamGetAttribute(ws_rt_thread_stream(stream), attribute, value);
}

cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t stream, int attribute, const void *value)
{
    return cudaStreamSetAttribute(ws_rt_thread_stream(stream), attribute, value);
}

cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return cudaStreamBeginCapture(ws_rt_thread_stream(stream), mode);
}

cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                               const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                                               size_t count, enum cudaStreamCaptureMode mode)
{
    return cudaStreamBeginCaptureToGraph(ws_rt_thread_stream(stream), graph, dependencies, edges, count, mode);
}

cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t *graph)
{
    return cudaStreamEndCapture(ws_rt_thread_stream(stream), graph);
}

cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    return cudaStreamIsCapturing(ws_rt_thread_stream(stream), status);
}

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    return cudaEventRecordWithFlags(event, ws_rt_thread_stream(stream), flags);
}

cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream)
{
    return cudaGraphLaunch(exec, ws_rt_thread_stream(stream));
}

cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t exec, cudaStream_t stream)
{
    return cudaGraphUpload(exec, ws_rt_thread_stream(stream));
}

/* An upload goes into a stream, but has nothing to do there. */
cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                cudaGraphInstantiateParams *params)
{
    return cudaGraphInstantiateWithParams(exec, graph, params);
}

cudaError_t cudaMallocFromPoolAsync_ptsz(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(pointer, bytes, pool, ws_rt_thread_stream(stream));
}
