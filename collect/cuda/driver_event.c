/* driver_event.c - events: a moment of a stream's simulated time, or a place in a graph that is being captured. */
#include "collect/cuda/graph_internal.h"

#include <stdlib.h>

static const double MS_PER_PS = 1e-9;

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!event || flags & ~7u || (flags & CU_EVENT_INTERPROCESS && !(flags & CU_EVENT_DISABLE_TIMING)))
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_EVENT_INTERPROCESS)
        return CUDA_ERROR_NOT_SUPPORTED;
    const CUevent made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->flags = flags;
    ws_handle_add(&made->handle, (uintptr_t)made, WS_HANDLE_EVENT, context);
    *event = made;
    return CUDA_SUCCESS;
}

void ws_event_release(CUevent event)
{
    ws_nodes_clear(&event->tips);
    ws_moment_fini(&event->order);
    ws_handle_remove(&event->handle);
    free(event);
}

CUresult cuEventDestroy(CUevent event)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(event, WS_HANDLE_EVENT))
        return CUDA_ERROR_INVALID_HANDLE;
    ws_event_release(event);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ recording */

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (flags & ~(unsigned)CU_EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    const CUstream s = ws_stream_find(context, stream);
    if (!ws_handle_find(event, WS_HANDLE_EVENT) || !s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (s->capture)
        return ws_capture_record(s, event, flags & CU_EVENT_RECORD_EXTERNAL);
    if (flags) /* external means: outside of the capture */
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    if (result)
        return result;
    event->capture = NULL;
    ws_nodes_clear(&event->tips);
    event->time = ws_stream_now(s);
    ws_order_record(s, &event->order);
    event->recorded = true;
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return cuEventRecordWithFlags(event, stream, 0);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    const CUstream s = ws_stream_find(context, stream);
    if (!s || !ws_handle_find(event, WS_HANDLE_EVENT))
        return CUDA_ERROR_INVALID_HANDLE;
    if (s->capture || event->capture)
        return ws_capture_wait(s, event, flags & CU_EVENT_WAIT_EXTERNAL);
    const CUresult result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    if (result || !event->recorded)
        return result;
    ws_stream_ends(s, event->time);
    ws_order_wait(s, &event->order);
    s->joined = event->time > s->joined ? event->time : s->joined;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ asking */

/* What was recorded has happened: the host knows it at the simulated time at which it would have. */
static CUresult wait_for(CUevent event)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(event, WS_HANDLE_EVENT))
        return CUDA_ERROR_INVALID_HANDLE;
    if (event->capture)
        return ws_capture_invalidate(event->capture, CUDA_ERROR_CAPTURED_EVENT);
    const CUresult result = ws_capture_forbids();
    if (!result && event->recorded) {
        ws_clock_wait_until(event->time);
        ws_order_host_waits_for(&event->order);
        ws_pools_synchronized();
    }
    return result;
}

CUresult cuEventQuery(CUevent event)
{
    return wait_for(event);
}

CUresult cuEventSynchronize(CUevent event)
{
    return wait_for(event);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    WS_ENTER_CONTEXT(context);
    if (!milliseconds)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_handle_find(start, WS_HANDLE_EVENT) || !ws_handle_find(end, WS_HANDLE_EVENT))
        return CUDA_ERROR_INVALID_HANDLE;
    if (start->capture || end->capture)
        return CUDA_ERROR_CAPTURED_EVENT;
    if (!start->recorded || !end->recorded || (start->flags | end->flags) & CU_EVENT_DISABLE_TIMING)
        return CUDA_ERROR_INVALID_HANDLE;
    *milliseconds = (float)(((double)end->time - (double)start->time) * MS_PER_PS);
    return CUDA_SUCCESS;
}

/* The name that CUDA 13 headers give it. */
CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end)
{
    return cuEventElapsedTime(milliseconds, start, end);
}
