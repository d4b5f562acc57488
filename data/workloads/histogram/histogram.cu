/* histogram.cu - counts of values by atomic additions, in global memory or first in shared memory.
 *
 * A fixed grid strides over the values. his_global raises the bin in global memory, where all blocks meet. his_shared raises a bin of the
 * block's own and adds those to the global ones in the end: what software can do for itself, as long as bins have room. */
#include "../harness/device.h"

extern __shared__ int own_bins[];

KERNEL his_global(const int *value, int *bin, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        reduceAdd(&bin[value[i]], 1);
}

KERNEL his_shared(const int *value, int *bin, int n, int bins)
{
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        own_bins[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        reduceAdd(&own_bins[value[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        if (own_bins[i])
            reduceAdd(&bin[i], own_bins[i]);
}
