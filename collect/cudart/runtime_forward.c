/* runtime_forward.c - functions that are the driver's under another name, or others of the runtime: cudart_calls.def,
 * cudart_forward.def. */
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

/* The host waits for what has just been put into its thread's stream. */
static cudaError_t waited(cudaError_t error)
{
    return error ? error : cudaStreamSynchronize(cudaStreamPerThread);
}

/* Without flags a program gets the functions for the way that it was compiled. */
enum { PER_THREAD_FUNCTIONS = 2 };

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
#define KERNEL(name, params, call) \
    cudaError_t name params \
    { \
        WS_RUNTIME_ENTER_FUNCTION(function, kernel); \
        return ws_rt_from_driver(call); \
    }
#define SAME(name, params, call) \
    cudaError_t name params \
    { \
        return call; \
    }
#include "collect/cudart/cudart_calls.def"
#include "collect/cudart/cudart_forward.def"
#undef FORWARD
#undef KERNEL
#undef SAME
