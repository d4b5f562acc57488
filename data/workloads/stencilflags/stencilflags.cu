/* stencilflags.cu - waves on a membrane in one kernel: neighbouring blocks wait for each other's borders, not for all.
 *
 * A block keeps a tile of the membrane in shared memory through all steps, with a ring of cells around it that belongs to
 * its neighbours. Each step it writes the four borders of its tile to global memory, raises its flag to the number of
 * the step, waits until the flags of its neighbours are as high, and copies their borders into the ring. Borders of odd
 * and even steps lie apart: a block writes over what its neighbours read two steps earlier, and it could not be two steps
 * ahead of them. The membrane is fixed outside of its cells. */
#include "../harness/sharing.cuh"

enum { TILE = 32, ROWS = 4, LINES = TILE / ROWS, SIDES = 4 };
enum side { ABOVE, BELOW, LEFT, RIGHT }; /* side ^ 1 is the opposite */

struct tile {
    float u[TILE + 2][TILE + 2];
};

/* Where the tile that lies on this side is; -1 when there is none. */
DEVICE int neighbour_of(int side, int tiles_x, int tiles)
{
    const int own = blockIdx.x, x = own % tiles_x;
    const int there = side == ABOVE ? own - tiles_x : side == BELOW ? own + tiles_x : side == LEFT ? own - 1 : own + 1;

    if ((side == LEFT && x == 0) || (side == RIGHT && x + 1 == tiles_x))
        return -1;
    return there < 0 || there >= tiles ? -1 : there;
}

/* Cell i of a line along this side: the last line of the tile itself, or the line of the ring beyond it. */
DEVICE float &line_cell(tile &t, int side, int i, bool beyond)
{
    const int low = beyond ? 0 : 1, high = beyond ? TILE + 1 : TILE;

    switch (side) {
    case ABOVE:
        return t.u[low][i + 1];
    case BELOW:
        return t.u[high][i + 1];
    case LEFT:
        return t.u[i + 1][low];
    default:
        return t.u[i + 1][high];
    }
}

/* Brings the ring up to date. border[parity][tile][side][i]; flag[tile] is the last step whose borders are there. */
DEVICE void exchange(tile &t, float *border, int *flag, int step, int tiles_x)
{
    const int tiles = gridDim.x, side = threadIdx.x / TILE, i = threadIdx.x % TILE;
    float *const now = border + step % 2 * tiles * SIDES * TILE;

    if (side < SIDES)
        poke(&now[(blockIdx.x * SIDES + side) * TILE + i], line_cell(t, side, i, false));
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        poke(&flag[blockIdx.x], step);
    if (threadIdx.x < SIDES) {
        const int other = neighbour_of(threadIdx.x, tiles_x, tiles);
        while (other >= 0 && peek(&flag[other]) < step)
            rest();
        __threadfence();
    }
    __syncthreads();
    if (side < SIDES) {
        const int other = neighbour_of(side, tiles_x, tiles);
        if (other >= 0)
            line_cell(t, side, i, true) = peek(&now[(other * SIDES + (side ^ 1)) * TILE + i]);
    }
    __syncthreads();
}

/* A thread has ROWS cells of a column, LINES rows apart. stiffness is the square of how many cells a wave goes in a step. */
KERNEL stn_wave(const float *start, const float *stiffness, float *result, float *border, int *flag, int width,
                int height, int tiles_x, int steps)
{
    __shared__ tile t;
    const int x = threadIdx.x % TILE + 1, first = threadIdx.x / TILE + 1;
    const int column = blockIdx.x % tiles_x * TILE + x - 1, top = blockIdx.x / tiles_x * TILE - 1;
    float before[ROWS], s[ROWS];

    for (int i = threadIdx.x; i < (TILE + 2) * (TILE + 2); i += blockDim.x)
        (&t.u[0][0])[i] = 0;
    __syncthreads();
    for (int k = 0; k < ROWS; k++) {
        const int y = first + k * LINES;
        const bool inside = column < width && top + y < height;
        const int cell = (top + y) * width + column;
        s[k] = inside ? stiffness[cell] : 0;
        before[k] = t.u[y][x] = inside ? start[cell] : 0; /* cells outside stay 0: they have no stiffness */
    }
    __syncthreads();
    for (int step = 1; step <= steps; step++) {
        float after[ROWS];
        exchange(t, border, flag, step, tiles_x);
        for (int k = 0; k < ROWS; k++) {
            const int y = first + k * LINES;
            const float u = t.u[y][x];
            const float pull = t.u[y - 1][x] + t.u[y + 1][x] + t.u[y][x - 1] + t.u[y][x + 1] - 4 * u;
            after[k] = 2 * u - before[k] + s[k] * pull;
            before[k] = u;
        }
        __syncthreads();
        for (int k = 0; k < ROWS; k++)
            t.u[first + k * LINES][x] = after[k];
        __syncthreads();
    }
    for (int k = 0; k < ROWS; k++) {
        const int y = first + k * LINES;
        if (column < width && top + y < height)
            result[(top + y) * width + column] = t.u[y][x];
    }
}
