/* driver_capture.c - streams whose work becomes nodes of a graph instead of being executed.
 *
 * A capture begins in one stream and spreads to those that wait for its events. Each of them knows its tips, the nodes
 * that its next operation depends on. An error of the program spoils a capture until it is ended. */
#include "collect/cuda/graph_internal.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ what is forbidden */

static _Thread_local CUstreamCaptureMode thread_mode; /* CU_STREAM_CAPTURE_MODE_GLOBAL at first */

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    WS_ENTER_DRIVER();
    if (!mode || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    const CUstreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

CUresult ws_capture_invalidate(ws_capture *capture, CUresult why)
{
    if (!capture->fault)
        capture->fault = why;
    return why;
}

/* A capture of this thread minds unless it is relaxed; one of another thread only when both are global. */
static bool minds(const ws_capture *c)
{
    if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED || c->mode == CU_STREAM_CAPTURE_MODE_RELAXED)
        return false;
    return c->thread == ws_thread_number() ||
           (thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult ws_capture_forbids(void)
{
    CUresult result = CUDA_SUCCESS;
    for (ws_capture *c = ws_the_driver.captures; c; c = c->next) {
        if (minds(c))
            result = ws_capture_invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    return result;
}

CUresult ws_capture_forbids_legacy(CUcontext context)
{
    CUresult result = CUDA_SUCCESS;
    for (ws_handle *h = ws_the_driver.captures ? ws_the_driver.live : NULL; h; h = h->hh.next) {
        const CUstream s = (CUstream)h;
        if (h->kind == WS_HANDLE_STREAM && h->owner == context && s->capture && !(s->flags & CU_STREAM_NON_BLOCKING))
            result = ws_capture_invalidate(s->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    }
    return result;
}

/* ------------------------------------------------------------------------------------------------ begin, end */

static CUresult begin(CUcontext context, CUstream handle, CUstreamCaptureMode mode, CUgraph into)
{
    WS_FIND_STREAM(s, handle);
    if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    if (s->legacy) /* it would draw all streams in */
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (s->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    ws_capture *const c = calloc(1, sizeof *c);
    if (!c)
        return CUDA_ERROR_OUT_OF_MEMORY;
    const CUresult result = into ? CUDA_SUCCESS : ws_graph_make(context, &c->graph);
    if (result) {
        free(c);
        return result;
    }
    if (into)
        c->graph = into;
    c->own_graph = !into;
    c->graph->captured_into = true;
    c->id = ++ws_the_driver.capture_ids;
    c->mode = mode;
    c->thread = ws_thread_number();
    c->origin = s;
    c->next = ws_the_driver.captures;
    ws_the_driver.captures = c;
    s->capture = c;
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    WS_ENTER_CONTEXT(context);
    return begin(context, stream, mode, NULL);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *edges, size_t count, CUstreamCaptureMode mode)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(graph, WS_HANDLE_GRAPH) || graph->captured_into || (count && !dependencies))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        if (!ws_handle_find(dependencies[i], WS_HANDLE_NODE) || dependencies[i]->graph != graph)
            return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = ws_edges_check(edges, count);
    if (!result)
        result = begin(context, stream, mode, graph);
    const CUstream s = ws_stream_find(context, stream);
    for (size_t i = 0; !result && i < count; i++) {
        if (!ws_nodes_add(&s->tips, dependencies[i]))
            result = ws_capture_invalidate(s->capture, CUDA_ERROR_OUT_OF_MEMORY);
    }
    return result;
}

static void leave(CUstream s)
{
    s->capture = NULL;
    ws_nodes_clear(&s->tips);
}

/* Nobody remembers the capture any more. */
static void finish(ws_capture *c)
{
    for (ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        if (h->kind == WS_HANDLE_STREAM && ((CUstream)h)->capture == c)
            leave((CUstream)h);
        if (h->kind == WS_HANDLE_EVENT && ((CUevent)h)->capture == c) {
            ((CUevent)h)->capture = NULL;
            ws_nodes_clear(&((CUevent)h)->tips);
        }
    }
    ws_capture **at = &ws_the_driver.captures;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    c->graph->captured_into = false;
    ws_nodes_clear(&c->left);
    free(c);
}

static bool comes_after_all(const ws_nodes *origin, const ws_nodes *tips)
{
    for (size_t i = 0; i < tips->n; i++) {
        bool reached = false;
        for (size_t k = 0; k < origin->n && !reached; k++)
            reached = ws_node_follows(origin->item[k], tips->item[i]);
        if (!reached)
            return false;
    }
    return true;
}

/* Every stream that joined must have been waited for by the origin: its tips come before the origin's. */
static bool all_joined(const ws_capture *c)
{
    for (ws_handle *h = ws_the_driver.live; h; h = h->hh.next) {
        const CUstream s = (CUstream)h;
        if (h->kind == WS_HANDLE_STREAM && s->capture == c && !comes_after_all(&c->origin->tips, &s->tips))
            return false;
    }
    return comes_after_all(&c->origin->tips, &c->left);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    ws_capture *const c = s->capture;
    if (!graph && (!c || c->own_graph)) /* who captured into a graph has it */
        return CUDA_ERROR_INVALID_VALUE;
    if (graph)
        *graph = NULL;
    if (!c)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (c->origin != s)
        return ws_capture_invalidate(c, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
    CUresult result = c->fault ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    if (c->thread != ws_thread_number() && c->mode != CU_STREAM_CAPTURE_MODE_RELAXED)
        result = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD; /* and the capture has ended, as driver 580 answers */
    if (!result && !all_joined(c))
        result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    const CUgraph made = c->graph;
    const bool own = c->own_graph;
    finish(c);
    if (!result && graph)
        *graph = made;
    else if (result && own)
        ws_graph_release(made);
    return result;
}

void ws_capture_leave(CUstream stream)
{
    ws_capture *const c = stream->capture;
    if (!c)
        return;
    if (c->origin != stream) {
        if (!ws_nodes_add_all(&c->left, &stream->tips))
            ws_capture_invalidate(c, CUDA_ERROR_OUT_OF_MEMORY);
        leave(stream);
        return;
    }
    const CUgraph made = c->graph;
    const bool own = c->own_graph;
    finish(c);
    if (own)
        ws_graph_release(made);
}

/* ------------------------------------------------------------------------------------------------ what is captured */

static CUresult usable(CUstream s)
{
    return s->capture->fault ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

/* Appends a node behind the stream's tips; it becomes the only tip. Takes over the task. */
static CUresult append(CUstream s, ws_task *task)
{
    CUgraphNode node = NULL;
    CUresult result = usable(s);
    if (result) {
        ws_task_clear(task);
        return result;
    }
    result = ws_graph_add(s->capture->graph, &s->tips, task, &node);
    if (!result) {
        ws_nodes_clear(&s->tips);
        if (!ws_nodes_add(&s->tips, node))
            result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    return result ? ws_capture_invalidate(s->capture, result) : CUDA_SUCCESS;
}

CUresult ws_capture_add(CUstream s, const ws_task *task)
{
    ws_task copy;
    const CUresult result = ws_task_clone(&copy, task);
    return result ? ws_capture_invalidate(s->capture, result) : append(s, &copy);
}

CUresult ws_capture_allocate(CUstream s, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    CUresult result = usable(s);
    if (!result)
        result = ws_graph_memory_reserve(s->capture->graph, &s->tips, params, s->handle.owner);
    if (result)
        return ws_capture_invalidate(s->capture, result);
    ws_task task = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC, .alloc = *params};
    return append(s, &task);
}

CUresult ws_capture_record(CUstream s, CUevent event, bool external)
{
    if (external) {
        ws_task task = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .event = event};
        return append(s, &task);
    }
    const CUresult result = usable(s);
    if (result)
        return result;
    ws_nodes_clear(&event->tips);
    event->capture = s->capture;
    event->recorded = false;
    return ws_nodes_add_all(&event->tips, &s->tips) ? CUDA_SUCCESS
                                                    : ws_capture_invalidate(s->capture, CUDA_ERROR_OUT_OF_MEMORY);
}

/* The stream waits for something that is not executed now. */
CUresult ws_capture_wait(CUstream s, CUevent event, bool external)
{
    if (s->capture && usable(s))
        return usable(s);
    if (external && s->capture) {
        ws_task task = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .event = event};
        return append(s, &task);
    }
    if (!event->capture) /* an event of before the capture; one that was never recorded is no dependency */
        return event->recorded ? ws_capture_invalidate(s->capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION) : CUDA_SUCCESS;
    if (s->legacy)
        return ws_capture_invalidate(event->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    if (s->capture && s->capture != event->capture) {
        ws_capture_invalidate(event->capture, CUDA_ERROR_STREAM_CAPTURE_MERGE);
        return ws_capture_invalidate(s->capture, CUDA_ERROR_STREAM_CAPTURE_MERGE);
    }
    s->capture = event->capture;
    return ws_nodes_add_all(&s->tips, &event->tips) ? usable(s)
                                                    : ws_capture_invalidate(s->capture, CUDA_ERROR_OUT_OF_MEMORY);
}

/* ------------------------------------------------------------------------------------------------ questions */

static CUstreamCaptureStatus status_of(CUstream s)
{
    if (!s->capture)
        return CU_STREAM_CAPTURE_STATUS_NONE;
    return s->capture->fault ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    if (!status)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    if (!result)
        *status = status_of(s);
    return result;
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                const CUgraphNode **dependencies, size_t *count)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    if (!status)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    if (result)
        return result;
    *status = status_of(s);
    if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return CUDA_SUCCESS;
    if (id)
        *id = s->capture->id;
    if (graph)
        *graph = s->capture->graph;
    if (dependencies)
        *dependencies = s->tips.item;
    if (count)
        *count = s->tips.n;
    return CUDA_SUCCESS;
}

/* All edges are plain ones. */
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count)
{
    if (edges)
        *edges = NULL;
    return cuStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t count, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES || (count && !dependencies))
        return CUDA_ERROR_INVALID_VALUE;
    if (!s->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    for (size_t i = 0; i < count; i++) {
        if (!ws_handle_find(dependencies[i], WS_HANDLE_NODE) || dependencies[i]->graph != s->capture->graph)
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        ws_nodes_clear(&s->tips);
    for (size_t i = 0; i < count; i++) {
        if (!ws_nodes_add(&s->tips, dependencies[i]))
            return ws_capture_invalidate(s->capture, CUDA_ERROR_OUT_OF_MEMORY);
    }
    return usable(s);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *edges,
                                              size_t count, unsigned int flags)
{
    const CUresult result = ws_edges_check(edges, count);
    return result ? result : cuStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}
