/* hybridsort.cu - HY: what does a sort cost that first deals values into buckets and then merges inside each bucket? The
 * algorithm of E. Sintorn and U. Assarsson, Fast Parallel GPU-Sorting Using a Hybrid Algorithm, 2008, with the kernels
 * of Rodinia's hybridsort; code of our own.
 *
 * hy_histogram counts values in 1024 bins, from which the host takes pivots. hy_bucket_count finds each value's bucket
 * among the pivots, in a texture, and its place among those of its block and bucket; hy_bucket_offsets sums the counts
 * over blocks; hy_bucket_scatter moves the values. A bucket begins at a multiple of four and is filled up with minus
 * infinity. hy_sort_fours sorts four neighbours; hy_merge, launched for each doubling, merges runs of fours, a thread a
 * pair of runs; hy_pack moves the buckets together, without what filled them up. */
#include "../harness/device.h"

enum {
    LOG_BUCKETS = 9,
    BUCKETS = 1 << LOG_BUCKETS,
    BINS = 1024,
    COUNTERS = 96, /* threads of a block that makes histograms: three warps, each with its own */
    WARPS = COUNTERS / 32,
    DEALERS = 32 /* threads of a block that deals values into buckets */
};

typedef float quad __attribute__((ext_vector_type(4)));

/* In fours: where buckets begin; in floats: where they begin when packed, and by how many each is filled up. */
__constant__ int hy_begin[BUCKETS + 1];
__constant__ int hy_packed_begin[BUCKETS + 1];
__constant__ int hy_filling[BUCKETS];

/* An atomic addition without a result: an old value would depend on which block came first. */
DEVICE void add_to(uint *sum, uint v)
{
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"((__attribute__((address_space(1))) uint *)sum), "r"(v)
                 : "memory");
}

