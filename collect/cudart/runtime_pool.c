/* runtime_pool.c - pools of memory, as far as they are not the driver's by another name. */
#include "collect/cudart/cudart_internal.h"

#include "collect/cudart/cudart_graph.h"

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address = 0;
    if (!pointer)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUresult result = cuMemAllocFromPoolAsync(&address, bytes, pool, stream);
    if (!result)
        *pointer = (void *)(uintptr_t)address;
    return ws_rt_from_driver(result);
}

/* CUDA 13 asks for the pool of a place; those of the device are there. */
static cudaError_t check_place(const struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
    if (!location || type == cudaMemAllocationTypeInvalid)
        return cudaErrorInvalidValue;
    return location->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned ? cudaSuccess
                                                                                              : cudaErrorNotSupported;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    const cudaError_t error = check_place(location, type);
    return error ? ws_rt_result(error) : cudaDeviceGetDefaultMemPool(pool, location->id);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
    const cudaError_t error = check_place(location, type);
    return error ? ws_rt_result(error) : cudaDeviceGetMemPool(pool, location->id);
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type, cudaMemPool_t pool)
{
    const cudaError_t error = check_place(location, type);
    return error ? ws_rt_result(error) : cudaDeviceSetMemPool(location->id, pool);
}
