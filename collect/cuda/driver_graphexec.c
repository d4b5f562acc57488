/* driver_graphexec.c - graphs that can be launched: a clone of the graph, run in an order that its edges allow.
 *
 * Nodes are executed one after the other; in simulated time those without a dependency overlap as far as there are free
 * multiprocessors. */
#include "collect/cuda/graph_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { KNOWN_FLAGS = 15 };

/* ------------------------------------------------------------------------------------------------ making */

static CUresult check_nodes(CUgraph graph, CUgraphNode *wrong);

static CUresult check_bodies(const ws_task *task, CUgraphNode *wrong)
{
    CUresult result = CUDA_SUCCESS;
    for (unsigned i = 0; i < task->condition.size && !result; i++)
        result = ws_condition_allows(task->condition.body[i]) ? check_nodes(task->condition.body[i], wrong)
                                                              : CUDA_ERROR_NOT_SUPPORTED;
    return result;
}

/* Finds what cannot be launched: cycles, and what nodes refer to that is gone. */
static CUresult check_nodes(CUgraph graph, CUgraphNode *wrong)
{
    CUgraphNode *order = NULL;
    CUresult result = ws_graph_order(graph, &order);
    free(order);
    if (!result && ws_graph_has_idle_condition(graph))
        result = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; !result && i < graph->nodes.n; i++) {
        const CUgraphNode node = graph->nodes.item[i];
        *wrong = node;
        result = node->task.type == CU_GRAPH_NODE_TYPE_GRAPH         ? check_nodes(node->task.child, wrong)
                 : node->task.type == CU_GRAPH_NODE_TYPE_CONDITIONAL ? check_bodies(&node->task, wrong)
                                                                     : ws_task_check(&node->task);
    }
    if (!result)
        *wrong = NULL;
    return result;
}

static CUresult instantiate(CUgraphExec *out, CUgraph graph, uint64_t flags, CUgraphNode *wrong)
{
    WS_ENTER_CONTEXT(context);
    const uint64_t device = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    *wrong = NULL;
    if (!out || !ws_handle_find(graph, WS_HANDLE_GRAPH) || flags & ~(uint64_t)KNOWN_FLAGS || graph->captured_into)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = ws_capture_forbids(); /* it allocates, as driver 580 answers */
    if (result)
        return result;
    if (flags & device) /* a kernel would launch it */
        return CUDA_ERROR_NOT_SUPPORTED;
    const bool alone = ws_graph_has_kind(graph, CU_GRAPH_NODE_TYPE_MEM_ALLOC) ||
                       ws_graph_has_kind(graph, CU_GRAPH_NODE_TYPE_CONDITIONAL);
    if (alone && graph->exec) /* its addresses and conditions can be used by one at a time */
        return CUDA_ERROR_NOT_SUPPORTED;
    result = check_nodes(graph, wrong);
    const CUgraphExec exec = result ? NULL : calloc(1, sizeof *exec);
    if (!exec)
        return result ? result : CUDA_ERROR_OUT_OF_MEMORY;
    result = ws_graph_clone(graph, &exec->graph);
    if (result) {
        free(exec);
        return result;
    }
    ws_handle_remove(&exec->graph->handle);
    exec->graph->hidden = true;
    exec->flags = flags;
    if (alone) {
        exec->source = graph;
        graph->exec = exec;
    }
    ws_handle_add(&exec->handle, (uintptr_t)exec, WS_HANDLE_EXEC, context);
    *out = exec;
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    CUgraphNode wrong;
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) /* needs the form with a stream */
        return CUDA_ERROR_INVALID_VALUE;
    return instantiate(exec, graph, flags, &wrong);
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *wrong, char *log, size_t room)
{
    CUgraphNode found = NULL;
    const CUresult result = instantiate(exec, graph, 0, &found);
    if (wrong)
        *wrong = found;
    if (log && room)
        snprintf(log, room, "%s", result ? "the graph has a cycle, or a node that cannot be launched" : "");
    return result;
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    WS_ENTER_CONTEXT(context);
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNode wrong = NULL;
    const CUresult result = instantiate(exec, graph, params->flags, &wrong);
    const bool is_idle = result == CUDA_ERROR_INVALID_VALUE && ws_handle_find(graph, WS_HANDLE_GRAPH) &&
                         ws_graph_has_idle_condition(graph);
    params->hErrNode_out = wrong;
    params->result_out = !result                                   ? CUDA_GRAPH_INSTANTIATE_SUCCESS
                         : !ws_handle_find(graph, WS_HANDLE_GRAPH) ? CUDA_GRAPH_INSTANTIATE_ERROR
                         : is_idle                                 ? CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED
                         : result == CUDA_ERROR_NOT_SUPPORTED      ? CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED
                                                                   : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
    return result;
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags)
{
    WS_ENTER_CONTEXT(context);
    if (!flags || !ws_handle_find(exec, WS_HANDLE_EXEC))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = exec->flags;
    return CUDA_SUCCESS;
}

