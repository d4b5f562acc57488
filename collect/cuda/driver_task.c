/* driver_task.c - one operation of a stream or a node of a graph: what it owns, how it is copied, who does its work. */
#include "collect/cuda/graph_internal.h"
#include "collect/ptx/module.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ owning */

static CUresult clone_kernel(ws_task *to, const ws_task *from)
{
    const ws_function *const function = from->kernel.function->function;
    to->kernel.block_of_params = malloc(function->param_bytes + 1);
    to->kernel.param = calloc(function->params + 1, sizeof *to->kernel.param);
    if (!to->kernel.block_of_params || !to->kernel.param)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(to->kernel.block_of_params, from->kernel.block_of_params, function->param_bytes);
    for (uint32_t i = 0; i < function->params; i++)
        to->kernel.param[i] = to->kernel.block_of_params + function->param[i].offset;
    return CUDA_SUCCESS;
}

static CUresult clone_operations(ws_task *to, const ws_task *from)
{
    const size_t bytes = from->memory.count * sizeof *from->memory.op;
    to->memory.op = malloc(bytes + 1);
    if (!to->memory.op)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(to->memory.op, from->memory.op, bytes);
    return CUDA_SUCCESS;
}

CUresult ws_task_clone(ws_task *to, const ws_task *from)
{
    CUresult result = CUDA_SUCCESS;
    *to = *from;
    switch (from->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        if (!ws_handle_find(from->kernel.function, WS_HANDLE_FUNCTION)) {
            *to = (ws_task){.type = CU_GRAPH_NODE_TYPE_EMPTY};
            return CUDA_ERROR_INVALID_HANDLE; /* its module has been unloaded */
        }
        to->kernel.block_of_params = NULL;
        to->kernel.param = NULL;
        result = clone_kernel(to, from);
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        result = clone_operations(to, from);
        break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        to->child = NULL;
        result = ws_graph_clone(from->child, &to->child);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        result = ws_condition_clone(to, from);
        break;
    default:
        break;
    }
    if (result)
        ws_task_clear(to);
    return result;
}

void ws_task_clear(ws_task *task)
{
    switch (task->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        free(task->kernel.block_of_params);
        free(task->kernel.param);
        break;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        free(task->memory.op);
        break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        ws_graph_release(task->child);
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        ws_condition_clear(task);
        break;
    default:
        break;
    }
    *task = (ws_task){.type = CU_GRAPH_NODE_TYPE_EMPTY};
}

/* ------------------------------------------------------------------------------------------------ checking, running */

CUresult ws_task_check(const ws_task *task)
{
    switch (task->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return ws_kernel_check(task);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return ws_copy_check(&task->copy);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return ws_fill_check(&task->set);
    case CU_GRAPH_NODE_TYPE_HOST:
        return task->host.fn ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return ws_handle_find(task->event, WS_HANDLE_EVENT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return ws_memory_ops_check(task->memory.count, task->memory.op, task->memory.flags);
    default:
        return CUDA_SUCCESS;
    }
}

CUresult ws_task_run(CUcontext context, const ws_task *task, ws_cost *cost)
{
    *cost = (ws_cost){.part = WS_PART_NONE};
    switch (task->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return ws_kernel_execute(context, task, cost);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return ws_copy_execute(&task->copy, cost);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return ws_fill_execute(&task->set, cost);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return ws_memory_ops_execute(task->memory.count, task->memory.op);
    default:
        return CUDA_SUCCESS;
    }
}

void ws_task_call_host(const CUDA_HOST_NODE_PARAMS *host)
{
    const CUDA_HOST_NODE_PARAMS call = *host; /* the task may be gone when the function returns */
    const unsigned depth = ws_driver_pause();
    call.fn(call.userData);
    ws_driver_resume(depth);
}
