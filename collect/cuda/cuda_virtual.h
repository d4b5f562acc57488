/* cuda_virtual.h - types of virtual memory management, and the functions of the whole API (cuda_api.def); included by
 * cuda_graph.h. Names, values and layouts of the public ABI. */
#ifndef WS_CUDA_VIRTUAL_H
#define WS_CUDA_VIRTUAL_H

#include "collect/cuda/cuda_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1
} CUmemAllocationGranularity_flags;

typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;

/* ------------------------------------------------------------------------------------------------ functions
 *
 * Also those of cuda.h and cuda_graph.h: all types are complete here. */
#define API(name, params)                        CUresult name params;
#define API_SINCE(name, version, symbol, params) CUresult symbol params;
#include "collect/cuda/cuda_api.def"
#undef API
#undef API_SINCE

#ifdef __cplusplus
}
#endif

#endif
