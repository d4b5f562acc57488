/* laplace3d.cu - LPS: where does heat settle in a box with given walls? One Jacobi step of Laplace's equation in three
 * dimensions. After the laplace3d of M. Giles that the suite of Bakhoda et al. (Analyzing CUDA Workloads Using a
 * Detailed GPU Simulator, 2009) calls LPS; code of our own.
 *
 * A thread a column of the box: blocks of 32 x 4 threads march through the planes. Three planes of the block's tile,
 * with a halo of one cell around, are in shared memory; each step shifts them by one and loads the next. The first
 * threads of a block also load its halo, one cell each. Walls keep their values. */
#include "../harness/device.h"

enum {
    WIDTH = 32, /* threads of a block */
    HEIGHT = 4,
    ROW = WIDTH + 2, /* of a tile with its halo */
    TILE = ROW * (HEIGHT + 2),
    HALO = 2 * (WIDTH + HEIGHT + 2)
};

/* Extents of the box; rows are `pitch` cells apart. */
struct lps_box {
    int columns, rows, planes, pitch;
};

/* A cell that a thread looks after: where it is in a tile and in global memory. */
struct cell {
    bool inside; /* the box */
    int tile, at;
};

DEVICE cell make_cell(int column, int row, lps_box box)
{
    const int x = blockIdx.x * WIDTH + column, y = blockIdx.y * HEIGHT + row;
    cell c;
    c.inside = x >= 0 && x < box.columns && y >= 0 && y < box.rows;
    c.tile = (row + 1) * ROW + column + 1;
    c.at = y * box.pitch + x;
    return c;
}

/* The halo cell of thread t: the rows above and below, which coalesce; then the columns left and right, corners too. */
DEVICE cell make_halo(int t, lps_box box)
{
    cell c;
    if (t < 2 * WIDTH)
        c = make_cell(t % WIDTH, t < WIDTH ? -1 : HEIGHT, box);
    else
        c = make_cell(t % 2 ? WIDTH : -1, (t - 2 * WIDTH) / 2 - 1, box);
    c.inside = c.inside && t < HALO;
    return c;
}

/* Moves a cell's three values one plane down and loads the next, if there is one. */
DEVICE void march(float (*planes)[TILE], cell *c, const float *from, int plane_size, bool more)
{
    planes[0][c->tile] = planes[1][c->tile];
    planes[1][c->tile] = planes[2][c->tile];
    c->at += plane_size;
    if (more)
        planes[2][c->tile] = from[c->at];
}

KERNEL __launch_bounds__(WIDTH * HEIGHT)
    lps_step(const float *__restrict__ from, float *__restrict__ to, lps_box box)
{
    __shared__ float planes[3][TILE];
    const int x = blockIdx.x * WIDTH + threadIdx.x, y = blockIdx.y * HEIGHT + threadIdx.y;
    const int plane_size = box.rows * box.pitch;
    const bool edge = x == 0 || x == box.columns - 1 || y == 0 || y == box.rows - 1;
    cell own = make_cell(threadIdx.x, threadIdx.y, box);
    cell halo = make_halo(threadIdx.y * WIDTH + threadIdx.x, box);

    if (own.inside)
        planes[2][own.tile] = from[own.at];
    if (halo.inside)
        planes[2][halo.tile] = from[halo.at];

    for (int z = 0; z < box.planes; z++) {
        const int here = own.at;
        const bool more = z < box.planes - 1;
        if (own.inside)
            march(planes, &own, from, plane_size, more);
        if (halo.inside)
            march(planes, &halo, from, plane_size, more);
        __syncthreads();

        if (own.inside) {
            const float *const p = &planes[1][own.tile];
            float value;
            if (edge || z == 0 || !more)
                value = *p;
            else
                value = (p[-1] + p[1] + p[-ROW] + p[ROW] + p[-TILE] + p[TILE]) * (1.0f / 6.0f);
            to[here] = value;
        }
        __syncthreads();
    }
}
