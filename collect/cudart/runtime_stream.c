/* runtime_stream.c - streams and events: the driver's, by the runtime's names. */
#include "collect/cudart/cudart_internal.h"

/* ------------------------------------------------------------------------------------------------ streams */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuStreamDestroy(stream));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuStreamGetFlags(stream, flags));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuStreamGetPriority(stream, priority));
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    WS_RUNTIME_ENTER();
    CUcontext context;
    if (!device)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuStreamGetCtx(stream, &context);
    if (!result)
        *device = 0;
    return ws_rt_from_driver(result);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuStreamQuery(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuStreamSynchronize(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *context, unsigned int flags)
{
    WS_RUNTIME_ENTER(); /* both kinds of callback get a result as an int, with the same numbers */
    return ws_rt_from_driver(cuStreamAddCallback(stream, (CUstreamCallback)(void (*)(void))callback, context, flags));
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *context)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuLaunchHostFunc(stream, function, context));
}

/* Managed memory can be used by all streams and the host at any time, so there is nothing to attach. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned int flags)
{
    WS_RUNTIME_ENTER();
    unsigned char managed = 0;
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
        return ws_rt_result(cudaErrorInvalidValue);
    CUdeviceptr base = 0;
    size_t size = 0;
    const CUdeviceptr address = (uintptr_t)pointer;
    if (cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) || !managed ||
        cuMemGetAddressRange(&base, &size, address) || (bytes && (address != base || bytes != size)))
        return ws_rt_result(cudaErrorInvalidValue);
    unsigned kind;
    return ws_rt_from_driver(cuStreamGetFlags(stream, &kind));
}

/* ------------------------------------------------------------------------------------------------ events */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuEventCreate(event, flags));
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuEventDestroy(event));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuEventRecord(event, stream));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuEventQuery(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuEventSynchronize(event));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuEventElapsedTime(milliseconds, start, end));
}
