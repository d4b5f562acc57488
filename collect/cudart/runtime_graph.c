/* runtime_graph.c - nodes of graphs whose parameters the runtime describes in its own way: kernels by their stubs,
 * copies by direction and in elements of arrays. The rest of graphs is in cudart_forward.def. */
#include "collect/cudart/cudart_internal.h"

#include "base/bounds.h"
#include "collect/cudart/cudart_graph.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ kernels */

static cudaError_t kernel_of(CUDA_KERNEL_NODE_PARAMS *out, const struct cudaKernelNodeParams *p)
{
    if (!p)
        return cudaErrorInvalidValue;
    *out = (CUDA_KERNEL_NODE_PARAMS){.gridDimX = p->gridDim.x,
                                     .gridDimY = p->gridDim.y,
                                     .gridDimZ = p->gridDim.z,
                                     .blockDimX = p->blockDim.x,
                                     .blockDimY = p->blockDim.y,
                                     .blockDimZ = p->blockDim.z,
                                     .sharedMemBytes = p->sharedMemBytes,
                                     .kernelParams = p->kernelParams,
                                     .extra = p->extra};
    return ws_rt_find_kernel(p->func, &out->func);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
{
    WS_RUNTIME_ENTER();
    CUDA_KERNEL_NODE_PARAMS p;
    if (!params)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuGraphKernelNodeGetParams(node, &p);
    if (!result)
        *params = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)ws_rt_stub_of(p.func),
                                                .gridDim = {p.gridDimX, p.gridDimY, p.gridDimZ},
                                                .blockDim = {p.blockDimX, p.blockDimY, p.blockDimZ},
                                                .sharedMemBytes = p.sharedMemBytes,
                                                .kernelParams = p.kernelParams};
    return ws_rt_from_driver(result);
}

/* ------------------------------------------------------------------------------------------------ copies */

static CUresult add_copy(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before, size_t count,
                         const CUDA_MEMCPY3D *c)
{
    return cuGraphAddMemcpyNode(node, graph, before, count, c, NULL);
}

static CUresult set_copy(cudaGraphExec_t exec, cudaGraphNode_t node, const CUDA_MEMCPY3D *c)
{
    return exec ? cuGraphExecMemcpyNodeSetParams(exec, node, c, NULL) : cuGraphMemcpyNodeSetParams(node, c);
}

static cudaError_t set_box(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaMemcpy3DParms *params)
{
    WS_RUNTIME_ENTER();
    CUDA_MEMCPY3D c;
    const cudaError_t error = params ? ws_rt_box_of(&c, params) : cudaErrorInvalidValue;
    return error ? ws_rt_result(error) : ws_rt_from_driver(set_copy(exec, node, &c));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params)
{
    return set_box(NULL, node, params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params)
{
    return exec ? set_box(exec, node, params) : ws_rt_result(cudaErrorInvalidValue);
}

/* What ws_rt_box_of made of the program's description, turned back. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params)
{
    WS_RUNTIME_ENTER();
    CUDA_MEMCPY3D c;
    if (!params)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuGraphMemcpyNodeGetParams(node, &c);
    return result ? ws_rt_from_driver(result) : ws_rt_result(ws_rt_parms_of(params, &c));
}

/* ------------------------------------------------------------------------------------------------ rows of bytes */

static cudaError_t row_of(CUDA_MEMCPY3D *c, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    *c = (CUDA_MEMCPY3D){.dstHost = to,
                         .dstDevice = (uintptr_t)to,
                         .srcHost = from,
                         .srcDevice = (uintptr_t)from,
                         .WidthInBytes = bytes,
                         .Height = 1,
                         .Depth = 1};
    return ws_rt_ends_of(kind, &c->dstMemoryType, &c->srcMemoryType) ? cudaSuccess : cudaErrorInvalidMemcpyDirection;
}

/* A row that begins in a variable of the device, on one of its ends. */
static cudaError_t variable_row(CUDA_MEMCPY3D *c, const void *symbol, void *to, const void *from, size_t bytes,
                                size_t offset, enum cudaMemcpyKind kind)
{
    CUdeviceptr address = 0;
    size_t size = 0;
    const cudaError_t error = ws_rt_find_variable(symbol, &address, &size);
    if (error)
        return error;
    if (!ws_range_within(offset, bytes, size))
        return cudaErrorInvalidValue;
    void *const place = (void *)(uintptr_t)(address + offset);
    return row_of(c, to ? to : place, from ? from : place, bytes, kind);
}

/* ------------------------------------------------------------------------------------------------ any node */

/* Parameters of any kind of node as the driver wants them. */
static cudaError_t params_of(CUgraphNodeParams *out, struct cudaGraphNodeParams *p)
{
    if (!p)
        return cudaErrorInvalidValue;
    *out = (CUgraphNodeParams){.type = (CUgraphNodeType)p->type};
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return kernel_of(&out->kernel, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return ws_rt_box_of(&out->memcpy.copyParams, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        memcpy(&out->memset, &p->memset, sizeof p->memset); /* the driver's has a context behind it */
        return cudaSuccess;
    default: /* alike: the rest is nothing but handles, addresses and properties of pools */
        memcpy(out->reserved1, p->reserved1, sizeof out->reserved1);
        return cudaSuccess;
    }
}

cudaError_t ws_rt_add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                           const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *params)
{
    WS_RUNTIME_ENTER();
    CUgraphNodeParams p;
    const cudaError_t error = params_of(&p, params);
    if (error)
        return ws_rt_result(error);
    const CUresult result = cuGraphAddNode_v2(node, graph, before, (const CUgraphEdgeData *)edges, count, &p);
    if (!result && params->type == cudaGraphNodeTypeMemAlloc)
        params->alloc.dptr = (void *)(uintptr_t)p.alloc.dptr;
    if (!result && params->type == cudaGraphNodeTypeConditional)
        params->conditional.phGraph_out = p.conditional.phGraph_out;
    return ws_rt_from_driver(result);
}

#define NODE(name, params, driver_type, made_of, call) \
    cudaError_t name params \
    { \
        WS_RUNTIME_ENTER(); \
        driver_type made; \
        const cudaError_t error = made_of; \
        return error ? ws_rt_result(error) : ws_rt_from_driver(call); \
    }
#include "collect/cudart/cudart_nodes.def"
#undef NODE

/* ------------------------------------------------------------------------------------------------ launching */

/* What a kernel does wrong is found by who waits for it, as after any launch. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    const cudaError_t sticky = ws_rt_sticky();
    if (sticky)
        return ws_rt_result(sticky);
    const CUresult result = cuGraphLaunch(exec, stream);
    return result && ws_rt_sticky() == (cudaError_t)result ? cudaSuccess : ws_rt_from_driver(result);
}
