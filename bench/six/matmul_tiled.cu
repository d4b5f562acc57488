/* matmul_tiled.cu - the same product with 16 x 16 tiles of both factors in shared memory. */
#include "../../data/workloads/harness/device.h"

enum { TILE = 16 };

KERNEL matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
#pragma unroll 1
    for (int k0 = 0; k0 < n; k0 += TILE) {
        a_tile[y][x] = a[row * n + k0 + x];
        b_tile[y][x] = b[(k0 + y) * n + column];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