KERNEL __launch_bounds__(COUNTERS)
    hy_histogram(uint *histogram, const float *__restrict__ values, float low, float high, int n)
{
    __shared__ uint count[WARPS][BINS];
    uint *const flat = count[0];
    uint *const mine = count[threadIdx.x / 32];
    for (int i = threadIdx.x; i < WARPS * BINS; i += COUNTERS)
        flat[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * COUNTERS + threadIdx.x; i < n; i += gridDim.x * COUNTERS) {
        const int bin = (int)((values[i] - low) / (high - low) * BINS);
        atomicAdd(&mine[min(bin, BINS - 1)], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += COUNTERS) {
        uint sum = 0;
        for (int warp = 0; warp < WARPS; warp++)
            sum += count[warp][i];
        add_to(&histogram[i], sum);
    }
}

/* The bucket of a value: how many of the BUCKETS - 1 pivots are not above it. */
DEVICE int find_bucket(texture pivots, float value)
{
    int at = BUCKETS / 2 - 1;
    float pivot = tex1d_fetch_f32(pivots, at);
    for (int jump = BUCKETS / 4; jump >= 1; jump /= 2) {
        at = value < pivot ? at - jump : at + jump;
        pivot = tex1d_fetch_f32(pivots, at);
    }
    return value < pivot ? at : at + 1;
}

/* place: bucket in the low bits, above it the number of values that the block put there before. */
KERNEL __launch_bounds__(DEALERS) hy_bucket_count(const float *__restrict__ values, int *__restrict__ place,
                                                  uint *__restrict__ counts, texture pivots, int n)
{
    __shared__ uint count[BUCKETS];
    for (int i = threadIdx.x; i < BUCKETS; i += DEALERS)
        count[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * DEALERS + threadIdx.x; i < n; i += gridDim.x * DEALERS) {
        const int bucket = find_bucket(pivots, values[i]);
        place[i] = (int)(atomicAdd(&count[bucket], 1u) << LOG_BUCKETS) + bucket;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BUCKETS; i += DEALERS)
        counts[blockIdx.x * BUCKETS + i] = count[i];
}

/* counts[block][bucket] becomes the sum over the blocks before; total[bucket] that over all. */
KERNEL hy_bucket_offsets(uint *counts, uint *total, int blocks)
{
    const int bucket = blockIdx.x * blockDim.x + threadIdx.x;
    uint sum = 0;
    for (int i = bucket; i < blocks * BUCKETS; i += BUCKETS) {
        const uint count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    total[bucket] = sum;
}

KERNEL __launch_bounds__(DEALERS)
    hy_bucket_scatter(const float *__restrict__ values, const int *__restrict__ place, float *__restrict__ out,
                      const uint *__restrict__ offsets, const uint *__restrict__ begin, int n)
{
    __shared__ uint from[BUCKETS];
    for (int i = threadIdx.x; i < BUCKETS; i += DEALERS)
        from[i] = begin[i] + offsets[blockIdx.x * BUCKETS + i];
    __syncthreads();
    for (int i = blockIdx.x * DEALERS + threadIdx.x; i < n; i += gridDim.x * DEALERS) {
        const int p = place[i];
        out[from[p & (BUCKETS - 1)] + (p >> LOG_BUCKETS)] = values[i];
    }
}

DEVICE float lower(float a, float b)
{
    return a < b ? a : b;
}

DEVICE float upper(float a, float b)
{
    return a < b ? b : a;
}

DEVICE quad fetch(texture list, int i)
{
    const f32x4 v = tex1d_fetch_f32x4(list, i);
    return quad{v.x, v.y, v.z, v.w};
}

/* A sorting network for four: five exchanges. */
DEVICE quad sort_four(quad v)
{
    const float a = lower(v.x, v.y), b = upper(v.x, v.y), c = lower(v.z, v.w), d = upper(v.z, v.w);
    const float inner = upper(a, c), other = lower(b, d);
    return quad{lower(a, c), lower(inner, other), upper(inner, other), upper(b, d)};
}

/* The lower four and the upper four of two sorted fours, by one bitonic step. */
DEVICE quad lower_four(quad a, quad b)
{
    return quad{lower(a.x, b.w), lower(a.y, b.z), lower(a.z, b.y), lower(a.w, b.x)};
}

DEVICE quad upper_four(quad a, quad b)
{
    return quad{upper(a.w, b.x), upper(a.z, b.y), upper(a.y, b.z), upper(a.x, b.w)};
}

KERNEL hy_sort_fours(quad *out, texture list, int fours)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < fours)
        out[i] = sort_four(fetch(list, i));
}

/* Merges two sorted runs of half of `length` fours into one, as far as the bucket has them. */
KERNEL hy_merge(quad *out, texture list, int length, int threads_a_bucket)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int bucket = thread / threads_a_bucket;
    if (bucket >= BUCKETS)
        return;
    const int first = hy_begin[bucket] + (thread - bucket * threads_a_bucket) * length, end = hy_begin[bucket + 1];
    const int second = first + length / 2;
    if (first >= end)
        return;
    if (second >= end) { /* one run alone */
        for (int i = first; i < end; i++)
            out[i] = fetch(list, i);
        return;
    }

    const int second_end = min(second + length / 2, end);
    int i = first, j = second, to = first;
    quad a = fetch(list, i), b = fetch(list, j);
    while (true) {
        const quad next_a = fetch(list, i + 1), next_b = fetch(list, j + 1);
        const quad low = lower_four(a, b);
        b = sort_four(upper_four(a, b));
        out[to++] = sort_four(low);
        const bool more_a = i + 1 < second, more_b = j + 1 < second_end;
        if (more_a && (!more_b || next_a.x < next_b.x)) {
            i++;
            a = next_a;
        } else if (more_b) {
            j++;
            a = next_b;
        } else
            break;
    }
    out[to] = b;
}

/* blockIdx.y: bucket. */
KERNEL hy_pack(const float *__restrict__ list, float *__restrict__ out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, bucket = blockIdx.y;
    const int to = hy_packed_begin[bucket] + i;
    if (to < hy_packed_begin[bucket + 1])
        out[to] = list[hy_begin[bucket] * 4 + hy_filling[bucket] + i];
}
