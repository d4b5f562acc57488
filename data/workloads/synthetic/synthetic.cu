/* synthetic.cu - loads of a chosen form, with next to nothing else: what a cache makes of a pattern, without an algorithm around it.
 *
 * syn_stride_N    a thread walks along N arrays, each from a place of its own that is `stride` bytes behind that of the thread before it
 * syn_gather_N    a thread takes words of lines that a table of indices says for each step, from N arrays; -1: sits this one out
 * syn_stencil     a thread adds a word and its neighbours on both sides, and stores the sum; all threads move on together
 *
 * A step of the first two also takes a word that all lanes share, if there are any (`shared` is not null). N is 1 to 4, since each array has
 * a load of its own. Sums are unsigned, so any order gives the same. */
#include "../harness/products.cuh"

template <int N>
DEVICE void stride(const uchar *arrays, ulong64 gap, const uint *shared, uint *out, ulong64 stride, int advance, int steps, int lanes)
{
    const int t = thread_number();
    if (t % warpSize >= lanes)
        return;
    const uchar *at = arrays + t * stride;
    uint sum = 0;
    if (shared) {
#pragma unroll 1
        for (int step = 0; step < steps; step++, at += advance) {
#pragma unroll
            for (int n = 0; n < N; n++)
                sum += *(const uint *)(at + n * gap);
            sum += *(const uint *)((const uchar *)shared + (ulong64)step * advance);
        }
    } else {
#pragma unroll 1
        for (int step = 0; step < steps; step++, at += advance) {
#pragma unroll
            for (int n = 0; n < N; n++)
                sum += *(const uint *)(at + n * gap);
        }
    }
    out[t] = sum;
}

template <int N>
DEVICE void gather(const uchar *arrays, ulong64 gap, const int *index, const uint *shared, uint *out, int steps)
{
    const int t = thread_number(), threads = gridDim.x * blockDim.x;
    uint sum = 0;
#pragma unroll 1
    for (int step = 0; step < steps; step++) {
        const int word = index[step * threads + t];
        if (word >= 0) {
#pragma unroll
            for (int n = 0; n < N; n++)
                sum += *(const uint *)(arrays + n * gap + 4ull * word);
        }
        if (shared)
            sum += shared[step];
    }
    out[t] = sum;
}

#define SYNTHETIC(n)                                                                                                              \
    KERNEL syn_stride_##n(const uchar *arrays, ulong64 gap, const uint *shared, uint *out, ulong64 bytes, int advance, int steps, \
                          int lanes)                                                                                              \
    {                                                                                                                             \
        stride<n>(arrays, gap, shared, out, bytes, advance, steps, lanes);                                                        \
    }                                                                                                                             \
    KERNEL syn_gather_##n(const uchar *arrays, ulong64 gap, const int *index, const uint *shared, uint *out, int steps)           \
    {                                                                                                                             \
        gather<n>(arrays, gap, index, shared, out, steps);                                                                        \
    }
SYNTHETIC(1)
SYNTHETIC(2)
SYNTHETIC(3)
SYNTHETIC(4)

/* in and out have a word more at both ends than there are threads * steps. */
KERNEL syn_stencil(const uint *in, uint *out, int steps, int lanes)
{
    const int t = thread_number(), threads = gridDim.x * blockDim.x;
    if (t % warpSize >= lanes)
        return;
#pragma unroll 1
    for (int step = 0; step < steps; step++) {
        const int i = step * threads + t;
        out[i + 1] = in[i] + in[i + 1] + in[i + 2];
    }
}
