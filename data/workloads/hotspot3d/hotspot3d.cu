/* hotspot3d.cu - temperature in a stack of layers over time: one explicit step of a 7-point heat equation a launch.
 *
 * A thread has a column of cells and climbs it, with the cells below and above in registers; the four neighbours in its layer are read from
 * memory. Sides of the stack reflect: the neighbour of a cell at a side is the cell itself. Heat leaves to the ambient from every cell. */
#include "../harness/device.h"

/* What counts in the next temperature of a cell: neighbours east and west, north and south, above and below, the cell itself, its power, and
 * the ambient. */
struct heat_shares {
    float across, along, upward, own, per_watt, of_ambient, ambient;
};

KERNEL h3d_step(const float *power, const float *from, float *to, int wide, int deep, int layers, heat_shares s)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= wide || y >= deep)
        return;
    const int layer = wide * deep, west = x ? -1 : 0, east = x + 1 < wide ? 1 : 0, north = y ? -wide : 0, south = y + 1 < deep ? wide : 0;
    int at = y * wide + x;
    float below = from[at], here = below;
    for (int z = 0; z < layers; z++, at += layer) {
        const float above = z + 1 < layers ? from[at + layer] : here;
        to[at] = s.own * here + s.across * (from[at + west] + from[at + east]) + s.along * (from[at + north] + from[at + south]) +
                 s.upward * (below + above) + s.per_watt * power[at] + s.of_ambient * s.ambient;
        below = here;
        here = above;
    }
}
