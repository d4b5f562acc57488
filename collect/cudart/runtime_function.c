/* runtime_function.c - what do kernels need, and how many blocks of one fit? */
#include "collect/cudart/cudart_internal.h"

#include <string.h>

#define ENTER_FUNCTION(function, kernel) \
    CUfunction function; \
    WS_RUNTIME_ENTER(); \
    do { \
        cudaError_t missing = ws_rt_sticky(); \
        if (!missing) \
            missing = ws_rt_find_kernel(kernel, &function); \
        if (missing) \
            return ws_rt_result(missing); \
    } while (0)

static CUresult get_int(CUfunction function, CUfunction_attribute attribute, int *value)
{
    return cuFuncGetAttribute(value, attribute, function);
}

static CUresult get_size(CUfunction function, CUfunction_attribute attribute, size_t *value)
{
    int n = 0;
    const CUresult result = cuFuncGetAttribute(&n, attribute, function);
    *value = (size_t)n;
    return result;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel)
{
    ENTER_FUNCTION(function, kernel);
    if (!out)
        return ws_rt_result(cudaErrorInvalidValue);
    memset(out, 0, ws_cudart_major > 11 ? sizeof *out : offsetof(struct cudaFuncAttributes, clusterDimMustBeSet));
    CUresult result = get_size(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &out->sharedSizeBytes);
    if (!result)
        result = get_size(function, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &out->constSizeBytes);
    if (!result)
        result = get_size(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &out->localSizeBytes);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &out->maxThreadsPerBlock);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_NUM_REGS, &out->numRegs);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_PTX_VERSION, &out->ptxVersion);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_BINARY_VERSION, &out->binaryVersion);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &out->maxDynamicSharedSizeBytes);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, &out->preferredShmemCarveout);
    return ws_rt_from_driver(result);
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    ENTER_FUNCTION(function, kernel);
    return ws_rt_from_driver(cuFuncSetAttribute(function, (CUfunction_attribute)attribute, value));
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config)
{
    ENTER_FUNCTION(function, kernel);
    return ws_rt_from_driver(cuFuncSetCacheConfig(function, (CUfunc_cache)config));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config)
{
    ENTER_FUNCTION(function, kernel);
    return ws_rt_from_driver(cuFuncSetSharedMemConfig(function, (CUsharedconfig)config));
}

cudaError_t cudaFuncGetName(const char **name, const void *kernel)
{
    ENTER_FUNCTION(function, kernel);
    return ws_rt_from_driver(cuFuncGetName(name, function));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *kernel)
{
    ENTER_FUNCTION(function, kernel);
    if (!out)
        return ws_rt_result(cudaErrorInvalidValue);
    *out = function;
    return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t *out, const void *kernel)
{
    ENTER_FUNCTION(function, kernel);
    if (!out)
        return ws_rt_result(cudaErrorInvalidValue);
    *out = (cudaKernel_t)function;
    return cudaSuccess;
}

cudaError_t cudaFuncGetParamInfo(const void *kernel, size_t index, size_t *offset, size_t *bytes)
{
    ENTER_FUNCTION(function, kernel);
    return ws_rt_from_driver(cuFuncGetParamInfo(function, index, offset, bytes));
}

/* ------------------------------------------------------------------------------------------------ libraries */

cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name)
{
    WS_RUNTIME_ENTER();
    CUdeviceptr address = 0;
    const CUresult result = cuLibraryGetGlobal(&address, bytes, library, name);
    if (!result && pointer)
        *pointer = (void *)(uintptr_t)address;
    return ws_rt_from_driver(result);
}

/* ------------------------------------------------------------------------------------------------ occupancy */

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks, int threads)
{
    ENTER_FUNCTION(function, kernel);
    return ws_rt_from_driver(cuOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads,
                                                                   size_t shared_bytes, unsigned int flags)
{
    ENTER_FUNCTION(function, kernel);
    return ws_rt_from_driver(
        cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, flags));
}
