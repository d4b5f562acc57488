/* cutoff.cu - the potential of charges on a lattice where charges reach a certain distance and no further. After Parboil's cutcp
 * (C. Rodrigues, D. Hardy, J. Stone, K. Schulten, W. Hwu, GPU Acceleration of Cutoff Pair Potentials for Molecular Modeling Applications,
 * 2008); code of our own.
 *
 * Atoms are sorted into bins, cubes with room for SLOTS of them. A block of 128 threads has a cube of 8 x 8 x 8 lattice points, as large as
 * a bin; a thread four of them, two layers apart. The block walks over all bins that may reach its points, a few at a time through shared
 * memory. A bin is read by every block around it. */
#include "../harness/device.h"

enum { SIDE = 8, THREADS = 128, SLOTS = 8, BATCH = 16, OWN = 4 };

struct atom {
    float x, y, z, charge;
};

struct lattice {
    int points; /* of a side */
    int reach;  /* bins that matter on each side of one's own */
    float spacing, cutoff;
};

/* bin: (points / SIDE + 2 * reach) cubed, the first `reach` of each side and the last outside of the lattice; empty slots have no
 * charge. A charge q at distance r < cutoff adds q / r * (1 - (r / cutoff)^2)^2. */
KERNEL cut_potential(const atom *bin, float *potential, lattice l)
{
    __shared__ atom near[BATCH * SLOTS];
    const int bins = l.points / SIDE + 2 * l.reach, around = 2 * l.reach + 1, all = around * around * around;
    const int px = threadIdx.x % SIDE, py = threadIdx.x / SIDE % SIDE, pz = threadIdx.x / (SIDE * SIDE);
    const int x = blockIdx.x * SIDE + px, y = blockIdx.y * SIDE + py, z = blockIdx.z * SIDE + pz;
    const float at_x = x * l.spacing, at_y = y * l.spacing, square = l.cutoff * l.cutoff, inverse = 1 / square;
    float sum[OWN] = {0, 0, 0, 0};

    for (int first = 0; first < all; first += BATCH) {
        const int slot = threadIdx.x % SLOTS, number = first + threadIdx.x / SLOTS;
        if (number < all) {
            const int bx = blockIdx.x + number % around, by = blockIdx.y + number / around % around;
            const int bz = blockIdx.z + number / (around * around);
            near[threadIdx.x] = bin[((bz * bins + by) * bins + bx) * SLOTS + slot];
        }
        __syncthreads();
        const int held = min(BATCH, all - first);
        for (int b = 0; b < held; b++) {
            for (int i = b * SLOTS; i < (b + 1) * SLOTS; i++) {
                const atom a = near[i];
                if (a.charge == 0)
                    break;
                const float dx = a.x - at_x, dy = a.y - at_y, flat = dx * dx + dy * dy;
#pragma unroll
                for (int k = 0; k < OWN; k++) {
                    const float dz = a.z - (z + 2 * k) * l.spacing, r2 = flat + dz * dz;
                    if (r2 < square) {
                        const float s = 1 - r2 * inverse;
                        sum[k] += a.charge * rsqrtf(r2) * s * s;
                    }
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < OWN; k++)
        potential[((z + 2 * k) * l.points + y) * l.points + x] = sum[k];
}
