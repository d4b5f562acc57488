/* gaussian.cu - GS: how does elimination shrink as it goes? After Rodinia's gaussian; code of our own.
 *
 * Two launches a column of the matrix: gs_multipliers divides the column below the pivot by it, gs_eliminate takes that
 * multiple of the pivot's row from every row below, and from the right-hand side. The matrix is square, by rows; grids
 * cover the whole of it in every step, so ever more threads find nothing to do. gs_column does the same in one launch,
 * through shared memory. */
#include "../harness/device.h"

enum { TILE = 4 }; /* side of gs_column's blocks */

/* multiplier[row][column] for the rows below `column`: a thread a row. */
KERNEL gs_multipliers(float *__restrict__ multiplier, const float *__restrict__ matrix, int side, int column)
{
    const int below = blockIdx.x * blockDim.x + threadIdx.x;
    if (below < side - 1 - column) {
        const int at = (column + 1 + below) * side + column;
        multiplier[at] = matrix[at] / matrix[column * side + column];
    }
}

/* A thread an entry of the rows below; x counts rows, as in the original, so neighbouring threads lie a row apart. The
 * column of the pivot itself is worked out too and becomes nearly zero. */
KERNEL gs_eliminate(const float *__restrict__ multiplier, float *__restrict__ matrix, float *__restrict__ right,
                    int side, int column)
{
    const int below = blockIdx.x * blockDim.x + threadIdx.x;
    const int beside = blockIdx.y * blockDim.y + threadIdx.y;
    if (below >= side - 1 - column || beside >= side - column)
        return;
    const int row = column + 1 + below;
    const float times = multiplier[row * side + column];
    matrix[row * side + column + beside] -= times * matrix[column * side + column + beside];
    if (beside == 0)
        right[row] -= times * right[column];
}

/* Matrix and right-hand side in one: `side` rows of `pitch` entries. A thread stages what its entry needs: the entry, what stands
 * above it in the pivot's row, and beside it in the pivot's column. That column stays as it is, since other blocks read it; its
 * threads store the multipliers. */
KERNEL gs_column(float *__restrict__ matrix, float *__restrict__ multiplier, int side, int pitch, int column)
{
    __shared__ float own[TILE][TILE], above[TILE][TILE], beside[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = column + 1 + blockIdx.x * TILE + x, at = column + blockIdx.y * TILE + y;
    const bool left = row < side && at < pitch;

    if (left) {
        own[x][y] = matrix[row * pitch + at];
        above[x][y] = matrix[column * pitch + at];
        beside[x][y] = matrix[row * pitch + column];
    }
    __syncthreads();
    if (!left)
        return;
    const float times = beside[x][y] / matrix[column * pitch + column];
    if (at == column)
        multiplier[row * side + column] = times;
    else
        matrix[row * pitch + at] = own[x][y] - times * above[x][y];
}
