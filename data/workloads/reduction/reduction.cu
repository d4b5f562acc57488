/* reduction.cu - the sum of an array, one value a block a launch, in six ways that differ in who adds what.
 *
 * All but the last are launched with 256 threads. Each leaves the sum of the block's part of `in` in out[block]. */
#include "../harness/device.h"

enum { THREADS = 256 };

/* Threads whose number is a multiple of 2, 4, 8 ... add: the lanes that work are spread over every warp. */
KERNEL reduce_modulo(const int *in, int *out, int n)
{
    __shared__ int sum[THREADS];
    const int t = threadIdx.x;
    const int i = blockIdx.x * THREADS + t;

    sum[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        if (t % (2 * step) == 0)
            sum[t] += sum[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sum[0];
}

/* The first threads add, so warps are full or idle; their addresses lie 2, 4, 8 ... words apart, in the same banks. */
KERNEL reduce_strided(const int *in, int *out, int n)
{
    __shared__ int sum[THREADS];
    const int t = threadIdx.x;
    const int i = blockIdx.x * THREADS + t;

    sum[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        const int at = 2 * step * t;
        if (at < THREADS)
            sum[at] += sum[at + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sum[0];
}

/* Halves are folded onto each other: full warps, neighbouring words. */
DEVICE void fold_halves(int *sum, int t, int from)
{
    for (int half = from; half > 0; half /= 2) {
        if (t < half)
            sum[t] += sum[t + half];
        __syncthreads();
    }
}

KERNEL reduce_sequential(const int *in, int *out, int n)
{
    __shared__ int sum[THREADS];
    const int t = threadIdx.x;
    const int i = blockIdx.x * THREADS + t;

    sum[t] = i < n ? in[i] : 0;
    __syncthreads();
    fold_halves(sum, t, THREADS / 2);
    if (t == 0)
        out[blockIdx.x] = sum[0];
}

/* As above with the first addition done while loading: half as many blocks. */
KERNEL reduce_first_add(const int *in, int *out, int n)
{
    __shared__ int sum[THREADS];
    const int t = threadIdx.x;
    const int i = blockIdx.x * (2 * THREADS) + t;

    sum[t] = (i < n ? in[i] : 0) + (i + THREADS < n ? in[i + THREADS] : 0);
    __syncthreads();
    fold_halves(sum, t, THREADS / 2);
    if (t == 0)
        out[blockIdx.x] = sum[0];
}

/* A fixed number of blocks strides over the array; the last 32 sums are folded without barriers, inside one warp. */
KERNEL reduce_grid(const int *in, int *out, int n)
{
    __shared__ int sum[THREADS];
    const int t = threadIdx.x;
    int mine = 0;

    for (int i = blockIdx.x * THREADS + t; i < n; i += gridDim.x * THREADS)
        mine += in[i];
    sum[t] = mine;
    __syncthreads();
    for (int half = THREADS / 2; half >= warpSize; half /= 2) {
        if (t < half)
            sum[t] += sum[t + half];
        __syncthreads();
    }
    if (t < warpSize) {
        mine = sum[t];
        for (int delta = warpSize / 2; delta > 0; delta /= 2)
            mine += __shfl_down_sync(0xffffffffu, mine, delta);
        if (t == 0)
            out[blockIdx.x] = mine;
    }
}

/* The last one as it was measured: blocks of any power of two, with a word of dynamic shared memory a thread, stride over the array, two values at a time, then
 * fold halves. */
KERNEL reduce_pairs(const int *in, int *out, int n)
{
    extern __shared__ int sums[];
    const int t = threadIdx.x, threads = blockDim.x;
    int mine = 0;

    for (int i = blockIdx.x * (2 * threads) + t; i < n; i += gridDim.x * (2 * threads)) {
        mine += in[i];
        if (i + threads < n)
            mine += in[i + threads];
    }
    sums[t] = mine;
    __syncthreads();
    fold_halves(sums, t, threads / 2);
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
