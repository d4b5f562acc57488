/* sharing.cuh - what may device code use whose blocks exchange data while they run? Reads and writes that reach memory
 * each time, a way to wait, and a barrier for the whole grid.
 *
 * Whoever waits calls rest(): other blocks get their turn, on the engine as well as on a GPU. A kernel in which a block
 * waits for blocks that may not have begun has to be launched by harness/together.h. */
#ifndef WS_SHARING_CUH
#define WS_SHARING_CUH

#include "device.h"

DEVICE int peek(const int *p) { return *(const volatile int *)p; }
DEVICE float peek(const float *p) { return *(const volatile float *)p; }
DEVICE void poke(int *p, int v) { *(volatile int *)p = v; }
DEVICE void poke(float *p, float v) { *(volatile float *)p = v; }
DEVICE void rest() { asm volatile("nanosleep.u32 100;" ::: "memory"); }

/* Every block of the grid calls it with number 1, 2, ... in turn; *arrived starts as zero and counts blocks. What a
 * thread wrote before is seen by every thread after. */
DEVICE void grid_barrier(int *arrived, int number)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1);
        while (peek(arrived) < number * (int)gridDim.x)
            rest();
        __threadfence();
    }
    __syncthreads();
}

#endif
