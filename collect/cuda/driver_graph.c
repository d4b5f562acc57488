/* driver_graph.c - graphs: nodes and which of them come before which. */
#include "collect/cuda/graph_internal.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ nodes */

static bool connect(CUgraphNode from, CUgraphNode to)
{
    if (!ws_nodes_append(&from->after, to))
        return false;
    if (ws_nodes_append(&to->before, from))
        return true;
    ws_nodes_remove(&from->after, to);
    return false;
}

static void disconnect(CUgraphNode from, CUgraphNode to)
{
    ws_nodes_remove(&from->after, to);
    ws_nodes_remove(&to->before, from);
}

/* Captures in progress must not point to it. */
static void forget_in_captures(CUgraphNode node)
{
    for (ws_capture *c = ws_the_driver.captures; c; c = c->next)
        ws_nodes_remove(&c->left, node);
    for (ws_handle *h = ws_the_driver.captures ? ws_the_driver.live : NULL; h; h = h->hh.next) {
        if (h->kind == WS_HANDLE_STREAM)
            ws_nodes_remove(&((CUstream)h)->tips, node);
        if (h->kind == WS_HANDLE_EVENT)
            ws_nodes_remove(&((CUevent)h)->tips, node);
    }
}

static void forget_memory(const ws_task *task)
{
    if (task->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        ws_graph_memory_drop(task->alloc.dptr);
}

/* Frees a node whose neighbours are gone or do not matter. */
static void free_node(CUgraphNode node)
{
    forget_in_captures(node);
    forget_memory(&node->task);
    ws_task_clear(&node->task);
    ws_nodes_clear(&node->before);
    ws_nodes_clear(&node->after);
    ws_moment_fini(&node->order);
    ws_handle_remove(&node->handle);
    free(node);
}

static void release_node(CUgraphNode node)
{
    while (node->before.n)
        disconnect(node->before.item[0], node);
    while (node->after.n)
        disconnect(node, node->after.item[0]);
    ws_nodes_remove(&node->graph->nodes, node);
    free_node(node);
}

CUresult ws_graph_add(CUgraph graph, const ws_nodes *before, ws_task *task, CUgraphNode *out)
{
    const CUgraphNode node = calloc(1, sizeof *node);
    bool well = node && ws_nodes_append(&graph->nodes, node);
    if (!well) {
        free(node);
        forget_memory(task);
        ws_task_clear(task);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    node->graph = graph;
    node->task = *task;
    node->serial = ++ws_the_driver.node_serials;
    node->enabled = true;
    if (task->type == CU_GRAPH_NODE_TYPE_GRAPH)
        task->child->parent = node;
    for (unsigned i = 0; task->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && i < task->condition.size; i++)
        task->condition.body[i]->parent = node;
    ws_handle_add(&node->handle, (uintptr_t)node, WS_HANDLE_NODE, graph->handle.owner);
    for (size_t i = 0; well && before && i < before->n; i++)
        well = connect(before->item[i], node);
    if (!well) {
        release_node(node);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = node;
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroyNode(CUgraphNode node)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(node, WS_HANDLE_NODE))
        return CUDA_ERROR_INVALID_VALUE;
    if (node->task.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || node->task.type == CU_GRAPH_NODE_TYPE_MEM_FREE)
        return CUDA_ERROR_NOT_SUPPORTED;
    release_node(node);
    return CUDA_SUCCESS;
}

bool ws_graph_has_kind(CUgraph graph, CUgraphNodeType type)
{
    for (size_t i = 0; i < graph->nodes.n; i++) {
        if (graph->nodes.item[i]->task.type == type)
            return true;
    }
    return false;
}

static bool has_memory_nodes(CUgraph graph)
{
    return ws_graph_has_kind(graph, CU_GRAPH_NODE_TYPE_MEM_ALLOC) ||
           ws_graph_has_kind(graph, CU_GRAPH_NODE_TYPE_MEM_FREE);
}

/* ------------------------------------------------------------------------------------------------ graphs */

CUresult ws_graph_make(CUcontext context, CUgraph *graph)
{
    const CUgraph made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    ws_handle_add(&made->handle, (uintptr_t)made, WS_HANDLE_GRAPH, context);
    *graph = made;
    return CUDA_SUCCESS;
}

void ws_graph_release(CUgraph graph)
{
    if (!graph)
        return;
    for (size_t i = graph->nodes.n; i-- > 0;)
        free_node(graph->nodes.item[i]);
    ws_nodes_clear(&graph->nodes);
    if (graph->exec)
        graph->exec->source = NULL;
    if (!graph->hidden) /* before destructors of the program's objects run without the lock */
        ws_handle_remove(&graph->handle);
    ws_graph_drop_conditions(graph);
    ws_graph_drop_objects(graph);
    free(graph);
}

bool ws_graph_is_held(CUgraph graph)
{
    return graph->parent || graph->captured_into;
}

/* `end` of the original is its place in the list, so that edges can be copied. */
static CUresult clone_nodes(CUgraph graph, CUgraph clone)
{
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const CUgraphNode from = graph->nodes.item[i];
        ws_task task;
        CUgraphNode node = NULL;
        CUresult result = ws_task_clone(&task, &from->task);
        if (!result && task.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
            ws_graph_memory_hold(task.alloc.dptr);
        if (!result)
            result = ws_graph_add(clone, NULL, &task, &node);
        if (result)
            return result;
        node->original = from->serial;
        node->enabled = from->enabled;
        from->end = i;
    }
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const ws_nodes *const before = &graph->nodes.item[i]->before;
        for (size_t k = 0; k < before->n; k++) {
            if (!connect(clone->nodes.item[before->item[k]->end], clone->nodes.item[i]))
                return CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    return CUDA_SUCCESS;
}

CUresult ws_graph_clone(CUgraph graph, CUgraph *out)
{
    CUgraph clone = NULL;
    CUresult result = ws_graph_make(graph->handle.owner, &clone);
    if (!result)
        result = ws_graph_copy_conditions(clone, graph);
    if (!result)
        result = clone_nodes(graph, clone);
    for (size_t i = 0; !result && i < graph->kept_count; i++) {
        graph->kept[i].object->count += graph->kept[i].count;
        result = ws_graph_keep(clone, graph->kept[i].object, graph->kept[i].count);
    }
    if (result)
        ws_graph_release(clone);
    else
        *out = clone;
    return result;
}

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    return graph && !flags ? ws_graph_make(context, graph) : CUDA_ERROR_INVALID_VALUE;
}

static bool is_own(CUgraph graph) /* a live graph that no node owns */
{
    return ws_handle_find(graph, WS_HANDLE_GRAPH) && !graph->parent;
}

CUresult cuGraphDestroy(CUgraph graph)
{
    WS_ENTER_CONTEXT(context);
    if (!is_own(graph))
        return CUDA_ERROR_INVALID_VALUE;
    if (graph->captured_into)
        return CUDA_ERROR_ILLEGAL_STATE; /* as driver 580 answers */
    ws_graph_release(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
    WS_ENTER_CONTEXT(context);
    if (!clone || !ws_handle_find(graph, WS_HANDLE_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    if (has_memory_nodes(graph) || ws_graph_has_kind(graph, CU_GRAPH_NODE_TYPE_CONDITIONAL))
        return CUDA_ERROR_NOT_SUPPORTED;
    return ws_graph_clone(graph, clone);
}

CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone)
{
    WS_ENTER_CONTEXT(context);
    if (!node || !ws_handle_find(original, WS_HANDLE_NODE) || !ws_handle_find(clone, WS_HANDLE_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < clone->nodes.n; i++) {
        if (clone->nodes.item[i]->original == original->serial) {
            *node = clone->nodes.item[i];
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
}

/* ------------------------------------------------------------------------------------------------ adding nodes */

/* Only plain edges: others start a kernel before the one that it depends on has ended. */
CUresult ws_edges_check(const CUgraphEdgeData *edges, size_t count)
{
    for (size_t i = 0; edges && i < count; i++) {
        if (edges[i].from_port || edges[i].to_port || edges[i].type)
            return CUDA_ERROR_NOT_SUPPORTED;
    }
    return CUDA_SUCCESS;
}

/* Is this a place where a node can be added? Dependencies stand once each. */
static CUresult check_place(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count)
{
    if (!node || !ws_handle_find(graph, WS_HANDLE_GRAPH) || (count && !before))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        if (!ws_handle_find(before[i], WS_HANDLE_NODE) || before[i]->graph != graph)
            return CUDA_ERROR_INVALID_VALUE;
        for (size_t k = 0; k < i; k++) {
            if (before[k] == before[i])
                return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return CUDA_SUCCESS;
}

/* Adds a node with these parameters, which may be changed: memory nodes tell their address. */
static CUresult add(CUcontext context, CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                    CUgraphNodeParams *params)
{
    const ws_nodes dependencies = {(CUgraphNode *)(uintptr_t)before, count, count};
    ws_task task;
    CUresult result = check_place(node, graph, before, count);
    if (!result)
        result = params->type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? ws_condition_task(&task, graph, &params->conditional)
                                                                : ws_task_of_params(&task, params);
    if (result)
        return result;
    if (task.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
        result = graph->parent ? CUDA_ERROR_NOT_SUPPORTED
                               : ws_graph_memory_reserve(graph, &dependencies, &task.alloc, context);
        params->alloc.dptr = task.alloc.dptr;
        if (result)
            return result;
    }
    return ws_graph_add(graph, &dependencies, &task, node);
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                        CUgraphNodeParams *params)
{
    WS_ENTER_CONTEXT(context);
    return params ? add(context, node, graph, dependencies, count, params) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params)
{
    const CUresult result = ws_edges_check(edges, count);
    return result ? result : cuGraphAddNode(node, graph, dependencies, count, params);
}

/* Nodes whose parameters are a structure of their own, which may be NULL, or one value. */
#define ADD_NODE(call, kind, struct_, field) \
    CUresult call(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, \
                  const struct_ *params) \
    { \
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_##kind}; \
        if (params) \
            p.field = *params; \
        return cuGraphAddNode(node, graph, dependencies, count, params ? &p : NULL); \
    }
#define ADD_NODE_OF(call, kind, value_type, field_) \
    CUresult call(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count, value_type value) \
    { \
        CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_##kind, .field_ = value}; \
        return cuGraphAddNode(node, graph, dependencies, count, &p); \
    }

ADD_NODE(cuGraphAddKernelNode, KERNEL, CUDA_KERNEL_NODE_PARAMS, kernel)
ADD_NODE(cuGraphAddHostNode, HOST, CUDA_HOST_NODE_PARAMS, host)
ADD_NODE(cuGraphAddBatchMemOpNode, BATCH_MEM_OP, CUDA_BATCH_MEM_OP_NODE_PARAMS, memOp)
ADD_NODE_OF(cuGraphAddChildGraphNode, GRAPH, CUgraph, graph.graph)
ADD_NODE_OF(cuGraphAddEventRecordNode, EVENT_RECORD, CUevent, eventRecord.event)
ADD_NODE_OF(cuGraphAddEventWaitNode, WAIT_EVENT, CUevent, eventWait.event)
ADD_NODE_OF(cuGraphAddMemFreeNode, MEM_FREE, CUdeviceptr, free.dptr)

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMCPY3D *params, CUcontext context)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMCPY, .memcpy.copyCtx = context};
    if (params)
        p.memcpy.copyParams = *params;
    return cuGraphAddNode(node, graph, dependencies, count, params ? &p : NULL);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
    if (params) {
        p.memset = (typeof(p.memset)){params->dst,   params->pitch,  params->value, params->elementSize,
                                      params->width, params->height, context};
    }
    return cuGraphAddNode(node, graph, dependencies, count, params ? &p : NULL);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return cuGraphAddNode(node, graph, dependencies, count, &p);
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    if (params)
        p.alloc = *params;
    const CUresult result = cuGraphAddNode(node, graph, dependencies, count, params ? &p : NULL);
    if (!result)
        params->dptr = p.alloc.dptr;
    return result;
}

/* ------------------------------------------------------------------------------------------------ edges */

static bool are_of(CUgraph graph, CUgraphNode from, CUgraphNode to)
{
    return ws_handle_find(from, WS_HANDLE_NODE) && ws_handle_find(to, WS_HANDLE_NODE) && from->graph == graph &&
           to->graph == graph && from != to;
}

/* All or nothing: the edges are looked at before the first changes. */
static CUresult check_edges(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count, bool there)
{
    if (!ws_handle_find(graph, WS_HANDLE_GRAPH) || (count && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    if (has_memory_nodes(graph) && there) /* their order is what the addresses were chosen for */
        return CUDA_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; i < count; i++) {
        if (!are_of(graph, from[i], to[i]) || ws_nodes_has(&from[i]->after, to[i]) != there)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    WS_ENTER_CONTEXT(context);
    const CUresult result = check_edges(graph, from, to, count, false);
    for (size_t i = 0; !result && i < count; i++) {
        if (!ws_nodes_has(&from[i]->after, to[i]) && !connect(from[i], to[i]))
            return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return result;
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count)
{
    WS_ENTER_CONTEXT(context);
    const CUresult result = check_edges(graph, from, to, count, true);
    for (size_t i = 0; !result && i < count; i++)
        disconnect(from[i], to[i]);
    return result;
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *edges, size_t count)
{
    const CUresult result = ws_edges_check(edges, count);
    return result ? result : cuGraphAddDependencies(graph, from, to, count);
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *edges, size_t count)
{
    const CUresult result = ws_edges_check(edges, count);
    return result ? result : cuGraphRemoveDependencies(graph, from, to, count);
}
