/* weightgradient.cu - gradients of the weights of a convolution layer, summed by atomic additions.
 *
 * The layer has windows of 3 x 3 and zeros around its pictures. A block has a piece of the pixels of all pictures, and one pair of an input and an
 * output channel; a thread a pixel. For each of the nine weights of the pair a warp adds up its products by shuffles, and one lane adds that to
 * the weight: as many additions meet in a weight as there are warps for the pixels. */
#include "../harness/device.h"

enum { SIDE = 3, WARP = 32 };

/* input: pictures x inputs x height x width; error: pictures x outputs x height x width; gradient: outputs x inputs x 9, added to. */
KERNEL wgr_add(const float *input, const float *error, float *gradient, int pictures, int inputs, int outputs, int height, int width)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x, in = blockIdx.y % inputs, out = blockIdx.y / inputs;
    const int picture = at / (height * width), pixel = at % (height * width), y = pixel / width, x = pixel % width;
    const bool inside = picture < pictures;
    const float own = inside ? error[(picture * outputs + out) * height * width + pixel] : 0;
    const float *const of_channel = input + (picture * inputs + in) * height * width;

    for (int i = 0; i < SIDE * SIDE; i++) {
        const int row = y + i / SIDE - 1, column = x + i % SIDE - 1;
        float sum = inside && row >= 0 && row < height && column >= 0 && column < width ? own * of_channel[row * width + column] : 0;
        for (int apart = WARP / 2; apart > 0; apart /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        if (threadIdx.x % WARP == 0)
            reduceAdd(&gradient[(out * inputs + in) * SIDE * SIDE + i], sum);
    }
}
