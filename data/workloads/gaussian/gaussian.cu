/* gaussian.cu - GS: how does elimination shrink as it goes? After Rodinia's gaussian; code of our own.
 *
 * Two launches a column of the matrix: gs_multipliers divides the column below the pivot by it, gs_eliminate takes that
 * multiple of the pivot's row from every row below, and from the right-hand side. The matrix is square, by rows; grids
 * cover the whole of it in every step, so ever more threads find nothing to do. */
#include "../harness/device.h"

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
