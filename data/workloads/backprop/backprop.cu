/* backprop.cu - BP: how does one training step change the weights of a two-layer neural network? After Rodinia's
 * backprop; code of our own.
 *
 * The wide first layer is on the device. bp_forward gives each block 16 inputs and 16 hidden units: products in a
 * shared tile, summed over the inputs by a tree, one partial sum a block and hidden unit. bp_adjust changes the
 * weights by gradient and momentum. The narrow second layer is on the host.
 *
 * Weights are rows of hidden + 1 values, one row an input; row 0 is the bias, column 0 is unused, as units count
 * from 1. */
#include "../harness/device.h"

enum { SIDE = 16 }; /* a block is SIDE inputs by SIDE hidden units */

KERNEL __launch_bounds__(SIDE * SIDE) bp_forward(const float *__restrict__ input, const float *__restrict__ weight,
                                                 float *__restrict__ partial, uint hidden)
{
    __shared__ float node[SIDE], tile[SIDE][SIDE];
    const uint tx = threadIdx.x, ty = threadIdx.y;
    const uint unit = blockIdx.x * SIDE + tx + 1, row = blockIdx.y * SIDE + ty + 1;

    if (tx == 0)
        node[ty] = input[row];
    __syncthreads();
    tile[ty][tx] = weight[row * (hidden + 1) + unit] * node[ty];
    for (uint step = 2; step <= SIDE; step *= 2) {
        __syncthreads();
        if (ty % step == 0)
            tile[ty][tx] += tile[ty + step / 2][tx];
    }
    __syncthreads();
    if (tx == 0) /* thread (0, ty) writes unit ty of this block */
        partial[blockIdx.y * hidden + blockIdx.x * SIDE + ty] = tile[0][ty];
}

KERNEL __launch_bounds__(SIDE * SIDE) bp_adjust(const float *__restrict__ delta, const float *__restrict__ input,
                                                float *__restrict__ weight, float *__restrict__ change, uint hidden,
                                                float rate, float momentum)
{
    const uint unit = blockIdx.x * SIDE + threadIdx.x + 1, row = blockIdx.y * SIDE + threadIdx.y + 1;
    const uint i = row * (hidden + 1) + unit;
    const float step = rate * delta[unit] * input[row] + momentum * change[i];
    weight[i] += step;
    change[i] = step;
    __syncthreads();
    if (blockIdx.y == 0 && threadIdx.y == 0) { /* the bias row, whose input is 1 */
        const float bias = rate * delta[unit] + momentum * change[unit];
        weight[unit] += bias;
        change[unit] = bias;
    }
}
