/* driver_managed.c - where is managed memory best kept? There is one memory, so advice and prefetching change nothing;
 * what a device would refuse is refused here too. */
#include "collect/cuda/stream_internal.h"

#include "base/bounds.h"

/* The whole range lies in one allocation of managed memory. */
static CUresult check_range(CUdeviceptr address, size_t bytes)
{
    const ws_allocation *const a = ws_allocation_find(address);
    return bytes && a && a->managed && ws_range_within(address - a->handle.key, bytes, a->bytes)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_device(CUdevice device)
{
    return device == 0 || device == CU_DEVICE_CPU ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult device_of(CUmemLocation location, CUdevice *device)
{
    switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
        *device = location.id;
        return location.id == CU_DEVICE_CPU ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
        *device = CU_DEVICE_CPU;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
    WS_ENTER_CONTEXT(context);
    WS_FIND_STREAM(s, stream);
    CUresult result = check_range(address, bytes);
    if (!result)
        result = check_device(device);
    if (result)
        return result;
    if (s->capture) /* graphs have no such node */
        return ws_capture_invalidate(s->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    result = s->legacy ? ws_capture_forbids_legacy(context) : CUDA_SUCCESS;
    if (!result)
        ws_stream_ends(s, ws_stream_ready(s));
    return result;
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned int flags,
                               CUstream stream)
{
    CUdevice device = 0;
    const CUresult result = flags ? CUDA_ERROR_INVALID_VALUE : device_of(location, &device);
    return result ? result : cuMemPrefetchAsync(address, bytes, device, stream);
}

CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
    WS_ENTER_CONTEXT(context);
    if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = check_range(address, bytes);
    if (result || advice <= CU_MEM_ADVISE_UNSET_READ_MOSTLY || advice == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION)
        return result; /* the device is not looked at */
    return check_device(device);
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location)
{
    CUdevice device = 0;
    const bool looked_at = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                           advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    const CUresult result = looked_at ? device_of(location, &device) : CUDA_SUCCESS;
    return result ? result : cuMemAdvise(address, bytes, advice, device);
}
