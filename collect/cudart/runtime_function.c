/* runtime_function.c - attributes and handles of kernels, and variables of libraries. */
#include "collect/cudart/cudart_internal.h"

#include <string.h>

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

static CUresult get_clusters(CUfunction function, struct cudaFuncAttributes *out)
{
    CUresult result = get_int(function, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, &out->clusterDimMustBeSet);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, &out->requiredClusterWidth);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, &out->requiredClusterHeight);
    if (!result)
        result = get_int(function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, &out->requiredClusterDepth);
    if (!result)
        result =
            get_int(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, &out->nonPortableClusterSizeAllowed);
    return result;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel)
{
    WS_RUNTIME_ENTER_FUNCTION(function, kernel);
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
    if (!result && ws_cudart_major > 11)
        result = get_clusters(function, out);
    return ws_rt_from_driver(result);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *kernel)
{
    WS_RUNTIME_ENTER_FUNCTION(function, kernel);
    if (!out)
        return ws_rt_result(cudaErrorInvalidValue);
    *out = function;
    return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t *out, const void *kernel)
{
    WS_RUNTIME_ENTER_FUNCTION(function, kernel);
    if (!out)
        return ws_rt_result(cudaErrorInvalidValue);
    *out = (cudaKernel_t)function;
    return cudaSuccess;
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
