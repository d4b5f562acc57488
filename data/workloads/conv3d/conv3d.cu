/* conv3d.cu - each cell of a box becomes a weighted sum of the 27 cells around it, a launch a plane, after PolyBench/GPU's 3DConvolution (S.
 * Grauer-Gray et al., 2012); code of our own. A weight depends on how many steps away a cell is. Cells at the border stay zero. */
#include "../harness/device.h"

KERNEL conv3d_plane(const float *in, float *out, int plane, int rows, int columns)
{
    const float weight[4] = {0.25f, 0.0625f, -0.03125f, 0.015625f};
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= rows - 1 || j < 1 || j >= columns - 1)
        return;
    float sum = 0;
#pragma unroll
    for (int z = -1; z <= 1; z++)
#pragma unroll
        for (int y = -1; y <= 1; y++)
#pragma unroll
            for (int x = -1; x <= 1; x++)
                sum += weight[x * x + y * y + z * z] * in[((plane + z) * rows + i + y) * columns + j + x];
    out[(plane * rows + i) * columns + j] = sum;
}
