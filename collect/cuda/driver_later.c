/* driver_later.c - what has CUDA added that is another way to say what is there already? Functions whose answer follows
 * from the others, on one device that has no peers. */
#include "collect/cuda/driver_internal.h"

/* ------------------------------------------------------------------------------------------------ contexts by handle
 */

CUresult cuCtxSynchronize_v2(CUcontext context)
{
    if (!context)
        return cuCtxSynchronize();
    CUresult result = cuCtxPushCurrent(context);
    if (result)
        return result == CUDA_ERROR_INVALID_CONTEXT ? CUDA_ERROR_CONTEXT_IS_DESTROYED : result;
    result = cuCtxSynchronize();
    cuCtxPopCurrent(NULL);
    return result;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context)
{
    if (!context)
        return cuCtxGetDevice(device);
    WS_ENTER_DRIVER();
    if (!ws_handle_find(context, WS_HANDLE_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, void **green)
{
    if (green)
        *green = NULL; /* there are no streams of green contexts */
    return cuStreamGetCtx(stream, context);
}

/* ------------------------------------------------------------------------------------------------ modules */

/* Images of the runtime are parsed when something of them is used. */
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    WS_ENTER_DRIVER();
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function)
{
    CUmodule module;
    return cuFuncGetModule(&module, function);
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
    if (!state)
        return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED; /* who has a handle has the module */
    return cuFuncLoad(function);
}

/* ------------------------------------------------------------------------------------------------ peers */

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    WS_ENTER_CONTEXT(context);
    if (!ws_handle_find(peer, WS_HANDLE_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    WS_ENTER_CONTEXT(context);
    return ws_handle_find(peer, WS_HANDLE_CONTEXT) ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
}

/* Both devices are the same one, or there is no such device. */
CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to)
{
    WS_ENTER_DRIVER();
    (void)value, (void)attribute, (void)from, (void)to;
    return CUDA_ERROR_INVALID_DEVICE;
}

/* CUDA_MEMCPY3D_PEER is CUDA_MEMCPY3D with contexts in the place of what is reserved there. */
static CUresult without_peers(CUDA_MEMCPY3D *plain, const CUDA_MEMCPY3D *copy)
{
    WS_ENTER_CONTEXT(context);
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    if ((copy->reserved0 && !ws_handle_find(copy->reserved0, WS_HANDLE_CONTEXT)) ||
        (copy->reserved1 && !ws_handle_find(copy->reserved1, WS_HANDLE_CONTEXT)))
        return CUDA_ERROR_INVALID_CONTEXT;
    *plain = *copy;
    plain->reserved0 = plain->reserved1 = NULL;
    return CUDA_SUCCESS;
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D *copy)
{
    CUDA_MEMCPY3D plain;
    const CUresult result = without_peers(&plain, copy);
    return result ? result : cuMemcpy3D(&plain);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D *copy, CUstream stream)
{
    CUDA_MEMCPY3D plain;
    const CUresult result = without_peers(&plain, copy);
    return result ? result : cuMemcpy3DAsync(&plain, stream);
}

/* ------------------------------------------------------------------------------------------------ pools by place */

/* Pools of the device are the only ones. */
static CUresult check_place(const CUmemLocation *place, CUmemAllocationType type)
{
    if (!place || type == CU_MEM_ALLOCATION_TYPE_INVALID)
        return CUDA_ERROR_INVALID_VALUE;
    return place->type == CU_MEM_LOCATION_TYPE_DEVICE && type == CU_MEM_ALLOCATION_TYPE_PINNED
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, const CUmemLocation *place, CUmemAllocationType type)
{
    const CUresult result = check_place(place, type);
    return result ? result : cuDeviceGetDefaultMemPool(pool, place->id);
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, const CUmemLocation *place, CUmemAllocationType type)
{
    const CUresult result = check_place(place, type);
    return result ? result : cuDeviceGetMemPool(pool, place->id);
}

CUresult cuMemSetMemPool(const CUmemLocation *place, CUmemAllocationType type, CUmemoryPool pool)
{
    const CUresult result = check_place(place, type);
    return result ? result : cuDeviceSetMemPool(place->id, pool);
}

/* ------------------------------------------------------------------------------------------------ others */

/* The one attribute that can be set asks that copies wait for what was begun before, which all do. */
CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr address)
{
    WS_ENTER_CONTEXT(context);
    return value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && ws_allocation_find(address)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

/* There is no profiler of the vendor's to switch; launches are recorded from start to end. */
CUresult cuProfilerStart(void)
{
    WS_ENTER_CONTEXT(context);
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void)
{
    WS_ENTER_CONTEXT(context);
    return CUDA_SUCCESS;
}
