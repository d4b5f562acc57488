/* latticeboltzmann.cu - how does a lid that slides over a box drive what is in it? Lattice Boltzmann with 19 directions and one time of
 * relaxation (Y. Qian, D. d'Humieres, P. Lallemand, 1992), after Parboil's lbm (J. Stratton et al., 2012); code of our own.
 *
 * A cell a thread. A cell's 19 shares stand in 19 arrays, so lanes have neighbours; each goes to the cell that it points to, so stores along
 * rows begin anywhere in a line. Solid cells send back what comes. Arrays have room on both sides for what the outermost cells send out. */
#include "../harness/products.cuh"

enum { DIRECTIONS = 19, FLUID = 0, SOLID = 1, LID = 2 };

KERNEL lbm_step(const float *from, float *to, const uchar *kind, int columns, int rows, int first, int room, float rate, float speed)
{
    constexpr int ex[DIRECTIONS] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    constexpr int ey[DIRECTIONS] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    constexpr int ez[DIRECTIONS] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    constexpr float weight[DIRECTIONS] = {1 / 3.0f,  1 / 18.0f, 1 / 18.0f, 1 / 18.0f, 1 / 18.0f, 1 / 18.0f, 1 / 18.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f,
                                          1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f};
    const int x = thread_number();
    if (x >= columns)
        return;
    const int cell = (blockIdx.z * rows + blockIdx.y) * columns + x;
    const float *const in = from + first + cell;
    float *const out = to + first + cell;
    float share[DIRECTIONS];
#pragma unroll
    for (int k = 0; k < DIRECTIONS; k++)
        share[k] = in[k * room];
    if (kind[cell] == SOLID) {
#pragma unroll
        for (int k = 0; k < DIRECTIONS; k++) {
            const int back = k == 0 ? 0 : k % 2 ? k + 1 : k - 1; /* directions stand in pairs */
            out[back * room + (ez[back] * rows + ey[back]) * columns + ex[back]] = share[k];
        }
        return;
    }
    float mass = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int k = 0; k < DIRECTIONS; k++) {
        mass += share[k];
        ux += ex[k] * share[k];
        uy += ey[k] * share[k];
        uz += ez[k] * share[k];
    }
    const bool moved = kind[cell] == LID;
    ux = moved ? speed : ux / mass;
    uy = moved ? 0.0f : uy / mass;
    uz = moved ? 0.0f : uz / mass;
    const float square = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int k = 0; k < DIRECTIONS; k++) {
        const float along = 3.0f * (ex[k] * ux + ey[k] * uy + ez[k] * uz);
        const float rest = weight[k] * mass * (1.0f + along + 0.5f * along * along - square);
        out[k * room + (ez[k] * rows + ey[k]) * columns + ex[k]] = share[k] + rate * (rest - share[k]);
    }
}
