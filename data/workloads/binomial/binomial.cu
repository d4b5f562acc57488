/* binomial.cu - BN: what is a European call worth on a tree of time steps? After the CUDA SDK's binomialOptions;
 * code of our own.
 *
 * One block walks the tree of one option from the leaves to the root. A level does not fit in shared memory, so it
 * lives in a row of global memory and is folded tile by tile: a tile of TILE nodes is loaded, taken back FOLD levels
 * with two shared buffers and a barrier a level, and its TILE - FOLD nodes that are complete are stored. */
#include "../harness/device.h"

enum {
    TILE = 256,         /* threads of a block */
    FOLD = 32,          /* levels a tile is taken back at once; even */
    MAX_OPTIONS = 512
};

/* What the host has worked out for each option. */
struct bn_option {
    float spot, strike;
    float sway;     /* volatility * sqrt(time of a step): the log price moves by this up or down */
    float up, down; /* discounted probabilities of a step */
};

__constant__ bn_option bn_options[MAX_OPTIONS];

DEVICE float payoff(const bn_option *o, uint ups, uint steps)
{
    const float price = o->spot * expf(o->sway * (2.0f * (float)ups - (float)steps));
    return price > o->strike ? price - o->strike : 0.0f;
}

/* levels: `pitch` values of room an option; steps: a multiple of FOLD. */
KERNEL __launch_bounds__(TILE) bn_value(float *__restrict__ levels, float *__restrict__ value, uint steps, uint pitch)
{
    __shared__ float even[TILE + 1], odd[TILE + 1];
    const uint t = threadIdx.x;
    const bn_option *const o = &bn_options[blockIdx.x];
    const float up = o->up, down = o->down;
    float *const level = levels + blockIdx.x * pitch;

    for (uint i = t; i <= steps; i += TILE)
        level[i] = payoff(o, i, steps);

    /* Nodes of level n are level[0..n]; a round goes from level n to level n - FOLD. */
    for (uint n = steps; n > 0; n -= FOLD) {
        for (uint base = 0; base < n; base += TILE - FOLD) {
            const uint left = n - base;
            const uint last = left < TILE - 1 ? left : TILE - 1;
            const uint keep = last - FOLD;
            __syncthreads(); /* the level is written, and nobody reads the buffers any more */
            if (t <= last)
                even[t] = level[base + t];
            for (uint k = last; k > keep; k -= 2) {
                __syncthreads();
                if (t < k)
                    odd[t] = up * even[t + 1] + down * even[t];
                __syncthreads();
                if (t < k - 1)
                    even[t] = up * odd[t + 1] + down * odd[t];
            }
            __syncthreads();
            if (t <= keep)
                level[base + t] = even[t];
        }
    }
    if (t == 0)
        value[blockIdx.x] = even[0];
}
