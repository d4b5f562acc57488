/* square.cu - squares of the elements of an array by a fixed grid that strides over them, the same array again each launch. */
#include "../harness/device.h"

KERNEL square_all(const float *a, float *c, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] * a[i];
}
