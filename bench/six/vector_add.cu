/* vector_add.cu - one element a thread: the least a kernel can do. */
#include "../../data/workloads/harness/device.h"

KERNEL vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