void ws_exec_release(CUgraphExec exec)
{
    if (!exec->gone) {
        ws_handle_remove(&exec->handle);
        if (exec->source)
            exec->source->exec = NULL;
    }
    exec->gone = true;
    if (exec->running)
        return; /* the last launch does the rest */
    ws_graph_release(exec->graph);
    ws_moment_fini(&exec->order);
    free(exec);
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(exec, WS_HANDLE_EXEC))
        return CUDA_ERROR_INVALID_VALUE;
    ws_exec_release(exec);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ launching */

/* `moment`: what all of it comes after, then also all of it. */
static CUresult run_graph(CUcontext context, CUgraph graph, ws_order_graph *g, ws_moment *moment, uint64_t begin,
                          uint64_t *end);

/* A body begins where the one before it ended. */
static CUresult run_condition(CUcontext context, CUgraphNode node, ws_order_graph *g)
{
    const bool again = node->task.condition.type == CU_GRAPH_COND_TYPE_WHILE;
    CUresult result = CUDA_SUCCESS;
    CUgraph body;
    do {
        body = ws_condition_choose(&node->task);
        if (body)
            result = run_graph(context, body, g, &node->order, node->end + ws_clock_node_ps(), &node->end);
    } while (again && body && !result && !__atomic_load_n(&ws_the_driver.leaving, __ATOMIC_RELAXED));
    return result;
}

/* Runs one node, which may not begin before `ready`; its end goes into the node. */
static CUresult run_node(CUcontext context, CUgraphNode node, ws_order_graph *g, uint64_t ready)
{
    ws_cost cost = {.part = WS_PART_NONE};
    CUresult result = CUDA_SUCCESS;
    node->end = ready;
    if (!node->enabled)
        return CUDA_SUCCESS;
    switch (node->task.type) {
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return run_graph(context, node->task.child, g, &node->order, ready, &node->end);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return run_condition(context, node, g);
    case CU_GRAPH_NODE_TYPE_HOST:
        ws_order_host_waits_for(&node->order);
        ws_task_call_host(&node->task.host);
        return context->fault;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        result = ws_task_check(&node->task);
        if (!result) {
            node->task.event->time = ready;
            node->task.event->recorded = true;
            ws_order_copy(&node->task.event->order, &node->order);
        }
        return result;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        result = ws_task_check(&node->task);
        if (!result && node->task.event->recorded && node->task.event->time > ready)
            node->end = node->task.event->time;
        if (!result && node->task.event->recorded)
            ws_order_join(&node->order, &node->task.event->order);
        return result;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return ws_graph_memory_begin(node->task.alloc.dptr);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return ws_graph_memory_end(node->task.address);
    default:
        ws_order_begin(&g->place, &node->task, &node->order, &g->queue);
        result = ws_task_run(context, &node->task, &cost);
        ws_order_end(&node->order);
        if (!result)
            node->end = ws_clock_place(&cost, ready);
        return result;
    }
}

static CUresult run_graph(CUcontext context, CUgraph graph, ws_order_graph *g, ws_moment *moment, uint64_t begin,
                          uint64_t *end)
{
    CUgraphNode *order = NULL;
    CUresult result = ws_graph_order(graph, &order);
    *end = begin;
    for (size_t i = 0; !result && i < graph->nodes.n; i++) {
        uint64_t ready = begin;
        for (size_t k = 0; k < order[i]->before.n; k++) {
            const uint64_t after = order[i]->before.item[k]->end + ws_clock_node_ps();
            ready = after > ready ? after : ready;
        }
        ws_order_node_begin(order[i], moment);
        result = run_node(context, order[i], g, ready);
        *end = order[i]->end > *end ? order[i]->end : *end;
    }
    ws_order_graph_join(graph, moment);
    free(order);
    return result;
}

/* Memory that an earlier launch allocated and nobody freed: an error, or freed when that was asked for. */
static CUresult take_back(CUgraphExec exec)
{
    const bool automatic = exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    for (size_t i = 0; i < exec->graph->nodes.n; i++) {
        const ws_task *const t = &exec->graph->nodes.item[i]->task;
        if (t->type != CU_GRAPH_NODE_TYPE_MEM_ALLOC || !ws_graph_memory_is_live(t->alloc.dptr))
            continue;
        if (!automatic)
            return CUDA_ERROR_INVALID_VALUE;
        ws_graph_memory_end(t->alloc.dptr);
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    const CUstream s = ws_stream_find(context, stream);
    if (!ws_handle_find(exec, WS_HANDLE_EXEC))
        return CUDA_ERROR_INVALID_VALUE;
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (s->capture) {
        const ws_task child = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .child = exec->graph};
        if (ws_graph_has_kind(exec->graph, CU_GRAPH_NODE_TYPE_CONDITIONAL))
            return CUDA_ERROR_NOT_SUPPORTED;
        return ws_capture_add(s, &child);
    }
    CUresult result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    if (!result)
        result = take_back(exec);
    if (result)
        return result;
    uint64_t end;
    ws_order_graph order;
    ws_graph_assign_conditions(exec->graph);
    exec->running++;
    ws_order_graph_begin(&order, exec, s);
    result = run_graph(context, exec->graph, &order, &order.moment, ws_stream_ready(s), &end);
    const CUstream still = ws_stream_find(context, stream); /* host nodes ran without the lock */
    if (still)
        ws_stream_ends(still, end);
    ws_order_graph_end(&order, exec, still);
    if (--exec->running == 0 && exec->gone)
        ws_exec_release(exec);
    return result;
}

