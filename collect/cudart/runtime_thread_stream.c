/* runtime_thread_stream.c - the variants for programs compiled with `--default-stream per-thread`: stream 0 means the
 * thread's own stream. _ptds: the copy waits for its end anyway; _ptsz: the stream is an argument. */
#include "collect/cudart/cudart_internal.h"

/* The host waits for what has just been put into its thread's stream. */
static cudaError_t waited(cudaError_t error)
{
    return error ? error : cudaStreamSynchronize(cudaStreamPerThread);
}

cudaError_t cudaMemcpy_ptds(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return waited(cudaMemcpyAsync(to, from, bytes, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyToSymbol_ptds(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind)
{
    return waited(cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyFromSymbol_ptds(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind)
{
    return waited(cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2D_ptds(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind)
{
    return waited(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, cudaStreamPerThread));
}

cudaError_t cudaMemset_ptds(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, cudaStreamPerThread);
}

cudaError_t cudaMemset2D_ptds(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset2DAsync(to, pitch, value, width, height, cudaStreamPerThread);
}

cudaError_t cudaMemset3D_ptds(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
    return cudaMemset3DAsync(to, value, extent, cudaStreamPerThread);
}

cudaError_t cudaMemcpyAsync_ptsz(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                 cudaStream_t stream)
{
    return cudaMemcpyAsync(to, from, bytes, kind, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *from, size_t bytes, size_t offset,
                                         enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *to, const void *symbol, size_t bytes, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpy2DAsync_ptsz(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                   size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemsetAsync_ptsz(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return cudaMemsetAsync(to, value, bytes, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemset2DAsync_ptsz(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    return cudaMemset2DAsync(to, pitch, value, width, height, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemset3DAsync_ptsz(struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream)
{
    return cudaMemset3DAsync(to, value, extent, ws_rt_thread_stream(stream));
}

cudaError_t cudaMallocAsync_ptsz(void **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync(pointer, bytes, ws_rt_thread_stream(stream));
}

cudaError_t cudaFreeAsync_ptsz(void *pointer, cudaStream_t stream)
{
    return cudaFreeAsync(pointer, ws_rt_thread_stream(stream));
}

cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned int *flags)
{
    return cudaStreamGetFlags(ws_rt_thread_stream(stream), flags);
}

cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int *priority)
{
    return cudaStreamGetPriority(ws_rt_thread_stream(stream), priority);
}

cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t stream, int *device)
{
    return cudaStreamGetDevice(ws_rt_thread_stream(stream), device);
}

cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream)
{
    return cudaStreamQuery(ws_rt_thread_stream(stream));
}

cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream)
{
    return cudaStreamSynchronize(ws_rt_thread_stream(stream));
}

cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    return cudaStreamWaitEvent(ws_rt_thread_stream(stream), event, flags);
}

cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback, void *context,
                                       unsigned int flags)
{
    return cudaStreamAddCallback(ws_rt_thread_stream(stream), callback, context, flags);
}

cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void *pointer, size_t bytes, unsigned int flags)
{
    return cudaStreamAttachMemAsync(ws_rt_thread_stream(stream), pointer, bytes, flags);
}

cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void *context)
{
    return cudaLaunchHostFunc(ws_rt_thread_stream(stream), function, context);
}

cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecord(event, ws_rt_thread_stream(stream));
}

/* Without flags a program gets the functions for the way that it was compiled. */
enum { PER_THREAD_FUNCTIONS = 2 };

cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function, unsigned long long flags, int *status)
{
    return cudaGetDriverEntryPoint(symbol, function, flags ? flags : PER_THREAD_FUNCTIONS, status);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **function, unsigned int version,
                                                  unsigned long long flags, int *status)
{
    return cudaGetDriverEntryPointByVersion(symbol, function, version, flags ? flags : PER_THREAD_FUNCTIONS, status);
}

cudaError_t cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms *copy)
{
    return waited(cudaMemcpy3DAsync(copy, cudaStreamPerThread));
}

cudaError_t cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    return cudaMemcpy3DAsync(copy, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpy3DPeer_ptds(const struct cudaMemcpy3DPeerParms *copy)
{
    return waited(cudaMemcpy3DPeerAsync(copy, cudaStreamPerThread));
}

cudaError_t cudaMemcpy3DPeerAsync_ptsz(const struct cudaMemcpy3DPeerParms *copy, cudaStream_t stream)
{
    return cudaMemcpy3DPeerAsync(copy, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind)
{
    return waited(cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyFromArray_ptds(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind)
{
    return waited(cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpyFromArrayAsync_ptsz(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind)
{
    return waited(cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2DFromArray_ptds(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, enum cudaMemcpyKind kind)
{
    return waited(cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, cudaStreamPerThread));
}

cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                          size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                            size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                        size_t from_y, size_t bytes, enum cudaMemcpyKind kind)
{
    return cudaMemcpyArrayToArray(to, to_x, to_y, from, from_x, from_y, bytes, kind);
}

cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                          size_t from_x, size_t from_y, size_t width, size_t height,
                                          enum cudaMemcpyKind kind)
{
    return cudaMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, width, height, kind);
}
