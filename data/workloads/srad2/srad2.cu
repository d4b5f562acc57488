/* srad2.cu - speckles smoothed by two kernels a round, whatever the picture's sides (Y. Yu, S. Acton, Speckle Reducing Anisotropic Diffusion, 2002).
 *
 * A block has a tile of the picture, and one pixel more on each side, in shared memory. sr2_coefficient leaves the differences of a pixel to its four
 * neighbours and its coefficient of diffusion in memory; sr2_update reads all five again, with coefficients of the neighbours to the south and
 * east, and moves the picture. Pixels outside are those at the edge. */
#include "../harness/device.h"

enum { SIDE = 16 };

/* The block's tile and its rim; the thread's pixel is at [ty + 1][tx + 1]. */
DEVICE void load_tile(const float *from, float (*tile)[SIDE + 2], int rows, int columns)
{
    for (int i = threadIdx.y * SIDE + threadIdx.x; i < (SIDE + 2) * (SIDE + 2); i += SIDE * SIDE) {
        const int y = (int)blockIdx.y * SIDE + i / (SIDE + 2) - 1, x = (int)blockIdx.x * SIDE + i % (SIDE + 2) - 1;
        tile[i / (SIDE + 2)][i % (SIDE + 2)] = from[min(max(y, 0), rows - 1) * columns + min(max(x, 0), columns - 1)];
    }
    __syncthreads();
}

/* difference: to the north, south, west and east, one picture behind the other. speckle: that of the region, squared. */
KERNEL __launch_bounds__(SIDE *SIDE) sr2_coefficient(const float *image, float *difference, float *coefficient, int rows, int columns, float speckle)
{
    __shared__ float tile[SIDE + 2][SIDE + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y, at = y * columns + x;

    load_tile(image, tile, rows, columns);
    if (x >= columns || y >= rows)
        return;
    const float own = tile[ty][tx], north = tile[ty - 1][tx] - own, south = tile[ty + 1][tx] - own, west = tile[ty][tx - 1] - own, east = tile[ty][tx + 1] - own;
    const float gradient = (north * north + south * south + west * west + east * east) / (own * own), laplacian = (north + south + west + east) / own;
    const float part = 1 + 0.25f * laplacian, local = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (part * part);
    const float c = 1 / (1 + (local - speckle) / (speckle * (1 + speckle)));
    coefficient[at] = fminf(1, fmaxf(0, c));
    difference[at] = north;
    difference[rows * columns + at] = south;
    difference[2 * rows * columns + at] = west;
    difference[3 * rows * columns + at] = east;
}

KERNEL __launch_bounds__(SIDE *SIDE) sr2_update(float *image, const float *difference, const float *coefficient, int rows, int columns, float lambda)
{
    __shared__ float tile[SIDE + 2][SIDE + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y, at = y * columns + x;

    load_tile(coefficient, tile, rows, columns);
    if (x >= columns || y >= rows)
        return;
    const int all = rows * columns;
    const float own = tile[ty][tx];
    image[at] += 0.25f * lambda *
                 (own * (difference[at] + difference[2 * all + at]) + tile[ty + 1][tx] * difference[all + at] + tile[ty][tx + 1] * difference[3 * all + at]);
}
