/* driver_condition.c - nodes of graphs that do something if, while or as often as a kernel says.
 *
 * A condition is a number of the device. Its handle belongs to a graph, and a node in that graph chooses by it among
 * graphs of its own. An instantiation shares the condition with its graph, so there is at most one. */
#include "base/grow.h"
#include "collect/cuda/graph_internal.h"

#include <stdlib.h>

enum { ASSIGN_DEFAULT = 1 }; /* CU_GRAPH_COND_ASSIGN_DEFAULT */

struct ws_condition {
    uint64_t handle;
    unsigned initial, flags;
    unsigned graphs, nodes; /* that have it; gone with the last of both */
};

/* ------------------------------------------------------------------------------------------------ handles */

static void drop(ws_condition *c)
{
    if (c->graphs || c->nodes)
        return;
    if (ws_the_driver.device)
        ws_device_condition_destroy(ws_the_driver.device, c->handle);
    free(c);
}

static CUresult keep(CUgraph graph, ws_condition *c)
{
    if (WS_GROW(graph->condition, graph->condition_room, graph->conditions, 1))
        return CUDA_ERROR_OUT_OF_MEMORY;
    graph->condition[graph->conditions++] = c;
    c->graphs++;
    return CUDA_SUCCESS;
}

CUresult ws_graph_copy_conditions(CUgraph to, CUgraph from)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0; i < from->conditions && !result; i++)
        result = keep(to, from->condition[i]);
    return result;
}

void ws_graph_drop_conditions(CUgraph graph)
{
    for (size_t i = 0; i < graph->conditions; i++) {
        graph->condition[i]->graphs--;
        drop(graph->condition[i]);
    }
    free(graph->condition);
    graph->condition = NULL;
    graph->conditions = 0;
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph, CUcontext context,
                                        unsigned int value, unsigned int flags)
{
    WS_ENTER_CONTEXT(current);
    CUresult result;
    if (!handle || !ws_handle_find(graph, WS_HANDLE_GRAPH) || flags & ~(unsigned)ASSIGN_DEFAULT)
        return CUDA_ERROR_INVALID_VALUE;
    if (context && !ws_handle_find(context, WS_HANDLE_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    ws_device *const device = ws_driver_device(&result);
    if (!device)
        return result;
    ws_condition *const c = calloc(1, sizeof *c);
    if (!c || ws_device_condition_create(device, &c->handle)) {
        free(c);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    c->initial = value;
    c->flags = flags;
    result = keep(graph, c);
    if (result) {
        ws_device_condition_destroy(device, c->handle);
        free(c);
        return result;
    }
    *handle = c->handle;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ nodes */

/* A handle is for nodes of its graph and of those inside it. */
static ws_condition *find(CUgraph graph, CUgraphConditionalHandle handle)
{
    for (size_t i = 0; i < graph->conditions; i++) {
        if (graph->condition[i]->handle == handle)
            return graph->condition[i];
    }
    return graph->parent ? find(graph->parent->graph, handle) : NULL;
}

static bool is_possible(CUgraphConditionalNodeType type, unsigned size)
{
    switch (type) {
    case CU_GRAPH_COND_TYPE_IF: /* and else */
        return size == 1 || size == 2;
    case CU_GRAPH_COND_TYPE_WHILE:
        return size == 1;
    case CU_GRAPH_COND_TYPE_SWITCH:
        return size > 0;
    default:
        return false;
    }
}

CUresult ws_condition_task(ws_task *task, CUgraph graph, CUDA_CONDITIONAL_NODE_PARAMS *p)
{
    ws_condition *const c = find(graph, p->handle);
    if (!c || c->nodes || !is_possible(p->type, p->size)) /* a handle has one node */
        return CUDA_ERROR_INVALID_VALUE;
    *task = (ws_task){.type = CU_GRAPH_NODE_TYPE_CONDITIONAL, .condition = {c, p->type, p->size, NULL}};
    task->condition.body = calloc(p->size, sizeof *task->condition.body);
    CUresult result = task->condition.body ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    c->nodes++;
    for (unsigned i = 0; i < p->size && !result; i++)
        result = ws_graph_make(graph->handle.owner, &task->condition.body[i]);
    if (result)
        ws_task_clear(task);
    else
        p->phGraph_out = task->condition.body;
    return result;
}

CUresult ws_condition_clone(ws_task *to, const ws_task *from)
{
    to->condition.which->nodes++;
    to->condition.body = calloc(from->condition.size, sizeof *to->condition.body);
    CUresult result = to->condition.body ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
    for (unsigned i = 0; i < from->condition.size && !result; i++)
        result = ws_graph_clone(from->condition.body[i], &to->condition.body[i]);
    return result;
}

void ws_condition_clear(ws_task *task)
{
    for (unsigned i = 0; task->condition.body && i < task->condition.size; i++)
        ws_graph_release(task->condition.body[i]);
    free(task->condition.body);
    task->condition.which->nodes--;
    drop(task->condition.which);
}

/* ------------------------------------------------------------------------------------------------ instantiating */

bool ws_graph_has_idle_condition(CUgraph graph)
{
    for (size_t i = 0; i < graph->conditions; i++) {
        if (!graph->condition[i]->nodes)
            return true;
    }
    return false;
}

/* What a body may hold, by the documentation of the node's parameters. */
bool ws_condition_allows(CUgraph body)
{
    for (size_t i = 0; i < body->nodes.n; i++) {
        switch (body->nodes.item[i]->task.type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
        case CU_GRAPH_NODE_TYPE_EMPTY:
        case CU_GRAPH_NODE_TYPE_MEMSET:
        case CU_GRAPH_NODE_TYPE_MEMCPY:
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            break;
        case CU_GRAPH_NODE_TYPE_GRAPH:
            if (!ws_condition_allows(body->nodes.item[i]->task.child))
                return false;
            break;
        default:
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ running */

void ws_graph_assign_conditions(CUgraph graph)
{
    for (size_t i = 0; i < graph->conditions; i++) {
        const ws_condition *const c = graph->condition[i];
        if (c->flags & ASSIGN_DEFAULT)
            ws_device_condition_set(ws_the_driver.device, c->handle, c->initial);
    }
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const ws_task *const t = &graph->nodes.item[i]->task;
        for (unsigned k = 0; t->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && k < t->condition.size; k++)
            ws_graph_assign_conditions(t->condition.body[k]);
    }
}

CUgraph ws_condition_choose(const ws_task *task)
{
    const uint32_t value = ws_device_condition_get(ws_the_driver.device, task->condition.which->handle);
    const uint32_t body = task->condition.type == CU_GRAPH_COND_TYPE_SWITCH ? value : value ? 0 : 1;
    return body < task->condition.size ? task->condition.body[body] : NULL;
}
