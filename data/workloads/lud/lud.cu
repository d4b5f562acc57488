/* lud.cu - LU: what does a blocked factorization keep in shared memory? After Rodinia's lud; code of our own.
 *
 * The matrix is square, by rows, a multiple of TILE, and becomes L (below the diagonal, whose ones are not stored) and
 * U in place. Step k works on what lies from tile k on: lu_diagonal factors tile (k, k); lu_perimeter solves for the
 * tiles right of it and below it, a pair a block; lu_internal takes their products from all other tiles. `at` is the
 * first row and column of the step. */
#include "../harness/device.h"

enum { TILE = 16, ENTRIES = TILE * TILE };

/* One block of TILE threads. In step i thread t finishes entry i of row t (L), then of column t in row i + 1 (U). */
KERNEL __launch_bounds__(TILE) lu_diagonal(float *__restrict__ matrix, int side, int at)
{
    __shared__ float tile[TILE][TILE];
    const int t = threadIdx.x;
    float *const corner = matrix + at * side + at;

    for (int row = 0; row < TILE; row++)
        tile[row][t] = corner[row * side + t];
    __syncthreads();
    for (int i = 0; i < TILE - 1; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                tile[t][i] -= tile[t][j] * tile[j][i];
            tile[t][i] /= tile[i][i];
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j <= i; j++)
                tile[i + 1][t] -= tile[i + 1][j] * tile[j][t];
        __syncthreads();
    }
    for (int row = 1; row < TILE; row++) /* the first one is final from the start */
        corner[row * side + t] = tile[row][t];
}

/* Blocks of 2 TILE threads: the first half takes the tile right of the diagonal one, a column a thread, the second
 * half the tile below it, a row a thread. Each half loads one half of the diagonal tile. */
KERNEL __launch_bounds__(2 * TILE) lu_perimeter(float *__restrict__ matrix, int side, int at)
{
    __shared__ float diagonal[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
    const bool first = threadIdx.x < TILE;
    const int t = threadIdx.x % TILE;
    const int away = (blockIdx.x + 1) * TILE;
    float *const corner = matrix + at * side + at;

    if (first) {
        for (int row = 0; row < TILE / 2; row++)
            diagonal[row][t] = corner[row * side + t];
        for (int row = 0; row < TILE; row++)
            right[row][t] = corner[row * side + away + t];
    } else {
        for (int row = TILE / 2; row < TILE; row++)
            diagonal[row][t] = corner[row * side + t];
        for (int row = 0; row < TILE; row++)
            below[row][t] = corner[(away + row) * side + t];
    }
    __syncthreads();

    if (first) {
        for (int i = 1; i < TILE; i++)
            for (int j = 0; j < i; j++)
                right[i][t] -= diagonal[i][j] * right[j][t];
    } else {
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < i; j++)
                below[t][i] -= below[t][j] * diagonal[j][i];
            below[t][i] /= diagonal[i][i];
        }
    }
    __syncthreads(); /* rows of the lower tile are stored by other threads than worked them out */

    if (first) {
        for (int row = 1; row < TILE; row++)
            corner[row * side + away + t] = right[row][t];
    } else {
        for (int row = 0; row < TILE; row++)
            corner[(away + row) * side + t] = below[row][t];
    }
}

/* A block a tile, a thread an entry: less the product of the tile left of it in L and above it in U. */
KERNEL __launch_bounds__(ENTRIES) lu_internal(float *__restrict__ matrix, int side, int at)
{
    __shared__ float above[TILE][TILE], left[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = at + (blockIdx.y + 1) * TILE + y, column = at + (blockIdx.x + 1) * TILE + x;

    above[y][x] = matrix[(at + y) * side + column];
    left[y][x] = matrix[row * side + at + x];
    __syncthreads();

    float sum = 0.0f;
    for (int k = 0; k < TILE; k++)
        sum += left[y][k] * above[k][x];
    matrix[row * side + column] -= sum;
}
