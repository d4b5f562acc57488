/* neural.cu - NN: how does a small network read handwritten digits? After the NN program of A. Bakhoda, G. Yuan,
 * W. Fung, H. Wong and T. Aamodt, Analyzing CUDA Workloads Using a Detailed GPU Simulator, 2009; code of our own.
 *
 * Four layers, one launch each. blockIdx.x is a map of neurons that share weights, or a single neuron; blockIdx.y is
 * the image; threads are the neurons of a map. A map's or neuron's weights begin with its bias. Convolution windows are
 * 5 x 5 and move by 2. */
#include "../harness/device.h"

enum {
    WINDOW = 25, /* pixels under a window */
    SIDE0 = 29,  /* of the image, then of the maps of each layer; how many maps */
    SIDE1 = 13,
    MAPS1 = 6,
    SIDE2 = 5,
    MAPS2 = 50,
    NEURONS2 = MAPS2 * SIDE2 * SIDE2
};

/* Where the pixels under a window lie, counted from its corner, in pictures of SIDE0 and of SIDE1. */
__constant__ int nn_window0[WINDOW] = {0,  1,  2,  3,  4,  29, 30, 31,  32,  33,  58,  59, 60,
                                       61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
__constant__ int nn_window1[WINDOW] = {0,  1,  2,  3,  4,  13, 14, 15, 16, 17, 26, 27, 28,
                                       29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};

/* Y. LeCun, L. Bottou, G. Orr and K. Mueller, Efficient BackProp, 1998: f(1) = 1, f(-1) = -1. */
DEVICE float squash(float x)
{
    return 1.7159f * tanhf(0.66666667f * x);
}

KERNEL nn_convolve_image(const float *__restrict__ image, const float *__restrict__ weight, float *__restrict__ out)
{
    const int map = blockIdx.x, x = threadIdx.x, y = threadIdx.y;
    const float *const from = image + blockIdx.y * SIDE0 * SIDE0 + 2 * y * SIDE0 + 2 * x;
    const float *const w = weight + map * (1 + WINDOW);
    float sum = w[0];
    for (int i = 0; i < WINDOW; i++)
        sum += from[nn_window0[i]] * w[1 + i];
    out[(blockIdx.y * MAPS1 + map) * SIDE1 * SIDE1 + y * SIDE1 + x] = squash(sum);
}

/* Every map looks at all maps below; their six weights of a pixel lie together. */
KERNEL nn_convolve_maps(const float *__restrict__ in, const float *__restrict__ weight, float *__restrict__ out)
{
    const int map = blockIdx.x, x = threadIdx.x, y = threadIdx.y;
    const float *const from = in + blockIdx.y * MAPS1 * SIDE1 * SIDE1 + 2 * y * SIDE1 + 2 * x;
    const float *const w = weight + map * MAPS1 * (1 + WINDOW); /* 5 of them are not used, as in the original */
    float sum = w[0];
    for (int i = 0; i < WINDOW; i++)
        for (int below = 0; below < MAPS1; below++)
            sum += from[below * SIDE1 * SIDE1 + nn_window1[i]] * w[1 + i * MAPS1 + below];
    out[blockIdx.y * NEURONS2 + map * SIDE2 * SIDE2 + y * SIDE2 + x] = squash(sum);
}

/* Blocks of one thread: a neuron that looks at all `inputs` values of its image. */
DEVICE void connect(const float *in, const float *weight, float *out, int inputs)
{
    const int neuron = blockIdx.x;
    const float *const from = in + blockIdx.y * inputs;
    const float *const w = weight + neuron * (1 + inputs);
    float sum = w[0];
    for (int i = 0; i < inputs; i++)
        sum += from[i] * w[1 + i];
    out[blockIdx.y * gridDim.x + neuron] = squash(sum);
}

KERNEL nn_connect_maps(const float *__restrict__ in, const float *__restrict__ weight, float *__restrict__ out)
{
    connect(in, weight, out, NEURONS2);
}

KERNEL nn_connect_hidden(const float *__restrict__ in, const float *__restrict__ weight, float *__restrict__ out,
                         int hidden)
{
    connect(in, weight, out, hidden);
}
