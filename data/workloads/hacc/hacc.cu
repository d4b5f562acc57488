/* hacc.cu - particles that attract each other when they are near, as in simulations of the universe, where a grid does the far part (S. Habib et al.,
 * HACC: Extreme Scaling and Performance Across Diverse Architectures, 2013).
 *
 * Particles stand cell by cell, and cells are so large that all who are near are in the 27 cells around. hac_force: a block a cell; its threads
 * have the cell's particles, and all particles of the cells around come through shared memory, a batch at a time. hac_drift moves
 * particles along, hac_kick changes their velocities. The box goes on at its ends. */
#include "../harness/device.h"

enum { BATCH = 64, AROUND = 27 };

/* The force of a unit of mass at a distance: inverse squares less what the grid has done already, a polynomial in the distance squared. */
static const float GRID[] = {0.269327f, -0.0750978f, 0.0114808f, -0.00109313f, 0.0000605491f, -0.00000147177f};

struct forces {
    float reach_squared, soft_squared, cell; /* cell: its side */
};

DEVICE float pull(float squared, float soft_squared)
{
    const float softened = squared + soft_squared, inverse = 1 / sqrtf(softened);
    float of_grid = GRID[5];
#pragma unroll
    for (int i = 4; i >= 0; i--)
        of_grid = of_grid * squared + GRID[i];
    return inverse * inverse * inverse - of_grid;
}

/* A cell's neighbour along one axis; *shift: how far its particles are from where they seem to be. */
DEVICE int beside(int at, int step, int cells, float box, float *shift)
{
    const int next = at + step;
    *shift = next < 0 ? -box : next >= cells ? box : 0;
    return next < 0 ? cells - 1 : next >= cells ? 0 : next;
}

/* Particles of cell c: first[c] .. first[c + 1] - 1. */
KERNEL __launch_bounds__(BATCH) hac_force(const int *first, const float *x, const float *y, const float *z, float *force_x, float *force_y, float *force_z,
                                          forces f, int cells)
{
    __shared__ float near_x[BATCH], near_y[BATCH], near_z[BATCH];
    const int cell = blockIdx.x, cx = cell % cells, cy = cell / cells % cells, cz = cell / cells / cells;
    const float box = cells * f.cell;

    for (int begin = first[cell]; begin < first[cell + 1]; begin += BATCH) {
        const int own = begin + threadIdx.x;
        const bool there = own < first[cell + 1];
        const float at_x = there ? x[own] : 0, at_y = there ? y[own] : 0, at_z = there ? z[own] : 0;
        float sum_x = 0, sum_y = 0, sum_z = 0;
        for (int k = 0; k < AROUND; k++) {
            float shift_x, shift_y, shift_z;
            const int nx = beside(cx, k % 3 - 1, cells, box, &shift_x), ny = beside(cy, k / 3 % 3 - 1, cells, box, &shift_y);
            const int nz = beside(cz, k / 9 - 1, cells, box, &shift_z), other = (nz * cells + ny) * cells + nx, end = first[other + 1];
            for (int batch = first[other]; batch < end; batch += BATCH) {
                const int held = min(BATCH, end - batch);
                __syncthreads();
                if (threadIdx.x < held) {
                    near_x[threadIdx.x] = x[batch + threadIdx.x] + shift_x;
                    near_y[threadIdx.x] = y[batch + threadIdx.x] + shift_y;
                    near_z[threadIdx.x] = z[batch + threadIdx.x] + shift_z;
                }
                __syncthreads();
                for (int i = 0; i < held; i++) {
                    const float dx = near_x[i] - at_x, dy = near_y[i] - at_y, dz = near_z[i] - at_z, squared = dx * dx + dy * dy + dz * dz;
                    const float strength = squared < f.reach_squared ? pull(squared, f.soft_squared) : 0;
                    sum_x += strength * dx;
                    sum_y += strength * dy;
                    sum_z += strength * dz;
                }
            }
        }
        if (there) {
            force_x[own] = sum_x;
            force_y[own] = sum_y;
            force_z[own] = sum_z;
        }
    }
}

/* to += step * by, for three axes: hac_drift moves places by velocities, hac_kick velocities by forces. */
DEVICE void go_on(float *to_x, float *to_y, float *to_z, const float *by_x, const float *by_y, const float *by_z, float step, int particles)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= particles)
        return;
    to_x[i] += step * by_x[i];
    to_y[i] += step * by_y[i];
    to_z[i] += step * by_z[i];
}

KERNEL hac_drift(float *x, float *y, float *z, const float *u, const float *v, const float *w, float step, int particles)
{
    go_on(x, y, z, u, v, w, step, particles);
}

KERNEL hac_kick(float *u, float *v, float *w, const float *force_x, const float *force_y, const float *force_z, float step, int particles)
{
    go_on(u, v, w, force_x, force_y, force_z, step, particles);
}
