/* histogram.cu - 256 bins in shared memory by atomics, added to the global ones at the end of each block. */
#include "../../data/workloads/harness/device.h"

KERNEL histogram(const int *in, int *bins, int n)
{
    __shared__ int count[256];
    const int lane = threadIdx.x;
    count[lane] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + lane; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&count[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[lane], count[lane]);
}
