/* runtime_device.c - choosing, asking and resetting the one device; versions; the driver's functions by name. */
#include "collect/cudart/cudart_internal.h"

/* ------------------------------------------------------------------------------------------------ choice */

cudaError_t cudaGetDeviceCount(int *count)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuDeviceGetCount(count));
}

cudaError_t cudaSetDevice(int device)
{
    if (device)
        return ws_rt_result(cudaErrorInvalidDevice);
    WS_RUNTIME_ENTER();
    return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
    if (flags & ~1u || (flags && device_flags & ~(unsigned)cudaDeviceMask))
        return ws_rt_result(cudaErrorInvalidValue);
    return cudaSetDevice(device);
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return ws_rt_result(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const void *properties)
{
    return properties ? cudaGetDevice(device) : ws_rt_result(cudaErrorInvalidValue);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    if (count < 0 || (count && !devices))
        return ws_rt_result(cudaErrorInvalidValue);
    for (int i = 0; i < count; i++) {
        if (devices[i])
            return ws_rt_result(cudaErrorInvalidDevice);
    }
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    if (flags & ~(unsigned)cudaDeviceMask)
        return ws_rt_result(cudaErrorInvalidValue);
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuDevicePrimaryCtxSetFlags(0, flags));
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxGetFlags(flags));
}

cudaError_t cudaDeviceSynchronize(void)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxSynchronize());
}

cudaError_t cudaDeviceReset(void)
{
    WS_RUNTIME_ENTER();
    ws_rt_lock();
    const CUresult result = cuDevicePrimaryCtxReset(0);
    ws_rt_forget_modules();
    ws_rt_unlock();
    cudaGetLastError();
    return ws_rt_from_driver(result);
}

/* ------------------------------------------------------------------------------------------------ settings */

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxSetCacheConfig((CUfunc_cache)config));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxGetCacheConfig((CUfunc_cache *)config));
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxSetSharedMemConfig((CUsharedconfig)config));
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxGetSharedMemConfig((CUsharedconfig *)config));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuCtxGetStreamPriorityRange(least, greatest));
}

/* ------------------------------------------------------------------------------------------------ places, peers */

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuDeviceGetPCIBusId(id, length, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuDeviceGetByPCIBusId(device, id));
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    WS_RUNTIME_ENTER();
    return ws_rt_from_driver(cuDeviceCanAccessPeer(can, device, peer));
}

/* No device has a peer here, and a device is no peer of itself. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    WS_RUNTIME_ENTER();
    if (flags)
        return ws_rt_result(cudaErrorInvalidValue);
    return ws_rt_result(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    WS_RUNTIME_ENTER();
    return ws_rt_result(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

/* ------------------------------------------------------------------------------------------------ versions, lookup */

cudaError_t cudaDriverGetVersion(int *version)
{
    return ws_rt_from_driver(cuDriverGetVersion(version));
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    static const struct {
        int major, version;
    } versions[] = {{11, 11080}, {12, 12090}, {13, 13000}};
    if (!version)
        return ws_rt_result(cudaErrorInvalidValue);
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        if (versions[i].major == ws_cudart_major)
            *version = versions[i].version;
    }
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned int version,
                                             unsigned long long flags, int *status)
{
    WS_RUNTIME_ENTER();
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    const CUresult result = cuGetProcAddress(symbol, function, (int)version, flags, &found);
    if (!result && status)
        *status = (int)found;
    if (!result && found && !status && ws_cudart_major < 13)
        return ws_rt_result(cudaErrorSymbolNotFound);
    return ws_rt_from_driver(result);
}

/* CUDA 11 has no status: its caller does not pass one. */
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, int *status)
{
    int version = 0;
    cudaRuntimeGetVersion(&version);
    return cudaGetDriverEntryPointByVersion(symbol, function, (unsigned)version, flags,
                                            ws_cudart_major > 11 ? status : NULL);
}

/* There is no profiler of the vendor's to switch; launches are recorded from start to end. */
cudaError_t cudaProfilerStart(void)
{
    WS_RUNTIME_ENTER();
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    WS_RUNTIME_ENTER();
    return cudaSuccess;
}

/* Names that CUDA had before devices had contexts of their own. */
cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return cudaDeviceGetCacheConfig(config);
}
