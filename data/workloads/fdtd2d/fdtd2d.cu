/* fdtd2d.cu - an electromagnetic wave on a plane by finite differences (K. Yee, 1966), after PolyBench/GPU's fdtd2d (S. Grauer-Gray et al.,
 * 2012); code of our own. Three launches a step: fd_ey and fd_ex from the differences of the magnetic field, fd_hz back. Rows of ex have
 * one cell more than those of the others, so they begin anywhere in a line. */
#include "../harness/device.h"

DEVICE int row_number()
{
    return blockIdx.y * blockDim.y + threadIdx.y;
}

DEVICE int column_number()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

KERNEL fd_ey(float *ey, const float *hz, float source, int rows, int columns)
{
    const int i = row_number(), j = column_number();
    if (i >= rows || j >= columns)
        return;
    if (i == 0)
        ey[j] = source;
    else
        ey[i * columns + j] -= 0.5f * (hz[i * columns + j] - hz[(i - 1) * columns + j]);
}

KERNEL fd_ex(float *ex, const float *hz, int rows, int columns)
{
    const int i = row_number(), j = column_number();
    if (i < rows && j > 0 && j < columns)
        ex[i * (columns + 1) + j] -= 0.5f * (hz[i * columns + j] - hz[i * columns + j - 1]);
}

KERNEL fd_hz(float *hz, const float *ex, const float *ey, int rows, int columns)
{
    const int i = row_number(), j = column_number();
    if (i < rows && j < columns)
        hz[i * columns + j] -= 0.7f * (ex[i * (columns + 1) + j + 1] - ex[i * (columns + 1) + j] + ey[(i + 1) * columns + j] - ey[i * columns + j]);
}
