/* lavamd.cu - LMD: potentials and forces of particles on those of the same box and of the boxes around it. After LavaMD of Rodinia (L. Szafaryn, T. Gamblin,
 * B. de Supinski, K. Skadron, Experiences with Achieving Portability across Heterogeneous Architectures, 2011); code of our own.
 *
 * A block has a box. It puts the box's own particles into shared memory, then those of each neighbour, one box after the other; a thread adds up what all
 * of them do to one particle of its own. Potentials fall off as exp(-alpha^2 r^2). */
#include "../harness/device.h"

enum { MOST_PARTICLES = 128, AROUND = 27 };

struct particle {
    float x, y, z, charge;
};
/* The potential, and the three components of the force. */
struct effect {
    float potential, x, y, z;
};

/* neighbours: AROUND boxes for each box, itself first; -1 behind the last. */
KERNEL lmd_forces(const particle *places, const int *neighbours, effect *effects, int particles, float alpha2)
{
    __shared__ particle own[MOST_PARTICLES], other[MOST_PARTICLES];
    const int box = blockIdx.x;

    for (int i = threadIdx.x; i < particles; i += blockDim.x)
        own[i] = places[box * particles + i];
    for (int k = 0; k < AROUND && neighbours[box * AROUND + k] >= 0; k++) {
        const int first = neighbours[box * AROUND + k] * particles;
        __syncthreads(); /* nobody needs the last neighbour */
        for (int i = threadIdx.x; i < particles; i += blockDim.x)
            other[i] = places[first + i];
        __syncthreads();
        for (int i = threadIdx.x; i < particles; i += blockDim.x) {
            effect *const to = &effects[box * particles + i];
            effect sum = *to;
            for (int j = 0; j < particles; j++) {
                const float x = own[i].x - other[j].x, y = own[i].y - other[j].y, z = own[i].z - other[j].z;
                const float falls = __expf(-alpha2 * (x * x + y * y + z * z)), force = 2 * falls * other[j].charge;
                sum.potential += other[j].charge * falls;
                sum.x += force * x;
                sum.y += force * y;
                sum.z += force * z;
            }
            *to = sum;
        }
    }
}
