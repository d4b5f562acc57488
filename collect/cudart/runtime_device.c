/* runtime_device.c - choosing, asking and resetting the one device; versions; the driver's functions by name. */
#include "collect/cudart/cudart_internal.h"

/* ------------------------------------------------------------------------------------------------ choice */

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

/* ------------------------------------------------------------------------------------------------ places, peers */

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
