/* needleman.cu - global alignment of two sequences: the score matrix, tile by tile along anti-diagonals.
 *
 * score has (n + 1) x (n + 1) entries with the first row and column given; similar has as many, of which row 0 and
 * column 0 are not used. Tiles are 16 x 16, one a block of 16 threads; inside a tile the threads walk its 31
 * anti-diagonals. The tiles of one anti-diagonal of the matrix are one launch: nw_upper_left while these grow longer,
 * nw_lower_right while they shrink. */
#include "../harness/device.h"

enum { TILE = 16 };

DEVICE int best_of(int diagonal, int left, int up)
{
    return max(diagonal, max(left, up));
}

DEVICE void align_tile(int *score, const int *similar, int n, int penalty, int tile_x, int tile_y)
{
    __shared__ int tile[TILE + 1][TILE + 1];
    __shared__ int match[TILE][TILE];
    const int t = threadIdx.x;
    const int columns = n + 1;
    const int corner = tile_y * TILE * columns + tile_x * TILE; /* entry above and left of the tile */

    for (int row = 0; row < TILE; row++)
        match[row][t] = similar[corner + (row + 1) * columns + t + 1];
    if (t == 0)
        tile[0][0] = score[corner];
    tile[t + 1][0] = score[corner + (t + 1) * columns];
    tile[0][t + 1] = score[corner + t + 1];
    __syncthreads();

    for (int d = 0; d < 2 * TILE - 1; d++) {
        const int row = d - t;
        if (row >= 0 && row < TILE)
            tile[row + 1][t + 1] =
                best_of(tile[row][t] + match[row][t], tile[row + 1][t] - penalty, tile[row][t + 1] - penalty);
        __syncthreads();
    }
    for (int row = 0; row < TILE; row++)
        score[corner + (row + 1) * columns + t + 1] = tile[row + 1][t + 1];
}

/* Anti-diagonal number `diagonal` (from 1) above or on the longest one: tiles (b, diagonal - 1 - b). */
KERNEL nw_upper_left(int *score, const int *similar, int n, int penalty, int diagonal)
{
    align_tile(score, similar, n, penalty, blockIdx.x, diagonal - 1 - blockIdx.x);
}

/* Anti-diagonal of `diagonal` tiles below the longest one, which has `tiles`. */
KERNEL nw_lower_right(int *score, const int *similar, int n, int penalty, int diagonal, int tiles)
{
    align_tile(score, similar, n, penalty, blockIdx.x + tiles - diagonal, tiles - 1 - blockIdx.x);
}
