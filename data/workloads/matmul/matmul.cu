/* matmul.cu - C = A * B for row-major matrices, one 16 x 16 tile of C a block, both inputs staged in shared memory.
 *
 * All extents are multiples of 16. A is rows x inner, B inner x columns; the grid is columns/16 x rows/16. */
#include "../harness/device.h"

enum { TILE = 16 };

KERNEL matmul_tiled(const float *a, const float *b, float *c, int inner, int columns)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int column = blockIdx.x * TILE + x;
    float sum = 0;

    for (int k0 = 0; k0 < inner; k0 += TILE) {
        a_tile[y][x] = a[row * inner + k0 + x];
        b_tile[y][x] = b[(k0 + y) * columns + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum += a_tile[y][k] * b_tile[k][x];
        }
        __syncthreads();
    }
    c[row * columns + column] = sum;
}
