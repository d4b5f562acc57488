/* hotspot.cu - temperature of a chip over time: `steps` explicit steps of a 5-point heat equation in one launch.
 *
 * A block loads a 16 x 16 tile and computes a smaller one a step: what it cannot compute from its own tile shrinks by
 * one cell on every side a step (the pyramid), so neighbouring tiles overlap by 2 * steps cells. The chip's own edge
 * is reflecting: outside neighbours are the edge cells themselves. */
#include "../harness/device.h"

enum { TILE = 16 };

KERNEL hotspot_steps(const float *power, const float *from, float *to, int side, int steps, float step_over_capacity,
                     float rx_inverse, float ry_inverse, float rz_inverse, float ambient)
{
    __shared__ float now[TILE][TILE];
    __shared__ float watts[TILE][TILE];
    __shared__ float next[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int inner = TILE - 2 * steps; /* side of the part that this block finishes */
    const int x = (int)blockIdx.x * inner - steps + tx;
    const int y = (int)blockIdx.y * inner - steps + ty;
    const bool on_chip = x >= 0 && x < side && y >= 0 && y < side;

    if (on_chip) {
        now[ty][tx] = from[y * side + x];
        watts[ty][tx] = power[y * side + x];
    }
    __syncthreads();

    /* Tile coordinates of the neighbours, at the chip's edge the cell's own. */
    const int north = y > 0 ? ty - 1 : ty, south = y < side - 1 ? ty + 1 : ty;
    const int west = x > 0 ? tx - 1 : tx, east = x < side - 1 ? tx + 1 : tx;
    bool computed = false;
    for (int s = 1; s <= steps; s++) {
        computed = on_chip && tx >= s && tx < TILE - s && ty >= s && ty < TILE - s;
        if (computed) {
            const float t = now[ty][tx];
            next[ty][tx] = t + step_over_capacity * (watts[ty][tx] +
                                                     (now[south][tx] + now[north][tx] - 2 * t) * ry_inverse +
                                                     (now[ty][east] + now[ty][west] - 2 * t) * rx_inverse +
                                                     (ambient - t) * rz_inverse);
        }
        __syncthreads();
        if (computed)
            now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (computed)
        to[y * side + x] = now[ty][tx];
}
