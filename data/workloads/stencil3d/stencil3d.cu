/* stencil3d.cu - ST3D: a value and its six neighbours in a box are averaged, over and over. One step a launch.
 *
 * A block stands on a tile of 2 TILE_X x TILE_Y values of a layer and climbs through all layers. The layer that it is
 * on lies in shared memory, the values below and above in registers: a thread owns two columns, TILE_X apart. Neighbours
 * outside of the tile come from global memory. Values on the box's surface never change. */
#include "../harness/device.h"

enum { TILE_X = 32, TILE_Y = 4, WIDTH = 2 * TILE_X };

/* One column of values, through all layers. */
struct column {
    int x, y, in_layer; /* place in a layer */
    int tx, ty;         /* place in the tile */
    bool inside;        /* has six neighbours */
    float below, current, above;
};

DEVICE column make_column(int tx, int ty, int nx, int ny)
{
    column c;
    c.tx = tx;
    c.ty = ty;
    c.x = (int)blockIdx.x * WIDTH + tx;
    c.y = (int)blockIdx.y * TILE_Y + ty;
    c.in_layer = c.y * nx + c.x;
    c.inside = c.x > 0 && c.x < nx - 1 && c.y > 0 && c.y < ny - 1;
    c.below = c.current = c.above = 0.0f;
    return c;
}

/* One neighbour, from the tile or from the layer. The empty instruction keeps the two loads apart: clang would make one
 * load of them, from an address that it selects, and there would be no branch at the tile's edge any more. */
DEVICE float neighbour_of(bool in_tile, const float *of_tile, const float *of_layer)
{
    float value;
    if (in_tile) {
        value = *of_tile;
    } else {
        value = *of_layer;
        asm("" : "+f"(value));
    }
    return value;
}

DEVICE float around(const column &c, const float (*tile)[WIDTH], const float *layer, int nx)
{
    const float *const here = &tile[c.ty][c.tx], *const there = layer + c.in_layer;
    return c.below + c.above + neighbour_of(c.tx > 0, here - 1, there - 1) +
           neighbour_of(c.tx < WIDTH - 1, here + 1, there + 1) + neighbour_of(c.ty > 0, here - WIDTH, there - nx) +
           neighbour_of(c.ty < TILE_Y - 1, here + WIDTH, there + nx);
}

KERNEL __launch_bounds__(TILE_X *TILE_Y) st3d_step(float own, float neighbour, const float *__restrict__ from,
                                                   float *__restrict__ to, int nx, int ny, int nz)
{
    __shared__ float tile[TILE_Y][WIDTH];
    column c[2] = {make_column(threadIdx.x, threadIdx.y, nx, ny),
                   make_column(threadIdx.x + TILE_X, threadIdx.y, nx, ny)};
    const int area = nx * ny;

#pragma unroll
    for (int i = 0; i < 2; i++) {
        if (c[i].x < nx && c[i].y < ny) {
            c[i].below = from[c[i].in_layer];
            c[i].current = from[c[i].in_layer + area];
        }
        tile[c[i].ty][c[i].tx] = c[i].current;
    }
    __syncthreads();

    for (int z = 1; z < nz - 1; z++) {
        const float *const layer = from + z * area;
#pragma unroll
        for (int i = 0; i < 2; i++) {
            if (c[i].x < nx && c[i].y < ny)
                c[i].above = layer[c[i].in_layer + area];
            if (c[i].inside)
                to[z * area + c[i].in_layer] = own * c[i].current + neighbour * around(c[i], tile, layer, nx);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; i++) {
            c[i].below = c[i].current;
            c[i].current = c[i].above;
            tile[c[i].ty][c[i].tx] = c[i].current;
        }
        __syncthreads();
    }
}
