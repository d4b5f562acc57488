/* petri.cu - PNS: how do many firings at once move tokens through a Petri net? After Parboil's pns; code of our own.
 *
 * A block simulates one net. Places and transitions stand in a grid of 2N x N each, wrapped round; transition (r, c)
 * takes a token from place (r - 1, s) and one from place (r, c), and gives one to place (r + 1, s) and one to place
 * (r, c + 1), where s is c + 1 in odd rows and c in even ones. A place is a byte in global memory, the random numbers'
 * state lies in shared memory: every refill selects STATE transitions, which the block fires in three groups. */
#include "../harness/device.h"

enum {
    THREADS = 256,
    STATE = 624, /* words of the Mersenne twister */
    MIDDLE = 397,
    GROUPS = 3,
    LAST_GROUP = STATE - 2 * THREADS /* transitions in the last one; the others have one for each thread */
};

/* M. Matsumoto and T. Nishimura, Mersenne Twister, 1998; start by T. Nishimura and M. Matsumoto, 2002. */
DEVICE void seed_twister(uint *state, uint seed)
{
    if (threadIdx.x == 0) {
        uint word = seed;
        state[0] = word;
        for (uint i = 1; i < STATE; i++) {
            word = 1812433253u * (word ^ (word >> 30)) + i;
            state[i] = word;
        }
    }
    __syncthreads();
}

DEVICE uint twist(uint word, uint next, uint far)
{
    const uint mixed = (word & 0x80000000u) | (next & 0x7fffffffu);
    return far ^ (mixed >> 1) ^ (mixed & 1 ? 0x9908b0dfu : 0u);
}

/* All words anew, in three parts: a part needs the new words of the part before, and its own old ones, so all threads
 * read before any writes. */
DEVICE void refill_twister(uint *state)
{
    const int part = STATE - MIDDLE;
    for (int begin = 0; begin < STATE; begin += part) {
        const int i = begin + threadIdx.x;
        const bool mine = threadIdx.x < part && i < STATE;
        uint word = 0;
        if (mine)
            word = twist(state[i], state[i + 1 < STATE ? i + 1 : 0], state[begin == 0 ? i + MIDDLE : i - part]);
        __syncthreads();
        if (mine)
            state[i] = word;
        __syncthreads();
    }
}

DEVICE uint temper(uint y)
{
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

/* Fires `chosen` (-1: none) of each thread, all at once, where its places have tokens. Two transitions that would take
 * from one place lie in neighbouring rows; those whose row is odd or even as `odd` says go first. claim[] tells which
 * thread has an enabled transition in this group; of threads that chose the same one, whichever number is left there
 * fires it, and which it is makes no difference to the net. */
DEVICE void fire(uchar *place, int *claim, int n, int chosen, int stamp, int odd)
{
    const int row = chosen / n, column = chosen % n;
    const int side = row & 1 ? (column == n - 1 ? 0 : column + 1) : column;
    const int above = (row == 0 ? 2 * n - 1 : row - 1) * n, below = (row == 2 * n - 1 ? 0 : row + 1) * n;
    const int mine = stamp * THREADS + threadIdx.x;
    uchar first = 0, second = 0;
    bool fires = false;

    if (chosen >= 0) {
        first = place[above + side];
        second = place[chosen];
        if (first > 0 && second > 0) {
            fires = true;
            claim[chosen] = mine;
        }
    }
    __syncthreads();
    if (fires) {
        fires = claim[chosen] == mine;
        if ((row & 1) != odd)
            fires = fires && claim[above + side] / THREADS != stamp &&
                    claim[below + (side == 0 ? n - 1 : side - 1)] / THREADS != stamp;
    }
    if (fires) {
        place[above + side] = first - 1;
        place[chosen] = second - 1;
    }
    __syncthreads();
    if (fires) {
        place[below + side]++;
        place[row * n + (column == n - 1 ? 0 : column + 1)]++;
    }
    __syncthreads();
}

/* One token on each place, four places a store. */
DEVICE void put_tokens(uchar *place, int places)
{
    for (int i = threadIdx.x; i < places / 4; i += THREADS)
        ((uint *)place)[i] = 0x01010101u;
}

DEVICE void add_place(uint tokens, float *squares, uint *most)
{
    *squares += (float)(tokens * tokens);
    *most = tokens > *most ? tokens : *most;
}

/* The variance of the tokens on a place (their mean is 1) and the most on one, by a tree in the twister's memory. */
DEVICE void survey(const uchar *place, int places, uint *scratch, float *variance, int *most)
{
    float *const sums = (float *)scratch;
    uint *const maxima = scratch + THREADS;
    const uint t = threadIdx.x;
    float squares = 0.0f;
    uint highest = 0;
    for (int i = t; i < places / 4; i += THREADS) {
        const uint four = ((const uint *)place)[i];
        add_place(four & 0xff, &squares, &highest);
        add_place(four >> 8 & 0xff, &squares, &highest);
        add_place(four >> 16 & 0xff, &squares, &highest);
        add_place(four >> 24, &squares, &highest);
    }
    sums[t] = squares;
    maxima[t] = highest;
    __syncthreads();
    for (uint half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
            maxima[t] = maxima[t] > maxima[t + half] ? maxima[t] : maxima[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        variance[blockIdx.x] = sums[0] / places - 1.0f;
        most[blockIdx.x] = (int)maxima[0];
    }
}

/* Net number blockIdx.x of the launch, from seed + that number. A refill counts as STATE / 2 steps: about every second
 * chosen transition fires. Stamps begin at first_stamp, above all that an earlier launch left in claims. */
KERNEL __launch_bounds__(THREADS) pns_trajectories(uchar *places, int *claims, float *variance, int *most, int n,
                                                   int steps, uint seed, int first_stamp)
{
    __shared__ uint state[STATE];
    const int count = 2 * n * n;
    uchar *const place = places + (ulong64)blockIdx.x * count;
    int *const claim = claims + (ulong64)blockIdx.x * count;
    int stamp = first_stamp;

    put_tokens(place, count);
    seed_twister(state, seed + blockIdx.x);
    for (int step = 0; step < steps; step += STATE / 2) {
        refill_twister(state);
        for (int group = 0; group < GROUPS; group++) {
            const int i = group * THREADS + threadIdx.x;
            const int chosen = i < STATE ? (int)(temper(state[i]) % count) : -1;
            fire(place, claim, n, chosen, stamp, stamp & 1);
            stamp++;
        }
    }
    survey(place, count, state, variance, most);
}
