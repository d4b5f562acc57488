/* transpose.cu - out[x][y] = in[y][x], once with scattered stores and once through a tile in shared memory. */
#include "../harness/device.h"

enum { TILE = 16 };

/* Rows are read whole; the stores of a warp fall into as many rows of `out` as it has columns. */
KERNEL transpose_naive(float *out, const float *in, int width, int height)
{
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;

    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

/* Loads and stores both go along rows; the turn happens in a tile whose padding keeps columns in different banks. */
KERNEL transpose_tiled(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;

    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();

    const int out_x = blockIdx.y * TILE + threadIdx.x;
    const int out_y = blockIdx.x * TILE + threadIdx.y;
    if (out_x < height && out_y < width)
        out[out_y * height + out_x] = tile[threadIdx.x][threadIdx.y];
}
