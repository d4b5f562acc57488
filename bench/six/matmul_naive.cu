/* matmul_naive.cu - one element of the product a thread, both factors from global memory. */
#include "../../data/workloads/harness/device.h"

KERNEL matmul_naive(const float *a, const float *b, float *c, int n)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
