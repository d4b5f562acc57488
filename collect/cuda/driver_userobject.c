/* driver_userobject.c - objects of the program, counted: the last reference calls the program's destructor. */
#include "base/grow.h"
#include "collect/cuda/graph_internal.h"

#include <stdlib.h>

static void let_go(CUuserObject object, uint64_t count)
{
    object->count -= count;
    if (object->count)
        return;
    const CUDA_HOST_NODE_PARAMS destroy = {object->destroy, object->pointer};
    ws_handle_remove(&object->handle);
    free(object);
    ws_task_call_host(&destroy);
}

CUresult cuUserObjectCreate(CUuserObject *object, void *pointer, CUhostFn destroy, unsigned int count,
                            unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!object || !destroy || !count || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    const CUuserObject made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->pointer = pointer;
    made->destroy = destroy;
    made->count = count;
    ws_handle_add(&made->handle, (uintptr_t)made, WS_HANDLE_USER_OBJECT, context);
    *object = made;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(object, WS_HANDLE_USER_OBJECT) || !count)
        return CUDA_ERROR_INVALID_VALUE;
    object->count += count;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(object, WS_HANDLE_USER_OBJECT) || !count || count > object->count)
        return CUDA_ERROR_INVALID_VALUE;
    let_go(object, count);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ kept by graphs */

CUresult ws_graph_keep(CUgraph graph, CUuserObject object, uint64_t count)
{
    for (size_t i = 0; i < graph->kept_count; i++) {
        if (graph->kept[i].object == object) {
            graph->kept[i].count += count;
            return CUDA_SUCCESS;
        }
    }
    if (WS_GROW(graph->kept, graph->kept_room, graph->kept_count, 1))
        return CUDA_ERROR_OUT_OF_MEMORY;
    graph->kept[graph->kept_count++] = (ws_kept_object){object, count};
    return CUDA_SUCCESS;
}

void ws_graph_drop_objects(CUgraph graph)
{
    for (size_t i = 0; i < graph->kept_count; i++) {
        if (ws_handle_find(graph->kept[i].object, WS_HANDLE_USER_OBJECT)) /* may have gone with the context */
            let_go(graph->kept[i].object, graph->kept[i].count);
    }
    free(graph->kept);
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(graph, WS_HANDLE_GRAPH) || !ws_handle_find(object, WS_HANDLE_USER_OBJECT) || !count ||
        flags & ~(unsigned)CU_GRAPH_USER_OBJECT_MOVE)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = ws_graph_keep(graph, object, count);
    if (!result && !(flags & CU_GRAPH_USER_OBJECT_MOVE)) /* moved: the caller's references become the graph's */
        object->count += count;
    return result;
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(graph, WS_HANDLE_GRAPH) || !ws_handle_find(object, WS_HANDLE_USER_OBJECT) || !count)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < graph->kept_count; i++) {
        if (graph->kept[i].object != object || graph->kept[i].count < count)
            continue;
        graph->kept[i].count -= count;
        if (!graph->kept[i].count)
            graph->kept[i] = graph->kept[--graph->kept_count];
        let_go(object, count);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}
