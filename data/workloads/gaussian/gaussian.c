/* gaussian.c - GS, host side: a system that needs no pivoting, the loop over columns, back substitution, and what the
 * factors have to satisfy. */
#include "data/workloads/harness/harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROW_THREADS = 512, TILE = 4 }; /* threads of the first kernel's blocks; side of the others' */

static const double UNIT = FLT_EPSILON / 2; /* largest relative error of one operation in single precision */
static const double MARGIN = 0.1;           /* of the diagonal over the rest of its column */

typedef struct equations {
    int side;
    size_t entries;
    float *matrix, *right;               /* as given */
    float *upper, *multiplier, *reduced; /* what the device makes of them */
    double *solution;
} equations;

/* Zeros but for so many diagonals at each side of the main one. */
static void leave_bands(float *matrix, size_t side, size_t bands)
{
    for (size_t row = 0; row < side; row++)
        for (size_t column = 0; column < side; column++)
            if (row > column + bands || column > row + bands)
                matrix[row * side + column] = 0;
}

/* Every diagonal entry outweighs the rest of its column, so no pivot is small and no multiplier above 1. */
static equations make_equations(harness *h, int side, size_t bands)
{
    const size_t n = (size_t)side;
    equations e = {
        .side = side,
        .entries = n * n,
        .matrix = harness_random_floats(h, n * n, -1, 1),
        .right = harness_random_floats(h, n, -1, 1),
        .upper = harness_host(h, n * n, sizeof *e.upper),
        .multiplier = harness_host(h, n * n, sizeof *e.multiplier),
        .reduced = harness_host(h, n, sizeof *e.reduced),
        .solution = harness_host(h, n, sizeof *e.solution),
    };
    if (bands)
        leave_bands(e.matrix, n, bands);
    for (size_t column = 0; column < n; column++) {
        double rest = 0;
        for (size_t row = 0; row < n; row++)
            rest += row == column ? 0 : fabs(e.matrix[row * n + column]);
        const double diagonal = (1 + MARGIN) * rest + MARGIN;
        e.matrix[column * n + column] = (float)(harness_integer(h, 2) ? diagonal : -diagonal);
    }
    return e;
}

static void eliminate(harness *h, equations *e)
{
    const size_t bytes = e->entries * sizeof(float), side_bytes = (size_t)e->side * sizeof(float);
    CUdeviceptr matrix = harness_upload(h, e->matrix, bytes), right = harness_upload(h, e->right, side_bytes);
    CUdeviceptr multiplier = harness_upload(h, e->multiplier, bytes); /* zeros */
    const CUfunction divide = harness_kernel(h, "gs_multipliers"), subtract = harness_kernel(h, "gs_eliminate");
    int side = e->side;
    const unsigned tiles = (unsigned)(side + TILE - 1) / TILE;
    const harness_dim rows = HARNESS_DIM((side + ROW_THREADS - 1) / ROW_THREADS);

    for (int column = 0; column < side - 1; column++) {
        HARNESS_LAUNCH(h, divide, rows, HARNESS_DIM(ROW_THREADS), 0, &multiplier, &matrix, &side, &column);
        HARNESS_LAUNCH(h, subtract, HARNESS_DIM(tiles, tiles), HARNESS_DIM(TILE, TILE), 0, &multiplier, &matrix, &right,
                       &side, &column);
    }
    harness_download(h, e->upper, matrix, bytes);
    harness_download(h, e->multiplier, multiplier, bytes);
    harness_download(h, e->reduced, right, side_bytes);
}

/* What a multiplier was made of stays below the diagonal then: it has to be the multiplier times the pivot, to the two
 * roundings of a division, and is 0 for who looks at the matrix. */
static void clear_below(harness *h, const equations *e)
{
    const int n = e->side;
    for (int row = 1; row < n; row++)
        for (int column = 0; column < row; column++) {
            float *const left = &e->upper[row * n + column];
            const double made = (double)e->multiplier[row * n + column] * e->upper[column * n + column];
            if (!(fabs(made - *left) <= 4 * UNIT * fabs(*left)))
                harness_wrong(h, "multiplier %d, %d times its pivot is %.9g, not %.9g", row, column, made, *left);
            *left = 0;
        }
}

