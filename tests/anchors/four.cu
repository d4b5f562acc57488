/* four.cu - the four kernels whose cycles and cache counts GPGPU-Sim 4.2 reported: see run_anchors.sh. Loops are unrolled as
 * nvcc -O2 does, so that a warp executes about as many instructions. */
#include "../../data/workloads/harness/device.h"

enum { TILE = 16, THREADS = 256 };

KERNEL vecadd(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

/* Two elements a thread: 1024 blocks. Counts of GPGPU-Sim (470,016 warp and 14,416,896 thread instructions) leave no other
 * shape: 51 instructions a thread, 4 for each addition in the tree, 3 more for the last thread. */
KERNEL reduce(const float *in, float *out)
{
    __shared__ float sum[THREADS];
    const int lane = threadIdx.x, i = blockIdx.x * (2 * THREADS) + lane;
    sum[lane] = in[i] + in[i + THREADS];
    __syncthreads();
#pragma unroll
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (lane < half)
            sum[lane] += sum[lane + half];
        __syncthreads();
    }
    if (lane == 0)
        atomicAdd(out, sum[0]);
}

KERNEL tiled(const float *a, const float *b, float *c, int n)
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
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

KERNEL naive(const float *a, const float *b, float *c, int n)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const float *left = a + row * n, *right = b + column;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < n; k++) {
        sum += *left++ * *right;
        right += n;
    }
    c[row * n + column] = sum;
}
