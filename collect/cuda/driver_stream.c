/* driver_stream.c - streams and events. Work is done when its call returns, so a stream is never busy and an event has
 * happened as soon as it is recorded; its time is the wall clock's. */
#include "collect/cuda/driver_internal.h"

#include <stdlib.h>

bool ws_stream_is_valid(CUstream stream)
{
    return !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD ||
           ws_handle_find(stream, WS_HANDLE_STREAM);
}

/* ------------------------------------------------------------------------------------------------ streams */

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    WS_ENTER_CONTEXT(context);
    if (!stream || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    const CUstream made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (void)priority; /* clamped to the range of cuCtxGetStreamPriorityRange, which is 0 to 0 */
    made->flags = flags;
    ws_handle_add(&made->handle, (uintptr_t)made, WS_HANDLE_STREAM, context);
    *stream = made;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuStreamDestroy(CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(stream, WS_HANDLE_STREAM))
        return CUDA_ERROR_INVALID_HANDLE;
    ws_handle_remove(&stream->handle);
    free(stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
    WS_ENTER_CONTEXT(context);
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_stream_is_valid(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    *flags = ws_handle_find(stream, WS_HANDLE_STREAM) ? stream->flags : (unsigned)CU_STREAM_DEFAULT;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    WS_ENTER_CONTEXT(context);
    if (!priority)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_stream_is_valid(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    *priority = 0;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *out)
{
    WS_ENTER_CONTEXT(context);
    if (!out)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_stream_is_valid(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    *out = ws_handle_find(stream, WS_HANDLE_STREAM) ? stream->handle.owner : context;
    return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    return ws_stream_is_valid(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    return cuStreamQuery(stream);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (flags & ~1u)
        return CUDA_ERROR_INVALID_VALUE;
    const bool valid = ws_stream_is_valid(stream) && ws_handle_find(event, WS_HANDLE_EVENT);
    return valid ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *argument, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!callback || flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!ws_stream_is_valid(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    callback(stream, CUDA_SUCCESS, argument);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ events */

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

CUresult cuEventDestroy(CUevent event)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(event, WS_HANDLE_EVENT))
        return CUDA_ERROR_INVALID_HANDLE;
    ws_handle_remove(&event->handle);
    free(event);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(event, WS_HANDLE_EVENT) || !ws_stream_is_valid(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    event->recorded = true;
    return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent event)
{
    WS_ENTER_CONTEXT(context);
    return ws_handle_find(event, WS_HANDLE_EVENT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventSynchronize(CUevent event)
{
    return cuEventQuery(event);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    WS_ENTER_CONTEXT(context);
    if (!milliseconds)
        return CUDA_ERROR_INVALID_VALUE;
    const bool live = ws_handle_find(start, WS_HANDLE_EVENT) && ws_handle_find(end, WS_HANDLE_EVENT);
    if (!live || !start->recorded || !end->recorded || (start->flags | end->flags) & CU_EVENT_DISABLE_TIMING)
        return CUDA_ERROR_INVALID_HANDLE;
    *milliseconds = (float)(1e3 * (double)(end->time.tv_sec - start->time.tv_sec) +
                            1e-6 * (double)(end->time.tv_nsec - start->time.tv_nsec));
    return CUDA_SUCCESS;
}

/* The name that CUDA 13 headers give it. */
CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end);

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end)
{
    return cuEventElapsedTime(milliseconds, start, end);
}
