/* conv2d.cu - each cell of a picture becomes a weighted sum of itself and its eight neighbours, after PolyBench/GPU's 2DConvolution (S.
 * Grauer-Gray et al., 2012); code of our own. A cell a thread, no shared memory: the loads to the left and to the right of a warp's cells
 * reach into a second line. Cells at the border stay zero. */
#include "../harness/device.h"

enum { TAPS = 3 };

KERNEL conv2d_cells(const float *in, float *out, int rows, int columns, int pitch)
{
    const float weight[TAPS][TAPS] = {{0.2f, -0.3f, 0.4f}, {0.5f, 0.6f, 0.7f}, {-0.8f, -0.9f, 0.1f}};
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= rows - 1 || j < 1 || j >= columns - 1)
        return;
    float sum = 0;
#pragma unroll
    for (int y = 0; y < TAPS; y++)
#pragma unroll
        for (int x = 0; x < TAPS; x++)
            sum += weight[y][x] * in[(i + y - 1) * pitch + j + x - 1];
    out[i * pitch + j] = sum;
}
