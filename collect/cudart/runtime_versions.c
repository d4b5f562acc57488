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

static cudaError_t advise_place(const void *pointer, size_t bytes, int advice, struct cudaMemLocation place)
{
    return ws_rt_advise(pointer, bytes, advice, device_of(place));
}

static cudaError_t prefetch_place(const void *pointer, size_t bytes, struct cudaMemLocation place, unsigned int flags,
                                  cudaStream_t stream)
{
    return flags ? ws_rt_result(cudaErrorInvalidValue) : ws_rt_prefetch(pointer, bytes, device_of(place), stream);
}

#if WS_CUDART_MAJOR >= 13

cudaError_t cudaMemAdvise(const void *, size_t, int, struct cudaMemLocation);
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, struct cudaMemLocation place)
{
    return advise_place(pointer, bytes, advice, place);
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, struct cudaMemLocation, unsigned int, cudaStream_t);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation place, unsigned int flags,
                                 cudaStream_t stream)
{
    return prefetch_place(pointer, bytes, place, flags, stream);
}

cudaError_t cudaMemPrefetchAsync_ptsz(const void *, size_t, struct cudaMemLocation, unsigned int, cudaStream_t);
cudaError_t cudaMemPrefetchAsync_ptsz(const void *pointer, size_t bytes, struct cudaMemLocation place,
                                      unsigned int flags, cudaStream_t stream)
{
    return prefetch_place(pointer, bytes, place, flags, ws_rt_thread_stream(stream));
}

#else

cudaError_t cudaMemAdvise(const void *, size_t, int, int);
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device)
{
    return ws_rt_advise(pointer, bytes, advice, device);
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    return ws_rt_prefetch(pointer, bytes, device, stream);
}

cudaError_t cudaMemPrefetchAsync_ptsz(const void *, size_t, int, cudaStream_t);
cudaError_t cudaMemPrefetchAsync_ptsz(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
    return ws_rt_prefetch(pointer, bytes, device, ws_rt_thread_stream(stream));
}

cudaError_t cudaMemAdvise_v2(const void *, size_t, int, struct cudaMemLocation);
cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice, struct cudaMemLocation place)
{
    return advise_place(pointer, bytes, advice, place);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *, size_t, struct cudaMemLocation, unsigned int, cudaStream_t);
cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, struct cudaMemLocation place, unsigned int flags,
                                    cudaStream_t stream)
{
    return prefetch_place(pointer, bytes, place, flags, stream);
}

cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void *, size_t, struct cudaMemLocation, unsigned int, cudaStream_t);
cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void *pointer, size_t bytes, struct cudaMemLocation place,
                                         unsigned int flags, cudaStream_t stream)
{
    return prefetch_place(pointer, bytes, place, flags, ws_rt_thread_stream(stream));
}

#endif
