/* coulomb.cu - CP: what is the electrostatic potential of a molecule's charges on a plane of a grid? After cp of the
 * first Parboil; code of our own.
 *
 * Direct summation: every grid point hears from every atom. Atoms come in batches that fit in constant memory; the
 * host launches once a batch, and each launch adds to what the plane holds. A thread has POINTS points of one row,
 * a block's width apart, so that the distances in y and z are worked out once for all of them and stores coalesce. */
#include "../harness/device.h"

enum {
    WIDTH = 16, /* threads of a block in x; 8 in y */
    POINTS = 8, /* of a thread */
    BATCH = 4000
};

struct alignas(16) cp_atom {
    float x, y;
    float dz2; /* squared distance from the plane */
    float charge;
};

__constant__ cp_atom cp_atoms[BATCH];

KERNEL cp_potential(float *plane, uint atoms, float spacing)
{
    const uint column = blockIdx.x * WIDTH * POINTS + threadIdx.x;
    const uint row = blockIdx.y * blockDim.y + threadIdx.y;
    const float x = spacing * (float)column, y = spacing * (float)row, step = spacing * WIDTH;
    float sum[POINTS] = {};

    for (uint i = 0; i < atoms; i++) {
        const cp_atom a = cp_atoms[i];
        const float dy = y - a.y;
        const float dyz2 = dy * dy + a.dz2;
        float dx = x - a.x;
#pragma unroll
        for (uint p = 0; p < POINTS; p++) {
            sum[p] += a.charge * rsqrtf(dx * dx + dyz2);
            dx += step;
        }
    }

    float *const out = plane + row * gridDim.x * WIDTH * POINTS + column;
#pragma unroll
    for (uint p = 0; p < POINTS; p++)
        out[p * WIDTH] += sum[p];
}
