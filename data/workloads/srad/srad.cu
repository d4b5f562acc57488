/* srad.cu - SRAD: how does diffusion smooth the speckles of an ultrasound image, but not its edges? After Rodinia's
 * srad (tiles in shared memory as in its second version, statistics on the device as in its first); code of our own.
 *
 * srad_extract brings the logarithmic picture to linear scale. Each iteration then sums values and squares
 * (srad_statistics, twice: image, then partial sums), works out diffusion coefficients from the four differences of
 * each pixel (srad_coefficient) and moves the image by the divergence (srad_update). srad_compress goes back. */
#include "../harness/device.h"

enum {
    SIDE = 16,    /* of a tile */
    SUMMERS = 256 /* threads of a summing block */
};

KERNEL srad_extract(float *__restrict__ image, uint pixels)
{
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        image[i] = expf(image[i] / 255.0f);
}

KERNEL srad_compress(float *__restrict__ image, uint pixels)
{
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        image[i] = logf(image[i]) * 255.0f;
}

/* Sums first[] and second[] over the grid's share; with squares != 0 second[] is not read but made: first squared.
 * One pair of sums a block comes out. */
KERNEL __launch_bounds__(SUMMERS) srad_statistics(const float *__restrict__ first, const float *__restrict__ second,
                                                  float *__restrict__ sum, float *__restrict__ sum2, uint count,
                                                  uint squares)
{
    __shared__ float a[SUMMERS], b[SUMMERS];
    const uint t = threadIdx.x;
    float mine = 0.0f, mine2 = 0.0f;
    for (uint i = blockIdx.x * SUMMERS + t; i < count; i += gridDim.x * SUMMERS) {
        const float v = first[i];
        mine += v;
        mine2 += squares ? v * v : second[i];
    }
    a[t] = mine;
    b[t] = mine2;
    for (uint half = SUMMERS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            a[t] += a[t + half];
            b[t] += b[t + half];
        }
    }
    if (t == 0) {
        sum[blockIdx.x] = a[0];
        sum2[blockIdx.x] = b[0];
    }
}

/* Where a block stands in the image. Rows and columns are multiples of SIDE. */
struct place {
    uint tx, ty, x, y, at;
};

DEVICE place here(uint columns)
{
    place p;
    p.tx = threadIdx.x;
    p.ty = threadIdx.y;
    p.x = blockIdx.x * SIDE + p.tx;
    p.y = blockIdx.y * SIDE + p.ty;
    p.at = p.y * columns + p.x;
    return p;
}

/* Differences to the four neighbours (the image continues its edge) and the diffusion coefficient of Y. Yu and S.
 * Acton, Speckle Reducing Anisotropic Diffusion, IEEE Transactions on Image Processing 11(11), 2002. */
KERNEL __launch_bounds__(SIDE * SIDE)
    srad_coefficient(const float *__restrict__ image, float *__restrict__ north, float *__restrict__ south,
                     float *__restrict__ west, float *__restrict__ east, float *__restrict__ coefficient,
                     uint columns, uint rows, float q0_squared)
{
    __shared__ float tile[SIDE][SIDE], above[SIDE], below[SIDE], left[SIDE], right[SIDE];
    const place p = here(columns);

    tile[p.ty][p.tx] = image[p.at];
    if (p.ty == 0)
        above[p.tx] = image[p.y == 0 ? p.at : p.at - columns];
    if (p.ty == SIDE - 1)
        below[p.tx] = image[p.y == rows - 1 ? p.at : p.at + columns];
    if (p.tx == 0)
        left[p.ty] = image[p.x == 0 ? p.at : p.at - 1];
    if (p.tx == SIDE - 1)
        right[p.ty] = image[p.x == columns - 1 ? p.at : p.at + 1];
    __syncthreads();

    const float j = tile[p.ty][p.tx];
    float n, s, w, e;
    if (p.ty == 0)
        n = above[p.tx] - j;
    else
        n = tile[p.ty - 1][p.tx] - j;
    if (p.ty == SIDE - 1)
        s = below[p.tx] - j;
    else
        s = tile[p.ty + 1][p.tx] - j;
    if (p.tx == 0)
        w = left[p.ty] - j;
    else
        w = tile[p.ty][p.tx - 1] - j;
    if (p.tx == SIDE - 1)
        e = right[p.ty] - j;
    else
        e = tile[p.ty][p.tx + 1] - j;

    const float g2 = (n * n + s * s + w * w + e * e) / (j * j);
    const float l = (n + s + w + e) / j;
    const float denominator = 1.0f + 0.25f * l;
    const float q_squared = (0.5f * g2 - 0.0625f * l * l) / (denominator * denominator);
    float c = 1.0f / (1.0f + (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared)));
    if (c < 0.0f)
        c = 0.0f;
    else if (c > 1.0f)
        c = 1.0f;

    coefficient[p.at] = c;
    north[p.at] = n;
    south[p.at] = s;
    west[p.at] = w;
    east[p.at] = e;
}

/* image += lambda / 4 * divergence, with the coefficients of the pixel, its southern and its eastern neighbour. */
KERNEL __launch_bounds__(SIDE * SIDE)
    srad_update(float *__restrict__ image, const float *__restrict__ north, const float *__restrict__ south,
                const float *__restrict__ west, const float *__restrict__ east, const float *__restrict__ coefficient,
                uint columns, uint rows, float lambda)
{
    __shared__ float tile[SIDE][SIDE], below[SIDE], right[SIDE];
    const place p = here(columns);

    tile[p.ty][p.tx] = coefficient[p.at];
    if (p.ty == SIDE - 1)
        below[p.tx] = coefficient[p.y == rows - 1 ? p.at : p.at + columns];
    if (p.tx == SIDE - 1)
        right[p.ty] = coefficient[p.x == columns - 1 ? p.at : p.at + 1];
    __syncthreads();

    const float c = tile[p.ty][p.tx];
    float cs, ce;
    if (p.ty == SIDE - 1)
        cs = below[p.tx];
    else
        cs = tile[p.ty + 1][p.tx];
    if (p.tx == SIDE - 1)
        ce = right[p.ty];
    else
        ce = tile[p.ty][p.tx + 1];
    const float divergence = c * north[p.at] + cs * south[p.at] + c * west[p.at] + ce * east[p.at];
    image[p.at] += 0.25f * lambda * divergence;
}
