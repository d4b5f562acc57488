/* floydwarshall.cu - distances between all pairs of nodes (R. Floyd, Algorithm 97: Shortest Path, 1962; S. Warshall, 1962).
 *
 * The table has `pitch` numbers a row, a multiple of TILE. fw_step: a launch a node k, a thread a pair: is the way by k shorter? Row and column
 * k do not change in it, so all blocks read those while they write others. The three others do a tile of TILE nodes at a time (G.
 * Venkataraman, S. Sahni, S. Mukhopadhyaya, A Blocked All-Pairs Shortest-Paths Algorithm, 2003), in shared memory: the tile on the diagonal, then the tiles beside
 * and above it, which need it, then all others, of which each needs one of both. */
#include "../harness/device.h"

enum { TILE = 16 };

KERNEL fw_step(int *distance, int k, int nodes, int pitch)
{
    const int to = blockIdx.x * blockDim.x + threadIdx.x, from = blockIdx.y * blockDim.y + threadIdx.y;

    if (from >= nodes || to >= nodes)
        return;
    const int by = distance[from * pitch + k] + distance[k * pitch + to];
    if (by < distance[from * pitch + to])
        distance[from * pitch + to] = by;
}

/* Where the thread's element of tile (row, column) stands. */
DEVICE int place(int row, int column, int pitch)
{
    return (row * TILE + threadIdx.y) * pitch + column * TILE + threadIdx.x;
}

KERNEL fw_diagonal(int *distance, int round, int pitch)
{
    __shared__ int tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, at = place(round, round, pitch);

    tile[y][x] = distance[at];
    for (int k = 0; k < TILE; k++) {
        __syncthreads();
        const int best = min(tile[y][x], tile[y][k] + tile[k][x]);
        __syncthreads();
        tile[y][x] = best;
    }
    distance[at] = tile[y][x];
}

/* Grid: tiles of a side, but the diagonal one, times 2: those of the row, those of the column. */
KERNEL fw_cross(int *distance, int round, int pitch)
{
    __shared__ int diagonal[TILE][TILE], own[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, other = blockIdx.x + (blockIdx.x >= round), of_row = blockIdx.y == 0;
    const int at = of_row ? place(round, other, pitch) : place(other, round, pitch);

    diagonal[y][x] = distance[place(round, round, pitch)];
    own[y][x] = distance[at];
    for (int k = 0; k < TILE; k++) {
        __syncthreads();
        const int by = of_row ? diagonal[y][k] + own[k][x] : own[y][k] + diagonal[k][x], best = min(own[y][x], by);
        __syncthreads();
        own[y][x] = best;
    }
    distance[at] = own[y][x];
}

/* Grid: the same tiles, squared. */
KERNEL fw_rest(int *distance, int round, int pitch)
{
    __shared__ int before[TILE][TILE], behind[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x + (blockIdx.x >= round), row = blockIdx.y + (blockIdx.y >= round);
    const int at = place(row, column, pitch);
    int best = distance[at];

    before[y][x] = distance[place(row, round, pitch)];
    behind[y][x] = distance[place(round, column, pitch)];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
        best = min(best, before[y][k] + behind[k][x]);
    distance[at] = best;
}
