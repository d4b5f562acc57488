/* runtime_launch.c - from kernel<<<grid, block, shared, stream>>>(arguments) to the driver. */
#include "collect/cudart/cudart_internal.h"

#include <stdint.h>

/* ------------------------------------------------------------------------------------------------ the <<<>>> of a call
 */

typedef struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
} configuration;

/* Arguments of a call may be calls with configurations of their own. */
enum { CONFIGURATIONS = 16 };
static _Thread_local configuration pushed[CONFIGURATIONS];
static _Thread_local unsigned pushed_count;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream)
{
    if (pushed_count == CONFIGURATIONS)
        return 1;
    pushed[pushed_count++] = (configuration){grid, block, shared_bytes, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream)
{
    if (!pushed_count)
        return ws_rt_result(cudaErrorMissingConfiguration);
    const configuration *const c = &pushed[--pushed_count];
    *grid = c->grid;
    *block = c->block;
    *shared_bytes = c->shared_bytes;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

/* ------------------------------------------------------------------------------------------------ launches */

/* What the runtime of CUDA 11 and 12 calls a wrong configuration is a wrong argument to that of 13 and to the driver,
 * which says it in a line. */
static bool is_configuration(dim3 grid, dim3 block)
{
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    const bool grid_fits = grid.x && grid.y && grid.z && grid.x <= INT32_MAX && grid.y <= 65535 && grid.z <= 65535;
    const bool block_fits = threads && block.x <= 1024 && block.y <= 1024 && block.z <= 64 && threads <= 1024;
    return grid_fits && block_fits;
}

/* What goes wrong while a kernel runs is told by the calls after the launch, as on a device that runs by itself. */
static bool happened_in_kernel(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
        return true;
    default:
        return false;
    }
}

/* Attributes are the driver's: cooperative, and the size of clusters. */
enum { MOST_ATTRIBUTES = 2 };

static CUlaunchConfig driver_config(const configuration *c, CUlaunchAttribute *attributes, unsigned n)
{
    return (CUlaunchConfig){.gridDimX = c->grid.x,
                            .gridDimY = c->grid.y,
                            .gridDimZ = c->grid.z,
                            .blockDimX = c->block.x,
                            .blockDimY = c->block.y,
                            .blockDimZ = c->block.z,
                            .sharedMemBytes = (unsigned)c->shared_bytes,
                            .hStream = c->stream,
                            .attrs = attributes,
                            .numAttrs = n};
}

static cudaError_t launch(const void *kernel, const configuration *c, void **arguments, CUlaunchAttribute *attributes,
                          unsigned n)
{
    WS_RUNTIME_ENTER();
    const cudaError_t sticky = ws_rt_sticky();
    if (sticky)
        return ws_rt_result(sticky);
    CUfunction function;
    const cudaError_t error = ws_rt_find_kernel(kernel, &function);
    if (error == cudaErrorInvalidDeviceFunction && kernel && ws_cudart_major >= 13)
        return ws_rt_result(cudaErrorInvalidResourceHandle); /* no stub, so taken for a handle of the driver */
    if (error)
        return ws_rt_result(error);
    if (c->shared_bytes > UINT32_MAX)
        return ws_rt_result(cudaErrorInvalidValue);
    const CUlaunchConfig how = driver_config(c, attributes, n);
    const CUresult result = cuLaunchKernelEx(&how, function, arguments, NULL);
    if (ws_cudart_major < 13 && result == CUDA_ERROR_INVALID_VALUE && !is_configuration(c->grid, c->block))
        return ws_rt_result(cudaErrorInvalidConfiguration);
    return happened_in_kernel(result) ? cudaSuccess : ws_rt_from_driver(result);
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                             cudaStream_t stream)
{
    const configuration c = {grid, block, shared_bytes, stream};
    return launch(kernel, &c, arguments, NULL, 0);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream)
{
    const configuration c = {grid, block, shared_bytes, stream};
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    return launch(kernel, &c, arguments, &attribute, 1);
}

/* Returns the number of the driver's attributes. Others steer hardware that is not here. */
static unsigned driver_attributes(const cudaLaunchConfig_t *config, CUlaunchAttribute out[MOST_ATTRIBUTES])
{
    const cudaLaunchAttribute *cooperative = NULL, *cluster = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *const a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeCooperative)
            cooperative = a;
        else if (a->id == cudaLaunchAttributeClusterDimension)
            cluster = a;
    }
    if (cluster)
        out[n++] = (CUlaunchAttribute){
            .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
            .value.clusterDim = {cluster->val.clusterDim.x, cluster->val.clusterDim.y, cluster->val.clusterDim.z}};
    if (cooperative)
        out[n++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                                       .value.cooperative = cooperative->val.cooperative};
    return n;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments)
{
    CUlaunchAttribute attributes[MOST_ATTRIBUTES];
    if (!config || (config->numAttrs && !config->attrs))
        return ws_rt_result(cudaErrorInvalidValue);
    const unsigned n = driver_attributes(config, attributes);
    const configuration c = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream};
    return launch(kernel, &c, arguments, attributes, n);
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *kernel, void **arguments)
{
    if (!config)
        return ws_rt_result(cudaErrorInvalidValue);
    cudaLaunchConfig_t mine = *config;
    mine.stream = ws_rt_thread_stream(mine.stream);
    return cudaLaunchKernelExC(&mine, kernel, arguments);
}

/* ------------------------------------------------------------------------------------------------ clusters */

/* The runtime's form of a driver function. */
static cudaError_t ask_clusters(int *answer, const void *kernel, const cudaLaunchConfig_t *config,
                                CUresult (*ask)(int *, CUfunction, const CUlaunchConfig *))
{
    WS_RUNTIME_ENTER_FUNCTION(function, kernel);
    CUlaunchAttribute attributes[MOST_ATTRIBUTES];
    if (!answer || !config || (config->numAttrs && !config->attrs) || config->dynamicSmemBytes > UINT32_MAX)
        return ws_rt_result(cudaErrorInvalidValue);
    const unsigned n = driver_attributes(config, attributes);
    const configuration c = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream};
    const CUlaunchConfig how = driver_config(&c, attributes, n);
    return ws_rt_from_driver(ask(answer, function, &how));
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel, const cudaLaunchConfig_t *config)
{
    return ask_clusters(clusters, kernel, config, cuOccupancyMaxActiveClusters);
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel, const cudaLaunchConfig_t *config)
{
    return ask_clusters(size, kernel, config, cuOccupancyMaxPotentialClusterSize);
}
