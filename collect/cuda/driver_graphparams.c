/* driver_graphparams.c - what do the nodes of a graph do? Parameters of nodes as the API gives and takes them. */
#include "collect/cuda/graph_internal.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ to a task */

static CUresult of_memory_operations(ws_task *task, const CUDA_BATCH_MEM_OP_NODE_PARAMS *p)
{
    const CUresult result = ws_memory_ops_check(p->count, p->paramArray, p->flags);
    const ws_task given = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, .memory = {p->count, p->flags, p->paramArray}};
    return result ? result : ws_task_clone(task, &given);
}

static CUresult of_child(ws_task *task, CUgraph child, int ownership)
{
    if (!ws_handle_find(child, WS_HANDLE_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    if (ownership || ws_graph_has_kind(child, CU_GRAPH_NODE_TYPE_CONDITIONAL) ||
        ws_graph_has_kind(child, CU_GRAPH_NODE_TYPE_MEM_ALLOC) || ws_graph_has_kind(child, CU_GRAPH_NODE_TYPE_MEM_FREE))
        return CUDA_ERROR_NOT_SUPPORTED;
    task->type = CU_GRAPH_NODE_TYPE_GRAPH;
    return ws_graph_clone(child, &task->child);
}

static CUresult of_free(ws_task *task, CUdeviceptr address)
{
    const ws_allocation *const a = ws_handle_find((const void *)(uintptr_t)address, WS_HANDLE_MEMORY);
    task->address = address;
    return a && !a->host && !a->managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult ws_task_of_params(ws_task *task, CUgraphNodeParams *p)
{
    *task = (ws_task){.type = p->type};
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: /* a kernel by handle instead of by function is the context-free form */
        if (!p->kernel.func && p->kernel.kern)
            p->kernel.func = (CUfunction)p->kernel.kern;
        return ws_kernel_task(task, &p->kernel, (ws_launch_manner){0});
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        task->copy = p->memcpy.copyParams;
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        task->set = (CUDA_MEMSET_NODE_PARAMS){p->memset.dst,         p->memset.pitch, p->memset.value,
                                              p->memset.elementSize, p->memset.width, p->memset.height};
        break;
    case CU_GRAPH_NODE_TYPE_HOST:
        task->host = p->host;
        break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return of_child(task, p->graph.graph, p->graph.ownership);
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        task->event = p->eventWait.event;
        break;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        if (!p->eventRecord.event) /* as driver 580 answers */
            return CUDA_ERROR_INVALID_VALUE;
        task->event = p->eventRecord.event;
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        task->alloc = p->alloc;
        return CUDA_SUCCESS; /* ws_graph_memory_reserve looks at it */
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return of_free(task, p->free.dptr);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return of_memory_operations(task, &p->memOp);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: /* what it is cannot change; cuGraphAddNode makes it */
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
    return ws_task_check(task);
}

/* ------------------------------------------------------------------------------------------------ changing nodes */

/* Puts a new task, which it takes over, in the place of the node's. */
static CUresult replace(CUgraphNode node, ws_task *task)
{
    if (task->type == CU_GRAPH_NODE_TYPE_GRAPH)
        task->child->parent = node;
    if (task->type == CU_GRAPH_NODE_TYPE_KERNEL) { /* attributes stay */
        task->kernel.cooperative = node->task.kernel.cooperative;
        memcpy(task->kernel.cluster, node->task.kernel.cluster, sizeof task->kernel.cluster);
        task->kernel.priority = node->task.kernel.priority;
    }
    ws_task_clear(&node->task);
    node->task = *task;
    return CUDA_SUCCESS;
}

static bool is_kind(CUgraphNode node, CUgraphNodeType type)
{
    return ws_handle_find(node, WS_HANDLE_NODE) && node->task.type == type;
}

static CUresult set_node(CUgraphNode node, CUgraphNodeParams *p)
{
    WS_ENTER_CONTEXT(context);
    if (!p || !is_kind(node, p->type))
        return CUDA_ERROR_INVALID_VALUE;
    if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || p->type == CU_GRAPH_NODE_TYPE_MEM_FREE ||
        p->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return CUDA_ERROR_NOT_SUPPORTED;
    ws_task task;
    const CUresult result = ws_task_of_params(&task, p);
    return result ? result : replace(node, &task);
}

/* The node of an instantiated graph that stands for a node of the graph it was made from, also in child graphs and
 * bodies. */
static CUgraphNode counterpart(CUgraph graph, uint64_t serial)
{
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const CUgraphNode node = graph->nodes.item[i];
        if (node->original == serial)
            return node;
        const ws_task *const t = &node->task;
        CUgraphNode inner = t->type == CU_GRAPH_NODE_TYPE_GRAPH ? counterpart(t->child, serial) : NULL;
        for (unsigned k = 0; t->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && k < t->condition.size && !inner; k++)
            inner = counterpart(t->condition.body[k], serial);
        if (inner)
            return inner;
    }
    return NULL;
}

static CUgraphNode find_in_exec(CUgraphExec exec, CUgraphNode node)
{
    return ws_handle_find(exec, WS_HANDLE_EXEC) && ws_handle_find(node, WS_HANDLE_NODE)
               ? counterpart(exec->graph, node->serial)
               : NULL;
}

/* What may not change in an instantiated graph: the shape of copies and fills of several rows. */
static bool may_become(const ws_task *old, const ws_task *new)
{
    if (old->type == CU_GRAPH_NODE_TYPE_MEMCPY)
        return old->copy.Height <= 1 && old->copy.Depth <= 1 && new->copy.Height <= 1 && new->copy.Depth <= 1 &&
               old->copy.srcMemoryType == new->copy.srcMemoryType && old->copy.dstMemoryType == new->copy.dstMemoryType;
    if (old->type == CU_GRAPH_NODE_TYPE_MEMSET)
        return old->set.height <= 1 && new->set.height <= 1;
    return true;
}

static CUresult set_in_exec(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *p)
{
    WS_ENTER_CONTEXT(context);
    const CUgraphNode target = p ? find_in_exec(exec, node) : NULL;
    if (!target || target->task.type != p->type)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || p->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
        return CUDA_ERROR_NOT_SUPPORTED;
    ws_task task;
    const CUresult result = ws_task_of_params(&task, p);
    if (result)
        return result;
    if (may_become(&target->task, &task) &&
        (task.type != CU_GRAPH_NODE_TYPE_GRAPH || ws_graph_same_shape(target->task.child, task.child)))
        return replace(target, &task);
    ws_task_clear(&task); /* of graphs that differ the driver says so, as 580 answers */
    return p->type == CU_GRAPH_NODE_TYPE_GRAPH ? CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params)
{
    return set_node(node, params);
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params)
{
    return set_in_exec(exec, node, params);
}

/* ------------------------------------------------------------------------------------------------ kernels */

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params)
{
    WS_ENTER_CONTEXT(context);
    if (!params || !is_kind(node, CU_GRAPH_NODE_TYPE_KERNEL))
        return CUDA_ERROR_INVALID_VALUE;
    const typeof(node->task.kernel) *const k = &node->task.kernel;
    *params = (CUDA_KERNEL_NODE_PARAMS){k->function, k->grid[0],      k->grid[1], k->grid[2], k->block[0], k->block[1],
                                        k->block[2], k->shared_bytes, k->param,   NULL,       NULL,        NULL};
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue *value)
{
    WS_ENTER_CONTEXT(context);
    if (!value || !is_kind(node, CU_GRAPH_NODE_TYPE_KERNEL))
        return CUDA_ERROR_INVALID_VALUE;
    *value = (CUkernelNodeAttrValue){{0}};
    switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        value->cooperative = node->task.kernel.cooperative;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        value->clusterDim.x = node->task.kernel.cluster[0];
        value->clusterDim.y = node->task.kernel.cluster[1];
        value->clusterDim.z = node->task.kernel.cluster[2];
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        value->priority = node->task.kernel.priority;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: /* none is set */
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue *value)
{
    WS_ENTER_CONTEXT(context);
    if (!value || !is_kind(node, CU_GRAPH_NODE_TYPE_KERNEL))
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: {
        const bool before = node->task.kernel.cooperative;
        node->task.kernel.cooperative = value->cooperative;
        const CUresult result = ws_kernel_check(&node->task);
        if (result)
            node->task.kernel.cooperative = before;
        return result;
    }
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: {
        const ws_task before = node->task;
        const unsigned n[3] = {value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
        memcpy(node->task.kernel.cluster, n, sizeof n);
        const CUresult result = ws_kernel_check(&node->task);
        if (result)
            node->task = before;
        return result;
    }
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        node->task.kernel.priority = value->priority;
        return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: /* a hint; persistingL2CacheMaxSize is 0 */
        return value->accessPolicyWindow.num_bytes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
    WS_ENTER_CONTEXT(context);
    if (!is_kind(to, CU_GRAPH_NODE_TYPE_KERNEL) || !is_kind(from, CU_GRAPH_NODE_TYPE_KERNEL))
        return CUDA_ERROR_INVALID_VALUE;
    to->task.kernel.cooperative = from->task.kernel.cooperative;
    memcpy(to->task.kernel.cluster, from->task.kernel.cluster, sizeof to->task.kernel.cluster);
    to->task.kernel.priority = from->task.kernel.priority;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ the others */

/* A getter copies what the node of this kind has at `field`. */
#define GETTER(call, kind, type, field) \
    CUresult call(CUgraphNode node, type *out) \
    { \
        WS_ENTER_CONTEXT(context); \
        if (!out || !is_kind(node, CU_GRAPH_NODE_TYPE_##kind)) \
            return CUDA_ERROR_INVALID_VALUE; \
        *out = node->task.field; \
        return CUDA_SUCCESS; \
    }

GETTER(cuGraphMemcpyNodeGetParams, MEMCPY, CUDA_MEMCPY3D, copy)
GETTER(cuGraphMemsetNodeGetParams, MEMSET, CUDA_MEMSET_NODE_PARAMS, set)
GETTER(cuGraphHostNodeGetParams, HOST, CUDA_HOST_NODE_PARAMS, host)
GETTER(cuGraphChildGraphNodeGetGraph, GRAPH, CUgraph, child)
GETTER(cuGraphEventRecordNodeGetEvent, EVENT_RECORD, CUevent, event)
GETTER(cuGraphEventWaitNodeGetEvent, WAIT_EVENT, CUevent, event)
GETTER(cuGraphMemAllocNodeGetParams, MEM_ALLOC, CUDA_MEM_ALLOC_NODE_PARAMS, alloc)
GETTER(cuGraphMemFreeNodeGetParams, MEM_FREE, CUdeviceptr, address)

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params)
{
    WS_ENTER_CONTEXT(context);
    if (!params || !is_kind(node, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP))
        return CUDA_ERROR_INVALID_VALUE;
    *params = (CUDA_BATCH_MEM_OP_NODE_PARAMS){node->handle.owner, node->task.memory.count, node->task.memory.op,
                                              node->task.memory.flags};
    return CUDA_SUCCESS;
}

/* Setters give it to the node, or to that of an instantiated graph. */
#define SETTERS(call, exec_call, kind, struct_, field) \
    CUresult call(CUgraphNode node, const struct_ *params) \
    { \
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_##kind}; \
        if (params) \
            p.field = *params; \
        return set_node(node, params ? &p : NULL); \
    } \
    CUresult exec_call(CUgraphExec exec, CUgraphNode node, const struct_ *params) \
    { \
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_##kind}; \
        if (params) \
            p.field = *params; \
        return set_in_exec(exec, node, params ? &p : NULL); \
    }

SETTERS(cuGraphKernelNodeSetParams, cuGraphExecKernelNodeSetParams, KERNEL, CUDA_KERNEL_NODE_PARAMS, kernel)
SETTERS(cuGraphHostNodeSetParams, cuGraphExecHostNodeSetParams, HOST, CUDA_HOST_NODE_PARAMS, host)
SETTERS(cuGraphBatchMemOpNodeSetParams, cuGraphExecBatchMemOpNodeSetParams, BATCH_MEM_OP, CUDA_BATCH_MEM_OP_NODE_PARAMS,
        memOp)

#define EVENT_SETTERS(call, exec_call, kind, field) \
    CUresult call(CUgraphNode node, CUevent event) \
    { \
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_##kind, .field.event = event}; \
        return set_node(node, &p); \
    } \
    CUresult exec_call(CUgraphExec exec, CUgraphNode node, CUevent event) \
    { \
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_##kind, .field.event = event}; \
        return set_in_exec(exec, node, &p); \
    }

EVENT_SETTERS(cuGraphEventRecordNodeSetEvent, cuGraphExecEventRecordNodeSetEvent, EVENT_RECORD, eventRecord)
EVENT_SETTERS(cuGraphEventWaitNodeSetEvent, cuGraphExecEventWaitNodeSetEvent, WAIT_EVENT, eventWait)

static CUgraphNodeParams of_copy(const CUDA_MEMCPY3D *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
    if (params)
        p.memcpy.copyParams = *params;
    return p;
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params)
{
    CUgraphNodeParams p = of_copy(params);
    return set_node(node, params ? &p : NULL);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params,
                                        CUcontext context)
{
    CUgraphNodeParams p = of_copy(params);
    p.memcpy.copyCtx = context;
    return set_in_exec(exec, node, params ? &p : NULL);
}

static CUgraphNodeParams of_fill(const CUDA_MEMSET_NODE_PARAMS *q, CUcontext context)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    if (q)
        p.memset = (typeof(p.memset)){q->dst, q->pitch, q->value, q->elementSize, q->width, q->height, context};
    return p;
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params)
{
    CUgraphNodeParams p = of_fill(params, NULL);
    return set_node(node, params ? &p : NULL);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params,
                                        CUcontext context)
{
    CUgraphNodeParams p = of_fill(params, context);
    return set_in_exec(exec, node, params ? &p : NULL);
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph.graph = child};
    return set_in_exec(exec, node, &p);
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int enabled)
{
    WS_ENTER_CONTEXT(context);
    const CUgraphNode target = find_in_exec(exec, node);
    if (!target || (target->task.type != CU_GRAPH_NODE_TYPE_KERNEL && target->task.type != CU_GRAPH_NODE_TYPE_MEMCPY &&
                    target->task.type != CU_GRAPH_NODE_TYPE_MEMSET))
        return CUDA_ERROR_INVALID_VALUE;
    target->enabled = enabled;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *enabled)
{
    WS_ENTER_CONTEXT(context);
    const CUgraphNode target = find_in_exec(exec, node);
    if (!target || !enabled)
        return CUDA_ERROR_INVALID_VALUE;
    *enabled = target->enabled;
    return CUDA_SUCCESS;
}
