/* syrk.cu - C = beta C + alpha A A^T, an element a thread, 32 neighbours of a row of C a warp: they share one row of A and have one
 * each of the other, a pitch apart. After PolyBench/GPU's syrk (S. Grauer-Gray et al., 2012); code of our own. */
#include "../harness/device.h"

KERNEL syrk_update(const float *a, float *c, int rows, int inner, int pitch, float alpha, float beta)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= rows)
        return;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < inner; k++)
        sum += a[i * pitch + k] * a[j * pitch + k];
    c[i * rows + j] = beta * c[i * rows + j] + alpha * sum;
}
