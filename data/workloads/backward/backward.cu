/* backward.cu - gradients of a convolution layer, summed by atomic additions in the three ways of a network's training step.
 *
 * cbw_filter: a thread has one weight and a strip of rows of one picture, and adds the sum of its products to the gradient: neighbouring lanes add to
 * neighbouring words, and as many additions meet in each as there are strips. cbw_data: a thread has one error of one picture and output channel,
 * and scatters it by all weights over the inputs below its window, where neighbouring windows meet. cbw_bias: errors of a channel are added
 * up by warps, and one lane adds that to the one word of the channel. */
#include "../harness/device.h"

enum { WARP = 32 };

/* Tensors are pictures x channels x side x side, weights outputs x inputs x window x window. */
struct layer_shape {
    int pictures, inputs, outputs, side_in, side_out, window, stride, padding;
};

/* Grid: weights, then strips of `rows` rows of the pictures. */
KERNEL cbw_filter(const float *input, const float *error, float *gradient, layer_shape s, int rows)
{
    const int w = blockIdx.x * blockDim.x + threadIdx.x, taps = s.window * s.window;
    const int strips = (s.side_out + rows - 1) / rows, picture = blockIdx.y / strips, begin = blockIdx.y % strips * rows;

    if (w >= s.outputs * s.inputs * taps)
        return;
    const int across = w % s.window, down = w / s.window % s.window, in = w / taps % s.inputs, out = w / taps / s.inputs;
    const float *const of_input = input + (picture * s.inputs + in) * s.side_in * s.side_in;
    const float *const of_error = error + (picture * s.outputs + out) * s.side_out * s.side_out;
    float sum = 0;
    for (int y = begin; y < min(begin + rows, s.side_out); y++) {
        const int row = y * s.stride + down - s.padding;
        if (row < 0 || row >= s.side_in)
            continue;
        for (int x = 0; x < s.side_out; x++) {
            const int column = x * s.stride + across - s.padding;
            if (column >= 0 && column < s.side_in)
                sum += of_error[y * s.side_out + x] * of_input[row * s.side_in + column];
        }
    }
    reduceAdd(&gradient[w], sum);
}

/* Grid: pixels of a picture's errors, then pictures and output channels. */
KERNEL cbw_data(const float *weight, const float *error, float *input_error, layer_shape s)
{
    const int pixel = blockIdx.x * blockDim.x + threadIdx.x, picture = blockIdx.y / s.outputs, out = blockIdx.y % s.outputs;

    if (pixel >= s.side_out * s.side_out)
        return;
    const int top = pixel / s.side_out * s.stride - s.padding, left = pixel % s.side_out * s.stride - s.padding;
    const float own = error[(picture * s.outputs + out) * s.side_out * s.side_out + pixel];
    for (int in = 0; in < s.inputs; in++) {
        float *const to = input_error + (picture * s.inputs + in) * s.side_in * s.side_in;
        const float *const of_pair = weight + (out * s.inputs + in) * s.window * s.window;
        for (int tap = 0; tap < s.window * s.window; tap++) {
            const int row = top + tap / s.window, column = left + tap % s.window;
            if (row >= 0 && row < s.side_in && column >= 0 && column < s.side_in)
                reduceAdd(&to[row * s.side_in + column], own * of_pair[tap]);
        }
    }
}

/* The same grid. */
KERNEL cbw_bias(const float *error, float *gradient, layer_shape s)
{
    const int pixel = blockIdx.x * blockDim.x + threadIdx.x, pixels = s.side_out * s.side_out;
    float sum = pixel < pixels ? error[blockIdx.y * pixels + pixel] : 0;

    for (int apart = WARP / 2; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % WARP == 0)
        reduceAdd(&gradient[blockIdx.y % s.outputs], sum);
}
