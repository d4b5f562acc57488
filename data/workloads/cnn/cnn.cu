/* cnn.cu - layers of a convolution network, forward: convolution with a ramp, pooling, and full connection.
 *
 * Tensors are pictures x channels x side x side. cnn_convolve: a block has a tile of TILE x TILE results of one picture and output channel; input
 * channel by channel it brings the pixels below its windows to shared memory. cnn_pool: a thread takes the largest of 2 x 2. cnn_connect: a block
 * a neuron and picture, whose threads stride over the inputs and add up by a tree. */
#include "../harness/device.h"

enum { TILE = 16, WINDOW_MOST = 7, HELD = TILE + WINDOW_MOST - 1, CONNECTORS = 128 };

/* window: odd; zeros around the picture keep its side. Grid: tiles across, tiles down, pictures x outputs. */
KERNEL cnn_convolve(const float *from, const float *weight, const float *bias, float *to, int inputs, int outputs, int side, int window)
{
    __shared__ float held[HELD][HELD];
    const int picture = blockIdx.z / outputs, out = blockIdx.z % outputs, reach = window / 2, span = TILE + window - 1;
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE, x = left + threadIdx.x, y = top + threadIdx.y;
    float sum = bias[out];

    for (int in = 0; in < inputs; in++) {
        const float *const of_channel = from + (picture * inputs + in) * side * side, *const w = weight + (out * inputs + in) * window * window;
        __syncthreads();
        for (int i = threadIdx.y * TILE + threadIdx.x; i < span * span; i += TILE * TILE) {
            const int row = top - reach + i / span, column = left - reach + i % span;
            held[i / span][i % span] = row >= 0 && row < side && column >= 0 && column < side ? of_channel[row * side + column] : 0;
        }
        __syncthreads();
        for (int down = 0; down < window; down++)
            for (int across = 0; across < window; across++)
                sum += held[threadIdx.y + down][threadIdx.x + across] * w[down * window + across];
    }
    if (x < side && y < side)
        to[(blockIdx.z * side + y) * side + x] = fmaxf(sum, 0);
}

/* Sides are halved, upward: at an odd edge there are fewer to choose from. planes: pictures x channels. */
KERNEL cnn_pool(const float *from, float *to, int planes, int side)
{
    const int half = (side + 1) / 2, at = blockIdx.x * blockDim.x + threadIdx.x;

    if (at >= planes * half * half)
        return;
    const int x = at % half * 2, y = at / half % half * 2;
    const float *const corner = from + at / (half * half) * side * side + y * side + x;
    float most = corner[0];
    if (x + 1 < side)
        most = fmaxf(most, corner[1]);
    if (y + 1 < side)
        most = fmaxf(most, corner[side]);
    if (x + 1 < side && y + 1 < side)
        most = fmaxf(most, corner[side + 1]);
    to[at] = most;
}

/* Grid: neurons, pictures. ramp: whether negative sums become 0. */
KERNEL __launch_bounds__(CONNECTORS) cnn_connect(const float *from, const float *weight, const float *bias, float *to, int inputs, int ramp)
{
    __shared__ float part[CONNECTORS];
    const float *const of_picture = from + blockIdx.y * inputs, *const w = weight + blockIdx.x * inputs;
    float sum = 0;

    for (int i = threadIdx.x; i < inputs; i += CONNECTORS)
        sum += of_picture[i] * w[i];
    part[threadIdx.x] = sum;
    for (int half = CONNECTORS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) {
        const float all = part[0] + bias[blockIdx.x];
        to[blockIdx.y * gridDim.x + blockIdx.x] = ramp ? fmaxf(all, 0) : all;
    }
}
