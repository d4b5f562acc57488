/* cell.cu - CL: how far does a tile of shared memory carry a cellular automaton in space? After the program Cell of
 * J. Meng and K. Skadron, Performance Modeling and Automatic Ghost Zone Optimization for Iterative Stencil Loops on
 * GPUs, 2009; code of our own.
 *
 * Cells of a cube are alive (1) or dead (0), and dead outside. Blocks of 4 x 4 x 4 threads load tiles of 8 x 8 x 8
 * cells, eight a thread, take them STEPS generations on, and store the inner cells, which nothing outside the tile could
 * reach in that time; those around them are the ghost zone. Blocks stride over the tiles; a grid of one block can go
 * through several rounds in a launch, because its barrier is one of the whole grid. */
#include "../harness/device.h"

enum {
    THREADS = 4, /* along each axis */
    BLOCK = THREADS * THREADS * THREADS,
    TILE = 8,
    EACH = TILE / THREADS, /* cells of a thread along each axis */
    CELLS = EACH * EACH * EACH,
    STEPS = 2,
    INNER = TILE - 2 * STEPS
};

/* When a living cell stays and a dead one becomes alive, by the number of living ones among its 26 neighbours. */
struct rule {
    int stay_least, stay_most, born_least, born_most;
};

DEVICE int next_state(const int (*tile)[TILE][TILE], int x, int y, int z, rule r)
{
    const int own = tile[z][y][x];
    int alive = -own;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                alive += tile[z + dz][y + dy][x + dx];
    if (own)
        return alive >= r.stay_least && alive <= r.stay_most;
    return alive >= r.born_least && alive <= r.born_most;
}

/* Has a cell of the tile all that it needs after `step` generations? */
DEVICE bool within(int at, int step)
{
    return at >= step && at < TILE - step;
}

/* Cell number i, 0 to 7, of a thread: THREADS apart along each axis. */
struct spot {
    int x, y, z;
};

DEVICE spot of_thread(int i)
{
    spot s;
    s.x = threadIdx.x + i % EACH * THREADS;
    s.y = threadIdx.y + i / EACH % EACH * THREADS;
    s.z = threadIdx.z + i / (EACH * EACH) * THREADS;
    return s;
}

/* The tile whose first cell is (x, y, z), which may lie outside. */
DEVICE void take_tile_on(const int *in, int *out, int side, int x, int y, int z, rule r)
{
    __shared__ int tile[TILE][TILE][TILE];
    int value[CELLS];
    bool inside[CELLS];

#pragma unroll /* or the arrays go to local memory */
    for (int i = 0; i < CELLS; i++) {
        const spot s = of_thread(i);
        const int cx = x + s.x, cy = y + s.y, cz = z + s.z;
        inside[i] = cx >= 0 && cx < side && cy >= 0 && cy < side && cz >= 0 && cz < side;
        value[i] = 0;
        if (inside[i])
            value[i] = in[(cz * side + cy) * side + cx];
        tile[s.z][s.y][s.x] = value[i];
    }
    for (int step = 1; step <= STEPS; step++) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            const spot s = of_thread(i);
            inside[i] = inside[i] && within(s.x, step) && within(s.y, step) && within(s.z, step);
            if (inside[i])
                value[i] = next_state(tile, s.x, s.y, s.z, r);
        }
        __syncthreads();
        if (step == STEPS)
            break;
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            const spot s = of_thread(i);
            tile[s.z][s.y][s.x] = value[i];
        }
    }
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        const spot s = of_thread(i);
        if (inside[i])
            out[((z + s.z) * side + y + s.y) * side + x + s.x] = value[i];
    }
}

/* Takes the cells `rounds` times STEPS generations on, from `now` to `then` and back; more rounds than one need a grid
 * of one block. */
KERNEL __launch_bounds__(BLOCK) cell_generations(int *now, int *then, int side, int rounds, rule r)
{
    const int across = (side + INNER - 1) / INNER;
    for (int round = 0; round < rounds; round++) {
        for (int t = blockIdx.x; t < across * across * across; t += gridDim.x)
            take_tile_on(now, then, side, t % across * INNER - STEPS, t / across % across * INNER - STEPS,
                         t / (across * across) * INNER - STEPS, r);
        __syncthreads(); /* what one thread of the block stored, others load */
        int *const before = now;
        now = then;
        then = before;
    }
}
