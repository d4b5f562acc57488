/* driver_per_thread.c - the API for programs whose threads have default streams of their own: cuda_per_thread.def. */
#include "collect/cuda/driver_internal.h"

#include <string.h>

#define MINE(stream) ((stream) ? (stream) : CU_STREAM_PER_THREAD)

/* A copy that returns when it is done. */
static CUresult waited(CUresult result)
{
    return result ? result : cuStreamSynchronize(CU_STREAM_PER_THREAD);
}

/* Rows of arrays have no asynchronous form of their own in the API. */
static CUresult copy_row(CUmemorytype to_type, CUarray to_array, CUdeviceptr to, size_t to_at, CUmemorytype from_type,
                         CUarray from_array, CUdeviceptr from, size_t from_at, size_t bytes)
{
    const CUDA_MEMCPY3D copy = {.dstMemoryType = to_type,
                                .dstArray = to_array,
                                .dstDevice = to,
                                .dstXInBytes = to_at,
                                .srcMemoryType = from_type,
                                .srcArray = from_array,
                                .srcDevice = from,
                                .srcXInBytes = from_at,
                                .WidthInBytes = bytes,
                                .Height = 1,
                                .Depth = 1};
    return cuMemcpy3DAsync(&copy, CU_STREAM_PER_THREAD);
}

static CUresult launch_ex(const CUlaunchConfig *config, CUfunction function, void **params, void **extra)
{
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    CUlaunchConfig mine = *config;
    mine.hStream = MINE(mine.hStream);
    return cuLaunchKernelEx(&mine, function, params, extra);
}

/* Declared here: no header of ours gives them names that a program would write. */
#define PER_THREAD(name, since, symbol, params, call) \
    CUresult symbol params; \
    CUresult symbol params \
    { \
        return call; \
    }
#include "collect/cuda/cuda_per_thread.def"
#undef PER_THREAD

/* An entry's own name is a string before cuda.h can turn it into the symbol of the ABI. */
static const struct {
    const char *name;
    int since;
    void *function;
} entries[] = {
#define PER_THREAD(name, since, symbol, params, call) {#name, since, (void *)symbol},
#include "collect/cuda/cuda_per_thread.def"
#undef PER_THREAD
};

void *ws_per_thread_function(const char *symbol, int version)
{
    void *found = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (version >= entries[i].since && !strcmp(entries[i].name, symbol))
            found = entries[i].function;
    }
    return found;
}