/* There is nothing to upload: the clone is where it will run. */
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(exec, WS_HANDLE_EXEC))
        return CUDA_ERROR_INVALID_VALUE;
    return ws_stream_find(context, stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* ------------------------------------------------------------------------------------------------ updating */

/* Is the pair connected to the same pairs, in the same order? `end` is the place in the list. */
static bool same_edges(CUgraphNode a, CUgraphNode b)
{
    if (a->before.n != b->before.n)
        return false;
    for (size_t i = 0; i < a->before.n; i++) {
        if (a->before.item[i]->end != b->before.item[i]->end)
            return false;
    }
    return true;
}

static CUgraphExecUpdateResult compare(CUgraph old, CUgraph new, CUgraphNode *wrong);

/* The condition stays, and so does what is done with it. */
static CUgraphExecUpdateResult compare_bodies(const ws_task *old, const ws_task *new)
{
    CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
    CUgraphNode inner;
    if (old->condition.which != new->condition.which || old->condition.type != new->condition.type ||
        old->condition.size != new->condition.size)
        return CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    for (unsigned i = 0; i < old->condition.size && !result; i++)
        result = compare(old->condition.body[i], new->condition.body[i], &inner);
    return result;
}

static CUgraphExecUpdateResult compare(CUgraph old, CUgraph new, CUgraphNode *wrong)
{
    *wrong = NULL;
    if (old->nodes.n != new->nodes.n)
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (size_t i = 0; i < new->nodes.n; i++)
        old->nodes.item[i]->end = new->nodes.item[i]->end = i;
    for (size_t i = 0; i < new->nodes.n; i++) {
        const CUgraphNode a = old->nodes.item[i], b = new->nodes.item[i];
        *wrong = b;
        if (a->task.type != b->task.type)
            return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
        if (!same_edges(a, b))
            return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        if (a->task.type == CU_GRAPH_NODE_TYPE_KERNEL && a->task.kernel.cooperative != b->task.kernel.cooperative)
            return CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
        if (a->task.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || a->task.type == CU_GRAPH_NODE_TYPE_MEM_FREE)
            return CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
    }
    for (size_t i = 0; i < new->nodes.n; i++) { /* after the places have been used */
        CUgraphNode inner;
        if (new->nodes.item[i]->task.type == CU_GRAPH_NODE_TYPE_GRAPH) {
            *wrong = new->nodes.item[i];
            const CUgraphExecUpdateResult result =
                compare(old->nodes.item[i]->task.child, new->nodes.item[i]->task.child, &inner);
            if (result)
                return result;
        }
        if (new->nodes.item[i]->task.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
            *wrong = new->nodes.item[i];
            const CUgraphExecUpdateResult result = compare_bodies(&old->nodes.item[i]->task, &(*wrong)->task);
            if (result)
                return result;
        }
    }
    *wrong = NULL;
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

bool ws_graph_same_shape(CUgraph old, CUgraph new)
{
    CUgraphNode wrong;
    return !compare(old, new, &wrong);
}

/* A child's nodes keep standing for those of the graph that was instantiated, so tasks are replaced and nodes stay. */
static CUresult adopt(CUgraph old, CUgraph new)
{
    for (size_t i = 0; i < new->nodes.n; i++) {
        const CUgraphNode a = old->nodes.item[i], b = new->nodes.item[i];
        CUresult result = CUDA_SUCCESS;
        if (a->task.type == CU_GRAPH_NODE_TYPE_GRAPH) {
            result = adopt(a->task.child, b->task.child);
        } else if (a->task.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
            for (unsigned k = 0; k < a->task.condition.size && !result; k++)
                result = adopt(a->task.condition.body[k], b->task.condition.body[k]);
        } else {
            ws_task task;
            result = ws_task_clone(&task, &b->task);
            if (!result) {
                ws_task_clear(&a->task);
                a->task = task;
            }
        }
        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
    WS_ENTER_CONTEXT(context);
    if (!info || !ws_handle_find(exec, WS_HANDLE_EXEC) || !ws_handle_find(graph, WS_HANDLE_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    *info = (CUgraphExecUpdateResultInfo){0};
    info->result = compare(exec->graph, graph, &info->errorNode);
    if (info->result)
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    const CUresult result = adopt(exec->graph, graph);
    if (result)
        info->result = CU_GRAPH_EXEC_UPDATE_ERROR;
    return result ? CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE : CUDA_SUCCESS;
}
