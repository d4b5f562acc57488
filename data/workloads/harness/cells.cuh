/* cells.cuh - what the cells of recurrent networks have in common: sums for the gates of a unit, over the input and what the units were.
 *
 * A thread has a unit of one sample, a block CELL_THREADS units. Weights stand gate by gate, input by input, so that lanes have neighbours.
 * Input and former units of the sample are staged in shared memory, a part at a time. Products of gates and inputs are the only large work:
 * each block of the same units reads the same weights, for its sample and its step. */
#ifndef WS_CELLS_CUH
#define WS_CELLS_CUH

#include "device.h"

enum { CELL_THREADS = 64, CELL_PART = 64 };

DEVICE float sigmoid(float x) { return 1 / (1 + expf(-x)); }

/* Adds weight * input over all n inputs to sum[0..GATES-1]. weight: GATES matrices of n x units. All threads of the block call it. */
template <int GATES> DEVICE void add_products(const float *weight, const float *input, int n, int units, int unit, float *sum)
{
    __shared__ float part[CELL_PART];

    for (int begin = 0; begin < n; begin += CELL_PART) {
        const int held = min(CELL_PART, n - begin);
        __syncthreads();
        if (threadIdx.x < held)
            part[threadIdx.x] = input[begin + threadIdx.x];
        __syncthreads();
        if (unit >= units)
            continue;
        for (int k = 0; k < held; k++) {
#pragma unroll
            for (int gate = 0; gate < GATES; gate++)
                sum[gate] += weight[(gate * n + begin + k) * units + unit] * part[k];
        }
    }
}

#endif
