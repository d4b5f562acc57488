/* convolution.cu - CS: a picture filtered by a product of two curves, first along its rows, then along its columns.
 *
 * A block loads a stretch of the picture and the halo on either side of it into shared memory, zeros where there is no
 * picture, and each thread makes STEPS pixels, as far apart as the block is wide (high). Taps are in constant memory.
 * Widths are multiples of STEPS * ROW_X and heights of STEPS * COLUMN_Y. */
#include "../harness/device.h"

enum {
    RADIUS = 8,
    TAPS = 2 * RADIUS + 1,
    STEPS = 8, /* pixels a thread */
    ROW_X = 16,
    ROW_Y = 4,
    COLUMN_X = 16,
    COLUMN_Y = 8
};
static_assert(RADIUS <= ROW_X && RADIUS <= COLUMN_Y, "one step on either side holds the halo");

__constant__ float cs_row_taps[TAPS], cs_column_taps[TAPS];

KERNEL __launch_bounds__(ROW_X *ROW_Y) cs_rows(const float *__restrict__ from, float *__restrict__ to, int width)
{
    __shared__ float tile[ROW_Y][(STEPS + 2) * ROW_X];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int left = (int)blockIdx.x * STEPS * ROW_X - ROW_X; /* picture column of tile column 0 */
    const int row = ((int)blockIdx.y * ROW_Y + ty) * width;

#pragma unroll
    for (int step = 1; step <= STEPS; step++)
        tile[ty][step * ROW_X + tx] = from[row + left + step * ROW_X + tx];
    const int before = left + tx, behind = left + (STEPS + 1) * ROW_X + tx;
    tile[ty][tx] = before >= 0 ? from[row + before] : 0.0f;
    tile[ty][(STEPS + 1) * ROW_X + tx] = behind < width ? from[row + behind] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int step = 1; step <= STEPS; step++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += cs_row_taps[RADIUS - k] * tile[ty][step * ROW_X + tx + k];
        to[row + left + step * ROW_X + tx] = sum;
    }
}

KERNEL __launch_bounds__(COLUMN_X *COLUMN_Y)
    cs_columns(const float *__restrict__ from, float *__restrict__ to, int width, int height)
{
    __shared__ float tile[COLUMN_X][(STEPS + 2) * COLUMN_Y + 1]; /* odd, so that a column spreads over the banks */
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = (int)blockIdx.y * STEPS * COLUMN_Y - COLUMN_Y; /* picture row of tile row 0 */
    const int x = (int)blockIdx.x * COLUMN_X + tx;

#pragma unroll
    for (int step = 1; step <= STEPS; step++)
        tile[tx][step * COLUMN_Y + ty] = from[(top + step * COLUMN_Y + ty) * width + x];
    const int above = top + ty, below = top + (STEPS + 1) * COLUMN_Y + ty;
    tile[tx][ty] = above >= 0 ? from[above * width + x] : 0.0f;
    tile[tx][(STEPS + 1) * COLUMN_Y + ty] = below < height ? from[below * width + x] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int step = 1; step <= STEPS; step++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += cs_column_taps[RADIUS - k] * tile[tx][step * COLUMN_Y + ty + k];
        to[(top + step * COLUMN_Y + ty) * width + x] = sum;
    }
}
