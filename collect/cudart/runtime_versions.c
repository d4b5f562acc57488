/* runtime_versions.c - functions of one name whose parameters differ between versions. Compiled once for each version,
 * with WS_CUDART_MAJOR. CUDA 13 says where managed memory is wanted by a place, CUDA 11 and 12 by a device's number. */
#include "collect/cudart/cudart_internal.h"

static int device_of(struct cudaMemLocation place)
{
    switch (place.type) {
    case cudaMemLocationTypeDevice:
        return place.id;
    case cudaMemLocationTypeHost:
        return CU_DEVICE_CPU;
    default:
        return CU_DEVICE_INVALID;
    }
}

static cudaError_t prefetch_place(const void *pointer, size_t bytes, struct cudaMemLocation place, unsigned int flags,
                                  cudaStream_t stream)
{
    return flags ? ws_rt_result(cudaErrorInvalidValue) : ws_rt_prefetch(pointer, bytes, device_of(place), stream);
}

/* A function that one of the libraries exports, declared here because no header can have all of its forms. */
#define EXPORTED(name, params, call) \
    cudaError_t name params; \
    cudaError_t name params \
    { \
        return call; \
    }

#if WS_CUDART_MAJOR >= 13
#define PLACED(name) name
#else
#define PLACED(name) name##_v2
#endif
#define THREADS(name) name##_ptsz
#define PTSZ(name)    THREADS(name)

EXPORTED(PLACED(cudaMemAdvise), (const void *pointer, size_t bytes, int advice, struct cudaMemLocation place),
         ws_rt_advise(pointer, bytes, advice, device_of(place)))
EXPORTED(PLACED(cudaMemPrefetchAsync),
         (const void *pointer, size_t bytes, struct cudaMemLocation place, unsigned int flags, cudaStream_t stream),
         prefetch_place(pointer, bytes, place, flags, stream))
EXPORTED(PTSZ(PLACED(cudaMemPrefetchAsync)),
         (const void *pointer, size_t bytes, struct cudaMemLocation place, unsigned int flags, cudaStream_t stream),
         prefetch_place(pointer, bytes, place, flags, ws_rt_thread_stream(stream)))

#if WS_CUDART_MAJOR < 13
EXPORTED(cudaMemAdvise, (const void *pointer, size_t bytes, int advice, int device),
         ws_rt_advise(pointer, bytes, advice, device))
EXPORTED(cudaMemPrefetchAsync, (const void *pointer, size_t bytes, int device, cudaStream_t stream),
         ws_rt_prefetch(pointer, bytes, device, stream))
EXPORTED(cudaMemPrefetchAsync_ptsz, (const void *pointer, size_t bytes, int device, cudaStream_t stream),
         ws_rt_prefetch(pointer, bytes, device, ws_rt_thread_stream(stream)))
#endif
