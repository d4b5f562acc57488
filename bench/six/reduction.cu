/* reduction.cu - each thread sums every 16384th element, a block of 256 threads its sums in shared memory. */
#include "../../data/workloads/harness/device.h"

KERNEL reduction(const float *in, float *out, int n)
{
    __shared__ float sums[256];
    const int lane = threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + lane; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sums[lane] = sum;
    __syncthreads();
#pragma unroll 1
    for (int half = 128; half > 0; half /= 2) {
        if (lane < half)
            sums[lane] += sums[lane + half];
        __syncthreads();
    }
    if (lane == 0)
        out[blockIdx.x] = sums[0];
}
