/* histogram64.cu - 64H: how often does each value of a byte's upper six bits occur? After the CUDA SDK's
 * histogram64; code of our own.
 *
 * h64_count gives each of a block's 64 threads 64 byte counters of its own in shared memory, so that no atomics are
 * needed, and adds them up at the end to one partial histogram a block. h64_merge adds the partial histograms, one
 * block a bin, by a tree in shared memory. */
#include "../harness/device.h"

enum {
    BINS = 64,
    COUNTERS = 64, /* threads of a counting block, each with BINS byte counters: 255 bytes a thread at most */
    MERGERS = 256  /* threads of a merging block */
};

struct alignas(16) pack {
    uint word[4];
};

/* The four bytes of a word, upper six bits of each. */
DEVICE void count_word(uchar *counter, uint word)
{
    counter[(word >> 2 & 63u) * COUNTERS]++;
    counter[(word >> 10 & 63u) * COUNTERS]++;
    counter[(word >> 18 & 63u) * COUNTERS]++;
    counter[(word >> 26) * COUNTERS]++;
}

KERNEL __launch_bounds__(COUNTERS) h64_count(uint *__restrict__ partial, const pack *__restrict__ data,
                                             uint packs)
{
    __shared__ uint table[BINS * COUNTERS / 4];
    const uint t = threadIdx.x;

    for (uint i = t; i < BINS * COUNTERS / 4; i += COUNTERS)
        table[i] = 0;
    __syncthreads();

    /* Column of the thread: the low four bits choose the word, so 16 neighbours meet in 16 banks. */
    uchar *const counter = (uchar *)table + ((t & 15u) << 2 | t >> 4);
    for (uint i = blockIdx.x * COUNTERS + t; i < packs; i += gridDim.x * COUNTERS) {
        const pack p = data[i];
        count_word(counter, p.word[0]);
        count_word(counter, p.word[1]);
        count_word(counter, p.word[2]);
        count_word(counter, p.word[3]);
    }
    __syncthreads();

    /* Thread t adds up bin t, word by word, starting at another word than its neighbours. */
    const uint *const row = table + t * (COUNTERS / 4);
    uint sum = 0;
    for (uint i = 0; i < COUNTERS / 4; i++) {
        const uint word = row[(i + t) & (COUNTERS / 4 - 1)];
        sum += (word & 255u) + (word >> 8 & 255u) + (word >> 16 & 255u) + (word >> 24);
    }
    partial[blockIdx.x * BINS + t] = sum;
}

KERNEL __launch_bounds__(MERGERS) h64_merge(uint *__restrict__ histogram, const uint *__restrict__ partial,
                                            uint partials)
{
    __shared__ uint sums[MERGERS];
    const uint t = threadIdx.x;
    uint sum = 0;
    for (uint i = t; i < partials; i += MERGERS)
        sum += partial[i * BINS + blockIdx.x];
    sums[t] = sum;
    for (uint half = MERGERS / 2; half > 0; half >>= 1) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        histogram[blockIdx.x] = sums[0];
}
