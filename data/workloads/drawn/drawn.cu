/* drawn.cu - RND: kernels whose shape a seed draws. Each has one pattern of memory accesses or arithmetic, with amounts by its arguments. They judge estimates
 * of time: their shapes depend on no machine and no model. */
#include "../harness/device.h"

enum { TILE = 1024, LANES = 32 };

struct __attribute__((aligned(16))) four {
    float x, y, z, w;
};

/* As drawn.c computes it: bit by bit. */
DEVICE float work_on(float v, int work)
{
    for (int i = 0; i < work; i++)
        v = fmaf(v, 0.5f, 1);
    return v;
}

DEVICE int first_of_thread()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

DEVICE int all_threads()
{
    return gridDim.x * blockDim.x;
}

KERNEL rnd_stream(const float *from, float *to, int n, int work)
{
    for (int i = first_of_thread(); i < n; i += all_threads())
        to[i] = work_on(from[i], work);
}

/* 16 bytes a lane; n is in fours. */
KERNEL rnd_stream4(const four *from, four *to, int n, int work)
{
    for (int i = first_of_thread(); i < n; i += all_threads()) {
        four v = from[i];
        v.x = work_on(v.x, work);
        v.y = work_on(v.y, work);
        v.z = work_on(v.z, work);
        v.w = work_on(v.w, work);
        to[i] = v;
    }
}

/* Lanes are `stride` words apart. */
KERNEL rnd_strided(const float *from, float *to, int n, int stride, int work)
{
    for (int i = first_of_thread(); i < n; i += all_threads()) {
        const int at = (int)((ulong64)i * stride % n);
        to[i] = work_on(from[at], work);
    }
}

KERNEL rnd_gather(const float *from, const int *place, float *to, int n, int work)
{
    for (int i = first_of_thread(); i < n; i += all_threads())
        to[i] = work_on(from[place[i]], work);
}

/* Each load needs the one before. */
KERNEL rnd_chase(const int *next, int *to, int n, int steps)
{
    for (int i = first_of_thread(); i < n; i += all_threads()) {
        int at = i;
        for (int s = 0; s < steps; s++)
            at = next[at];
        to[i] = at;
    }
}

KERNEL rnd_count(const int *value, int *bins, int n)
{
    for (int i = first_of_thread(); i < n; i += all_threads())
        reduceAdd(&bins[value[i]], 1);
}

/* A tile of the block goes round in shared memory, lanes `stride` words apart. */
KERNEL rnd_shared(const float *from, float *to, int rounds, int stride)
{
    __shared__ float tile[TILE];
    float sum = 0;
    for (int i = threadIdx.x; i < TILE; i += blockDim.x)
        tile[i] = from[i];
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        sum += tile[(threadIdx.x * stride + r) % TILE];
        __syncthreads();
        tile[(threadIdx.x * stride + r) % TILE] = sum;
        __syncthreads();
    }
    to[first_of_thread()] = sum;
}

/* Chains of products that do not need each other, and roots. */
template <int CHAINS> DEVICE void compute(const float *from, float *to, int rounds, int roots)
{
    float v[CHAINS], sum = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        v[c] = from[(first_of_thread() + c) % TILE];
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            v[c] = fmaf(v[c], 0.5f, 1);
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += v[c];
    for (int r = 0; r < roots; r++)
        sum = sqrtf(sum);
    to[first_of_thread()] = sum;
}

KERNEL rnd_chain(const float *from, float *to, int rounds, int roots)
{
    compute<1>(from, to, rounds, roots);
}

KERNEL rnd_chains(const float *from, float *to, int rounds, int roots)
{
    compute<4>(from, to, rounds, roots);
}

/* Lanes leave the loop one after the other. */
KERNEL rnd_branch(const float *from, float *to, int n, int spread)
{
    for (int i = first_of_thread(); i < n; i += all_threads())
        to[i] = work_on(from[i], i % LANES * spread % LANES);
}

/* Blocks wait for the block before. */
KERNEL rnd_wait(volatile int *done, int *to, int work)
{
    if (threadIdx.x == 0 && blockIdx.x > 0)
        while (done[blockIdx.x - 1] == 0)
            ;
    __syncthreads();
    to[first_of_thread()] = (int)work_on(1, work) + blockIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        done[blockIdx.x] = 1;
}
