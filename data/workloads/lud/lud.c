/* lud.c - LU, host side: a matrix that needs no pivoting, the loop over diagonal tiles, and what the factors have to
 * satisfy. */
#include "data/workloads/harness/harness.h"

#include <float.h>
#include <math.h>

enum { TILE = 16 }; /* as in lud.cu */

static const double MARGIN = 0.1; /* of the diagonal over the rest of its column */

/* The original's: 10 exp(-|i - j| / 1000), positive definite. */
static float *make_smooth_matrix(harness *h, size_t side)
{
    float *const matrix = harness_host(h, side * side, sizeof *matrix);
    for (size_t row = 0; row < side; row++)
        for (size_t column = 0; column < side; column++)
            matrix[row * side + column] = (float)(10 * exp(-fabs((double)row - (double)column) / 1000));
    return matrix;
}

/* Every diagonal entry outweighs the rest of its column, so no pivot is small and no multiplier above 1. */
static float *make_matrix(harness *h, size_t side)
{
    if (harness_get_scale(h) == HARNESS_STUDY)
        return make_smooth_matrix(h, side);
    float *const matrix = harness_random_floats(h, side * side, -1, 1);
    for (size_t column = 0; column < side; column++) {
        double rest = 0;
        for (size_t row = 0; row < side; row++)
            rest += row == column ? 0 : fabs(matrix[row * side + column]);
        matrix[column * side + column] = (float)((1 + MARGIN) * rest + MARGIN);
    }
    return matrix;
}

static void factor(harness *h, const float *matrix, float *factors, int side)
{
    const size_t bytes = (size_t)side * (size_t)side * sizeof *matrix;
    const CUfunction diagonal = harness_kernel(h, "lu_diagonal"), perimeter = harness_kernel(h, "lu_perimeter"),
                     internal = harness_kernel(h, "lu_internal");
    CUdeviceptr d = harness_upload(h, matrix, bytes);

    for (int at = 0; at < side; at += TILE) {
        const int others = (side - at) / TILE - 1;
        HARNESS_LAUNCH(h, diagonal, HARNESS_DIM(1), HARNESS_DIM(TILE), 0, &d, &side, &at);
        if (others == 0)
            break;
        HARNESS_LAUNCH(h, perimeter, HARNESS_DIM(others), HARNESS_DIM(2 * TILE), 0, &d, &side, &at);
        HARNESS_LAUNCH(h, internal, HARNESS_DIM(others, others), HARNESS_DIM(TILE, TILE), 0, &d, &side, &at);
    }
    harness_download(h, factors, d, bytes);
}

/* N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, theorem 9.3: factors worked out in floating point
 * have |L U - A| <= gamma |L| |U|, whatever the order of operations, so by blocks too. */
static void check(harness *h, const float *matrix, const float *factors, int side)
{
    const double unit = FLT_EPSILON / 2, gamma = side * unit / (1 - side * unit);
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const int terms = row < column ? row : column;
            double sum = 0, magnitude = 0;
            for (int k = 0; k <= terms; k++) {
                const double l = k == row ? 1 : factors[row * side + k], term = l * factors[k * side + column];
                sum += term;
                magnitude += fabs(term);
            }
            if (!(fabs(sum - matrix[row * side + column]) <= gamma * magnitude))
                harness_wrong(h, "factors give %.9g for entry %d, %d, not %.9g", sum, row, column,
                              matrix[row * side + column]);
        }
}

static void run(harness *h)
{
    const int side = (int)harness_get_size(h, "side");
    const size_t entries = (size_t)side * (size_t)side;
    const float *const matrix = make_matrix(h, (size_t)side);
    float *const factors = harness_host(h, entries, sizeof *factors);

    factor(h, matrix, factors, side);
    check(h, matrix, factors, side);
}

static const harness_size input_sizes[] = {
    {"side", "rows and columns of the matrix", {64, 384, 256}, TILE, 2048, TILE},
    {0},
};
HARNESS_WORKLOAD_OF("LU", "data/workloads/lud/lud.ptx", run, input_sizes)
