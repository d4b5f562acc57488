/* babelstream.cu - five ways to go over three arrays, an element a thread and nothing else (T. Deakin, J. Price, M. Martineau, S.
 * McIntosh-Smith, Evaluating Attainable Memory Bandwidth of Parallel Programming Models via BabelStream, 2018).
 *
 * Each kernel reads what the one before it wrote, and element i is always the work of the same thread of the same block. stream_dot alone has a
 * fixed grid, which strides; each block of it adds up its products by a tree in shared memory and leaves one sum. */
#include "../harness/device.h"

extern __shared__ double part[];

DEVICE int element()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* Values differ a little from element to element, so that a wrong index shows. */
KERNEL stream_init(double *a, double *b, double *c, double first_a, double first_b, double first_c, int n)
{
    const int i = element();

    if (i >= n)
        return;
    const double factor = 1 + 0.0625 * (i % 16);
    a[i] = first_a * factor;
    b[i] = first_b * factor;
    c[i] = first_c * factor;
}

KERNEL stream_copy(const double *a, double *c, int n)
{
    const int i = element();

    if (i < n)
        c[i] = a[i];
}

KERNEL stream_mul(double *b, const double *c, double scalar, int n)
{
    const int i = element();

    if (i < n)
        b[i] = scalar * c[i];
}

KERNEL stream_add(const double *a, const double *b, double *c, int n)
{
    const int i = element();

    if (i < n)
        c[i] = a[i] + b[i];
}

KERNEL stream_triad(double *a, const double *b, const double *c, double scalar, int n)
{
    const int i = element();

    if (i < n)
        a[i] = b[i] + scalar * c[i];
}

/* sum: one a block. Threads of a block: a power of two, and as many doubles of shared memory. */
KERNEL stream_dot(const double *a, const double *b, double *sum, int n)
{
    double own = 0;

    for (int i = element(); i < n; i += gridDim.x * blockDim.x)
        own += a[i] * b[i];
    part[threadIdx.x] = own;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sum[blockIdx.x] = part[0];
}
