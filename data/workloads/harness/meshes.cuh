/* meshes.cuh - what hydrodynamics on a mesh needs on the device: the least of a number of each cell. */
#ifndef WS_MESHES_CUH
#define WS_MESHES_CUH

#include "device.h"

enum { MESH_THREADS = 128 };

/* least[block]: the least of a block's numbers, by a tree in shared memory. Blocks have MESH_THREADS threads. */
DEVICE void least_of_block(const double *number, double *least, int n)
{
    __shared__ double part[MESH_THREADS];
    const int at = blockIdx.x * MESH_THREADS + threadIdx.x;

    part[threadIdx.x] = number[at < n ? at : n - 1];
    for (int half = MESH_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half && part[threadIdx.x + half] < part[threadIdx.x])
            part[threadIdx.x] = part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        least[blockIdx.x] = part[0];
}

#endif
