/* runtime_stream.c - functions of streams that convert what they are given; the others are rows of cudart_calls.def. */
#include "collect/cudart/cudart_internal.h"

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

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *context, unsigned int flags)
{
    WS_RUNTIME_ENTER(); /* both kinds of callback get a result as an int, with the same numbers */
    return ws_rt_from_driver(cuStreamAddCallback(stream, (CUstreamCallback)(void (*)(void))callback, context, flags));
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
