/* runtime_copy.c - copies and fills, of plain memory. */
#include "collect/cudart/cudart_internal.h"

#include "base/bounds.h"

bool ws_rt_ends_of(enum cudaMemcpyKind kind, CUmemorytype *to, CUmemorytype *from)
{
    static const CUmemorytype ends[][2] = {
        [cudaMemcpyHostToHost] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_HOST},
        [cudaMemcpyHostToDevice] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_HOST},
        [cudaMemcpyDeviceToHost] = {CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE},
        [cudaMemcpyDeviceToDevice] = {CU_MEMORYTYPE_DEVICE, CU_MEMORYTYPE_DEVICE},
        [cudaMemcpyDefault] = {CU_MEMORYTYPE_UNIFIED, CU_MEMORYTYPE_UNIFIED},
    };
    if ((unsigned)kind > cudaMemcpyDefault)
        return false;
    *to = ends[kind][0];
    *from = ends[kind][1];
    return true;
}

/* ------------------------------------------------------------------------------------------------ one dimension */

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    const CUdeviceptr target = (uintptr_t)to, source = (uintptr_t)from;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return ws_rt_from_driver(cuMemcpyHtoDAsync(target, from, bytes, stream));
    case cudaMemcpyDeviceToHost:
        return ws_rt_from_driver(cuMemcpyDtoHAsync(to, source, bytes, stream));
    case cudaMemcpyDeviceToDevice:
        return ws_rt_from_driver(cuMemcpyDtoDAsync(target, source, bytes, stream));
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault: /* the driver sees where each end lies */
        return ws_rt_from_driver(cuMemcpyAsync(target, source, bytes, stream));
    default:
        return ws_rt_result(cudaErrorInvalidMemcpyDirection);
    }
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    WS_RUNTIME_ENTER();
    const CUdeviceptr target = (uintptr_t)to, source = (uintptr_t)from;
    switch (kind) {
    case cudaMemcpyHostToDevice:
        return ws_rt_from_driver(cuMemcpyHtoD(target, from, bytes));
    case cudaMemcpyDeviceToHost:
        return ws_rt_from_driver(cuMemcpyDtoH(to, source, bytes));
    case cudaMemcpyDeviceToDevice:
        return ws_rt_from_driver(cuMemcpyDtoD(target, source, bytes));
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
        return ws_rt_from_driver(cuMemcpy(target, source, bytes));
    default:
        return ws_rt_result(cudaErrorInvalidMemcpyDirection);
    }
}

/* There is one device, number 0. */
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    if (to_device || from_device)
        return ws_rt_result(cudaErrorInvalidDevice);
    return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                cudaStream_t stream)
{
    if (to_device || from_device)
        return ws_rt_result(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

/* ------------------------------------------------------------------------------------------------ symbols */

/* Where a part of a variable lies; to_symbol says which end of the copy it is. */
static cudaError_t part_of_symbol(const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
                                  bool to_symbol, CUdeviceptr *out)
{
    const enum cudaMemcpyKind with_host = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    size_t size = 0;
    if (kind != with_host && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    const cudaError_t error = ws_rt_find_variable(symbol, out, &size);
    if (!error && !ws_range_within(offset, bytes, size))
        return cudaErrorInvalidValue;
    *out += offset;
    return error;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr to;
    const cudaError_t error = part_of_symbol(symbol, bytes, offset, kind, true, &to);
    return error ? ws_rt_result(error) : cudaMemcpy((void *)(uintptr_t)to, from, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr from;
    const cudaError_t error = part_of_symbol(symbol, bytes, offset, kind, false, &from);
    return error ? ws_rt_result(error) : cudaMemcpy(to, (const void *)(uintptr_t)from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr to;
    const cudaError_t error = part_of_symbol(symbol, bytes, offset, kind, true, &to);
    return error ? ws_rt_result(error) : cudaMemcpyAsync((void *)(uintptr_t)to, from, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr from;
    const cudaError_t error = part_of_symbol(symbol, bytes, offset, kind, false, &from);
    return error ? ws_rt_result(error) : cudaMemcpyAsync(to, (const void *)(uintptr_t)from, bytes, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address;
    size_t bytes;
    if (!pointer)
        return ws_rt_result(cudaErrorInvalidValue);
    const cudaError_t error = ws_rt_find_variable(symbol, &address, &bytes);
    if (!error)
        *pointer = (void *)(uintptr_t)address;
    return ws_rt_result(error);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address;
    if (!bytes)
        return ws_rt_result(cudaErrorInvalidValue);
    return ws_rt_result(ws_rt_find_variable(symbol, &address, bytes));
}

/* ------------------------------------------------------------------------------------------------ rows */

static cudaError_t rows_of(CUDA_MEMCPY2D *c, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t height, enum cudaMemcpyKind kind)
{
    *c = (CUDA_MEMCPY2D){.srcHost = from,
                         .srcDevice = (uintptr_t)from,
                         .srcPitch = from_pitch,
                         .dstHost = to,
                         .dstDevice = (uintptr_t)to,
                         .dstPitch = to_pitch,
                         .WidthInBytes = width,
                         .Height = height};
    if (!ws_rt_ends_of(kind, &c->dstMemoryType, &c->srcMemoryType))
        return cudaErrorInvalidMemcpyDirection;
    return width > to_pitch || width > from_pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    WS_RUNTIME_ENTER();
    CUDA_MEMCPY2D c;
    const cudaError_t error = rows_of(&c, to, to_pitch, from, from_pitch, width, height, kind);
    return error ? ws_rt_result(error) : ws_rt_from_driver(cuMemcpy2DUnaligned(&c));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    CUDA_MEMCPY2D c;
    const cudaError_t error = rows_of(&c, to, to_pitch, from, from_pitch, width, height, kind);
    return error ? ws_rt_result(error) : ws_rt_from_driver(cuMemcpy2DAsync(&c, stream));
}

/* ------------------------------------------------------------------------------------------------ fills */

/* Bytes from slice to slice. What is empty has no slice to fill, and a size that cannot be none whose end is somewhere
 * else. */
static cudaError_t slices_of(const struct cudaPitchedPtr *to, struct cudaExtent *extent, size_t *slice)
{
    size_t behind;
    *slice = 0;
    if (!extent->width || !extent->height)
        extent->depth = 0;
    if (extent->depth > 1 && (__builtin_mul_overflow(to->pitch, to->ysize, slice) || !*slice ||
                              __builtin_mul_overflow(*slice, extent->depth - 1, &behind)))
        return ws_rt_result(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    size_t slice;
    cudaError_t error = slices_of(&to, &extent, &slice);
    for (size_t z = 0; z < extent.depth && !error; z++)
        error = cudaMemset2DAsync((char *)to.ptr + z * slice, to.pitch, value, extent.width, extent.height, stream);
    return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
    WS_RUNTIME_ENTER();
    size_t slice;
    cudaError_t error = slices_of(&to, &extent, &slice);
    for (size_t z = 0; z < extent.depth && !error; z++)
        error = cudaMemset2D((char *)to.ptr + z * slice, to.pitch, value, extent.width, extent.height);
    return error;
}