/* The same with a launch a column; the right-hand side is the column behind the matrix. */
static void eliminate_by_columns(harness *h, equations *e)
{
    int side = e->side, pitch = side + 1;
    const size_t n = (size_t)side, width = (size_t)pitch, bytes = e->entries * sizeof(float);
    float *const both = harness_host(h, n * width, sizeof *both);
    for (size_t row = 0; row < n; row++) {
        memcpy(both + row * width, e->matrix + row * n, n * sizeof *both);
        both[row * width + n] = e->right[row];
    }
    CUdeviceptr matrix = harness_upload(h, both, n * width * sizeof *both);
    CUdeviceptr multiplier = harness_upload(h, e->multiplier, bytes); /* zeros */
    const CUfunction kernel = harness_kernel(h, "gs_column");
    const harness_dim grid = HARNESS_DIM((side + TILE - 1) / TILE, (pitch + TILE - 1) / TILE);

    for (int column = 0; column < side; column++)
        HARNESS_LAUNCH(h, kernel, grid, HARNESS_DIM(TILE, TILE), 0, &matrix, &multiplier, &side, &pitch, &column);
    harness_download(h, both, matrix, n * width * sizeof *both);
    harness_download(h, e->multiplier, multiplier, bytes);
    for (size_t row = 0; row < n; row++) {
        memcpy(e->upper + row * n, both + row * width, n * sizeof *both);
        e->reduced[row] = both[row * width + n];
    }
    clear_below(h, e);
}

/* On the host, as in the original. */
static void substitute_back(equations *e)
{
    const int n = e->side;
    for (int row = n - 1; row >= 0; row--) {
        double rest = e->reduced[row];
        for (int column = row + 1; column < n; column++)
            rest -= e->upper[row * n + column] * e->solution[column];
        e->solution[row] = rest / e->upper[row * n + row];
    }
}

/* Sum of the first `terms` products of row of L (ones on the diagonal) and column of U, and of their magnitudes. */
static double multiply(const equations *e, int row, int column, double *magnitude)
{
    const int n = e->side, terms = row < column ? row : column;
    double sum = 0;
    *magnitude = 0;
    for (int k = 0; k <= terms; k++) {
        const double term = (k == row ? 1.0 : e->multiplier[row * n + k]) * e->upper[k * n + column];
        sum += term;
        *magnitude += fabs(term);
    }
    return sum;
}

/* N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, theorem 9.3: the factors of an elimination in
 * floating point have |L U - A| <= gamma |L| |U|, whatever the order of operations. */
static void check_factors(harness *h, const equations *e, double gamma)
{
    const int n = e->side;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            double magnitude;
            const double product = multiply(e, row, column, &magnitude), want = e->matrix[row * n + column];
            if (!(fabs(product - want) <= gamma * magnitude))
                harness_wrong(h, "factors give %.9g for entry %d, %d, not %.9g", product, row, column, want);
            const double left = row > column ? e->upper[row * n + column] : 0;
            /* A multiplier that is off by one rounding leaves one, and the subtraction adds one. */
            if (!(fabs(left) <= 4 * UNIT * magnitude))
                harness_wrong(h, "entry %d, %d is %.9g after elimination, not 0", row, column, left);
            if (row <= column && e->multiplier[row * n + column] != 0)
                harness_wrong(h, "multiplier %d, %d is not below the diagonal", row, column);
        }
}

/* Likewise for the right-hand side, L y = b, and the solution, A x = b (theorem 9.4). */
static void check_solution(harness *h, const equations *e, double gamma)
{
    const int n = e->side;
    for (int row = 0; row < n; row++) {
        double y = e->reduced[row], y_size = fabs(y), b = 0, b_size = 0;
        for (int k = 0; k < row; k++) {
            const double term = (double)e->multiplier[row * n + k] * e->reduced[k];
            y += term;
            y_size += fabs(term);
        }
        if (!(fabs(y - e->right[row]) <= gamma * y_size))
            harness_wrong(h, "right-hand side %d gives %.9g, not %.9g", row, y, e->right[row]);
        for (int k = 0; k < n; k++) {
            double magnitude;
            multiply(e, row, k, &magnitude);
            b += e->matrix[row * n + k] * e->solution[k];
            b_size += magnitude * fabs(e->solution[k]);
        }
        if (!(fabs(b - e->right[row]) <= 3 * gamma * b_size))
            harness_wrong(h, "solution gives %.9g for equation %d, not %.9g", b, row, e->right[row]);
    }
}

static const harness_size input_sizes[] = {
    {"side", "equations, and unknowns", {24, 160, 96}, 2, 1024, 1},
    {"bands", "diagonals at each side of the main one that are not zero; 0: all", {0, 0, 0}, 0, 1024, 1},
    {0},
};

static void run(harness *h)
{
    equations e = make_equations(h, (int)harness_get_size(h, "side"), (size_t)harness_get_size(h, "bands"));
    const double gamma = e.side * UNIT / (1 - e.side * UNIT);
    if (harness_get_scale(h) == HARNESS_STUDY)
        eliminate_by_columns(h, &e);
    else
        eliminate(h, &e);
    substitute_back(&e);
    check_factors(h, &e, gamma);
    check_solution(h, &e, gamma);
}

HARNESS_WORKLOAD_OF("GS", "data/workloads/gaussian/gaussian.ptx", run, input_sizes)
