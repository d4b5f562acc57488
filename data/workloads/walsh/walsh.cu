/* walsh.cu - FWT: what is the dyadic convolution of two signals, by fast Walsh transforms? After the CUDA SDK's
 * fastWalshTransform; code of our own.
 *
 * A transform of 2^n values does its widest stages, two at a time, in global memory (fwt_global), until pieces are
 * small enough for shared memory, where fwt_shared does all the stages that are left. Between the transforms
 * fwt_multiply multiplies the spectra. Several signals of one length are transformed at once. */
#include "../harness/device.h"

/* Two stages on four values: sums and differences of sums and differences. */
DEVICE void butterfly(float *a, float *b, float *c, float *d)
{
    const float ac = *a + *c, a_c = *a - *c, bd = *b + *d, b_d = *b - *d;
    *a = ac + bd;
    *b = ac - bd;
    *c = a_c + b_d;
    *d = a_c - b_d;
}

/* One radix-4 step over pieces of 4 * stride values; a thread has four values to itself. */
KERNEL fwt_global(float *__restrict__ values, uint stride)
{
    const uint t = blockIdx.x * blockDim.x + threadIdx.x;
    const uint low = t & (stride - 1);
    float *const v = values + ((t - low) * 4 + low);
    float a = v[0], b = v[stride], c = v[2 * stride], d = v[3 * stride];
    butterfly(&a, &b, &c, &d);
    v[0] = a;
    v[stride] = b;
    v[2 * stride] = c;
    v[3 * stride] = d;
}

/* The whole transform of a piece of 2^log2n values, a block a piece, 2^log2n / 4 threads. */
KERNEL fwt_shared(float *__restrict__ values, uint log2n)
{
    extern __shared__ float piece[];
    const uint n = 1u << log2n, t = threadIdx.x;
    float *const mine = values + blockIdx.x * n;
    for (uint i = t; i < n; i += blockDim.x)
        piece[i] = mine[i];

    for (uint stride = n >> 2; stride > 0; stride >>= 2) {
        const uint low = t & (stride - 1);
        float *const v = piece + ((t - low) * 4 + low);
        __syncthreads();
        butterfly(&v[0], &v[stride], &v[2 * stride], &v[3 * stride]);
    }
    if (log2n & 1) { /* one radix-2 stage is left */
        __syncthreads();
        for (uint i = t; i < n / 2; i += blockDim.x) {
            const float a = piece[2 * i], b = piece[2 * i + 1];
            piece[2 * i] = a + b;
            piece[2 * i + 1] = a - b;
        }
    }
    __syncthreads();
    for (uint i = t; i < n; i += blockDim.x)
        mine[i] = piece[i];
}

/* a[i] *= b[i] * scale: the product of two spectra, ready for the transform back. */
KERNEL fwt_multiply(float *__restrict__ a, const float *__restrict__ b, uint count, float scale)
{
    const uint threads = gridDim.x * blockDim.x;
    for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)
        a[i] *= b[i] * scale;
}
