/* particlefilter.cu - where is the disc in a noisy video? After Rodinia's particlefilter (S. Che et al., 2009); code of our own. A launch
 * each, a frame:
 *
 *   pfl_weigh       each particle moves by chance, looks at the pixels of a disc around it, and is weighted; blocks add their weights
 *   pfl_total       one thread adds the blocks' sums
 *   pfl_normalize   weights of all add up to one
 *   pfl_cumulate    one thread: sums of weights up to each particle
 *   pfl_pick        each thread walks along these to its own share, and takes over that particle's place */
#include "../harness/products.cuh"

enum { BLOCK = 128 };

/* A number from 0 to 1 by the linear congruence of the C standard's example. */
DEVICE float draw(int *seed)
{
    *seed = (int)(((uint)*seed * 1103515245u + 12345u) & 0x7fffffffu);
    return (*seed + 1) * (1.0f / 2147483648.0f);
}

/* Normally distributed (G. Box, M. Muller). */
DEVICE float draw_normal(int *seed)
{
    const float u = draw(seed), v = draw(seed);
    return sqrtf(-2.0f * __logf(u)) * __cosf(6.2831853f * v);
}

DEVICE int inside(int at, int n)
{
    return min(max(at, 0), n - 1);
}

KERNEL __launch_bounds__(BLOCK) pfl_weigh(const uchar *frame, const int *disc, float *x, float *y, float *weight, float *sums, int *seeds, int n,
                                          int pixels, int size)
{
    __shared__ float part[BLOCK];
    const int i = thread_number();
    float mine = 0;
    if (i < n) {
        int seed = seeds[i];
        const float to_x = x[i] + 1.0f + 5.0f * draw_normal(&seed), to_y = y[i] - 2.0f + 2.0f * draw_normal(&seed);
        const int column = (int)floorf(to_x + 0.5f), row = (int)floorf(to_y + 0.5f);
        float likely = 0;
#pragma unroll 1
        for (int k = 0; k < pixels; k++) {
            const int pixel = frame[inside(row + disc[2 * k + 1], size) * size + inside(column + disc[2 * k], size)];
            const float from_ground = pixel - 100.0f, from_disc = pixel - 228.0f;
            likely += from_ground * from_ground - from_disc * from_disc;
        }
        mine = weight[i] * __expf(likely / (2500.0f * pixels));
        weight[i] = mine;
        x[i] = to_x;
        y[i] = to_y;
        seeds[i] = seed;
    }
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}

KERNEL pfl_total(const float *sums, float *total, int blocks)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < blocks; i++)
        sum += sums[i];
    *total = sum;
}

KERNEL pfl_normalize(float *weight, const float *total, int n)
{
    const int i = thread_number();
    if (i < n)
        weight[i] /= *total;
}

KERNEL pfl_cumulate(const float *weight, float *share, int n)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        sum += weight[i];
        share[i] = sum;
    }
}

/* offset: from 0 to 1, the same for all. */
KERNEL pfl_pick(const float *share, const float *x, const float *y, float *new_x, float *new_y, float *weight, int *picked, float offset, int n)
{
    const int i = thread_number();
    if (i >= n)
        return;
    const float mine = (offset + i) / n;
    int k = 0;
#pragma unroll 1
    while (k < n - 1 && share[k] < mine)
        k++;
    picked[i] = k;
    new_x[i] = x[k];
    new_y[i] = y[k];
    weight[i] = 1.0f / n;
}
