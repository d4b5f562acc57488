/* runtime_memory.c - device, pinned and managed memory. */
#include "collect/cudart/cudart_internal.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ device memory */

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address = 0;
    if (!pointer)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = bytes ? cuMemAlloc(&address, bytes) : CUDA_SUCCESS;
    if (!result)
        *pointer = (void *)(uintptr_t)address;
    return ws_rt_from_driver(result);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address = 0;
    if (!pointer || !pitch)
        return ws_rt_result(cudaErrorInvalidValue);
    if (!width || !height) {
        *pointer = NULL;
        *pitch = 0;
        return cudaSuccess;
    }
    const CUresult result = cuMemAllocPitch(&address, pitch, width, height, 4);
    if (!result)
        *pointer = (void *)(uintptr_t)address;
    return ws_rt_from_driver(result);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    size_t rows;
    if (!out)
        return ws_rt_result(cudaErrorInvalidValue);
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return ws_rt_result(cudaErrorMemoryAllocation);
    void *pointer = NULL;
    size_t pitch = 0;
    const cudaError_t error = cudaMallocPitch(&pointer, &pitch, extent.width, rows);
    if (!error)
        *out = (struct cudaPitchedPtr){pointer, pitch, extent.width, extent.height};
    return error;
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address = 0;
    if (!pointer || (!bytes && ws_cudart_major < 13)) /* that of 13 gives a null pointer */
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = bytes ? cuMemAllocManaged(&address, bytes, flags) : CUDA_SUCCESS;
    if (!result)
        *pointer = (void *)(uintptr_t)address;
    return ws_rt_from_driver(result);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address = 0;
    if (!pointer)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = bytes ? cuMemAllocAsync(&address, bytes, stream) : CUDA_SUCCESS;
    if (!result)
        *pointer = (void *)(uintptr_t)address;
    return ws_rt_from_driver(result);
}

/* ------------------------------------------------------------------------------------------------ host memory */

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    WS_RUNTIME_ENTER();
    if (!pointer)
        return ws_rt_result(cudaErrorInvalidValue);
    if (!bytes) {
        *pointer = NULL;
        return cudaSuccess;
    }
    return ws_rt_from_driver(cuMemHostAlloc(pointer, bytes, flags));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address = 0;
    if (!device)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuMemHostGetDevicePointer(&address, host, flags);
    if (!result)
        *device = (void *)(uintptr_t)address;
    return ws_rt_from_driver(result);
}

/* ------------------------------------------------------------------------------------------------ questions, hints */

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    WS_RUNTIME_ENTER();
    unsigned type = 0;
    unsigned char managed = 0;
    const CUdeviceptr address = (uintptr_t)pointer;
    if (!attributes)
        return ws_rt_result(cudaErrorInvalidValue);
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered, .device = -2};
    if (ws_cudart_major >= 13)
        memset(attributes + 1, 0, 8 * sizeof(long));
    if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address)) {
        attributes->hostPointer = (void *)(uintptr_t)address; /* memory of the host that nobody registered */
        return cudaSuccess;
    }
    cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address);
    managed |= ws_rt_is_managed(address);
    attributes->type = managed                      ? cudaMemoryTypeManaged
                       : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                                    : cudaMemoryTypeDevice;
    attributes->device = 0;
    attributes->devicePointer = (void *)(uintptr_t)address;
    if (attributes->type != cudaMemoryTypeDevice)
        attributes->hostPointer = (void *)(uintptr_t)address;
    return cudaSuccess;
}

cudaError_t ws_rt_advise(const void *pointer, size_t bytes, int advice, int device)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuMemAdvise((uintptr_t)pointer, bytes, (CUmem_advise)advice, device));
}

cudaError_t ws_rt_prefetch(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuMemPrefetchAsync((uintptr_t)pointer, bytes, device, stream));
}
