/* cnn.c - CNN: what stays in a cache from layer to layer of a network? Host side of cnn.cu. */
#include "data/workloads/harness/matrix.h"

enum { TILE = 16, CONNECTORS = 128, POOLERS = 256, CHANNELS = 3, CONVOLUTIONS = 2 };

static const harness_size input_sizes[] = {
    {"pictures", "pictures of a batch", {2, 2, 4}, 1, 256, 1},
    {"size", "rows and columns of a picture, of three colours", {21, 48, 128}, 1, 1024, 1},
    {"maps", "channels behind the first convolution; twice as many behind the second", {3, 8, 16}, 1, 256, 1},
    {"window", "rows and columns of a window, odd", {3, 5, 5}, 1, 7, 1},
    {"hidden", "neurons of the first connected layer", {10, 40, 128}, 1, 4096, 1},
    {"classes", "neurons of the last layer", {5, 10, 10}, 1, 4096, 1},
    {0},
};

/* A layer with its weights, and what it makes of the batch, in double precision and on the device. */
typedef struct weights {
    size_t inputs, outputs;
    float *weight, *bias;
    CUdeviceptr d_weight, d_bias;
} weights;

typedef struct tensor {
    size_t n;
    double *at;
    CUdeviceptr device;
} tensor;

static tensor make_tensor(harness *h, size_t n)
{
    return (tensor){.n = n, .at = harness_host(h, n, sizeof(double)), .device = harness_device(h, n * sizeof(float))};
}

/* taps: weights of a pair. Sums keep the size of their inputs by a spread of sqrt(3 / terms). */
static weights make_weights(harness *h, size_t inputs, size_t outputs, size_t taps)
{
    const double spread = sqrt(3 / (double)(inputs * taps));
    weights w = {.inputs = inputs, .outputs = outputs};
    w.weight = harness_random_floats(h, inputs * outputs * taps, -spread, spread);
    w.bias = harness_random_floats(h, outputs, -0.1, 0.1);
    w.d_weight = harness_upload(h, w.weight, inputs * outputs * taps * sizeof(float));
    w.d_bias = harness_upload(h, w.bias, outputs * sizeof(float));
    return w;
}

/* Sums of single precision whose terms have any sign: each is off by 2^-24 of about 1 a few times, and takes over what
 * its inputs are off. */
static void check(harness *h, const char *what, const tensor *t, int layer)
{
    float *const got = harness_host(h, t->n, sizeof *got), *const want = harness_host(h, t->n, sizeof *want);
    for (size_t i = 0; i < t->n; i++)
        want[i] = (float)t->at[i];
    harness_download(h, got, t->device, t->n * sizeof *got);
    harness_check_floats(h, what, got, want, t->n, 1e-6 * layer, 2e-6 * layer);
}

/* One result before the ramp, by definition. */
static double window_on_cpu(const weights *w, const double *of_picture, long out, long y, long x, long side,
                            long window)
{
    double sum = (double)w->bias[out];
    for (long k = 0; k < (long)w->inputs * window * window; k++) {
        const long in = k / (window * window), row = y + k / window % window - window / 2,
                   column = x + k % window - window / 2;
        if (row >= 0 && row < side && column >= 0 && column < side)
            sum += (double)w->weight[out * (long)w->inputs * window * window + k] *
                   of_picture[(in * side + row) * side + column];
    }
    return sum;
}

static tensor convolve(harness *h, const weights *w, const tensor *from, int pictures, int side, int window)
{
    const size_t area = (size_t)side * (size_t)side;
    const tensor to = make_tensor(h, (size_t)pictures * w->outputs * area);
    int inputs = (int)w->inputs, outputs = (int)w->outputs;
    CUdeviceptr d_from = from->device, d_weight = w->d_weight, d_bias = w->d_bias, d_to = to.device;
    HARNESS_LAUNCH(h, harness_kernel(h, "cnn_convolve"),
                   HARNESS_DIM(harness_blocks(side, TILE), harness_blocks(side, TILE), pictures * outputs),
                   HARNESS_DIM(TILE, TILE), 0, &d_from, &d_weight, &d_bias, &d_to, &inputs, &outputs, &side, &window);
    for (size_t i = 0; i < to.n; i++) {
        const size_t plane = i / area;
        to.at[i] =
            fmax(0, window_on_cpu(w, from->at + plane / w->outputs * w->inputs * area, (long)(plane % w->outputs),
                                  (long)(i % area) / side, (long)i % side, side, window));
    }
    return to;
}

static tensor pool(harness *h, const tensor *from, int planes, int side)
{
    const int half = (side + 1) / 2;
    const tensor to = make_tensor(h, (size_t)planes * (size_t)half * (size_t)half);
    CUdeviceptr d_from = from->device, d_to = to.device;
    HARNESS_LAUNCH(h, harness_kernel(h, "cnn_pool"), HARNESS_DIM(harness_blocks((long)to.n, POOLERS)),
                   HARNESS_DIM(POOLERS), 0, &d_from, &d_to, &planes, &side);
    for (size_t i = 0; i < to.n; i++)
        to.at[i] = -HUGE_VAL;
    for (size_t i = 0; i < from->n; i++) {
        const size_t s = (size_t)side, x = i % s / 2, y = i / s % s / 2,
                     into = (i / (s * s) * (size_t)half + y) * (size_t)half + x;
        to.at[into] = fmax(to.at[into], from->at[i]);
    }
    return to;
}

static tensor connect(harness *h, const weights *w, const tensor *from, int pictures, int ramp)
{
    const tensor to = make_tensor(h, (size_t)pictures * w->outputs);
    CUdeviceptr d_from = from->device, d_weight = w->d_weight, d_bias = w->d_bias, d_to = to.device;
    int inputs = (int)w->inputs;
    HARNESS_LAUNCH(h, harness_kernel(h, "cnn_connect"), HARNESS_DIM(w->outputs, pictures), HARNESS_DIM(CONNECTORS), 0,
                   &d_from, &d_weight, &d_bias, &d_to, &inputs, &ramp);
    for (size_t i = 0; i < to.n; i++) {
        const size_t neuron = i % w->outputs, picture = i / w->outputs;
        double sum = (double)w->bias[neuron];
        for (size_t k = 0; k < w->inputs; k++)
            sum += (double)w->weight[neuron * w->inputs + k] * from->at[picture * w->inputs + k];
        to.at[i] = ramp && sum < 0 ? 0 : sum;
    }
    return to;
}

static void run(harness *h)
{
    const int pictures = (int)harness_get_size(h, "pictures"), window = (int)harness_get_size(h, "window");
    int side = (int)harness_get_size(h, "size"), maps = (int)harness_get_size(h, "maps");
    if (window % 2 == 0)
        harness_refuse(h, "window=%d is even: no pixel is in its middle", window);
    if ((size_t)pictures * (size_t)maps * 2 * (size_t)side * (size_t)side > 1U << 28)
        harness_refuse(h, "pictures=%d of size=%d with maps=%d are more than numbers of pixels have room for", pictures,
                       side, maps);
    if (pictures * maps * 2 > HARNESS_MOST_BLOCKS)
        harness_refuse(h, "pictures=%d with maps=%d are more than the %d blocks that a grid has room for", pictures,
                       maps, HARNESS_MOST_BLOCKS);
    tensor now = make_tensor(h, (size_t)pictures * CHANNELS * (size_t)side * (size_t)side);
    const float *const pixel = harness_random_floats(h, now.n, -1, 1);
    for (size_t i = 0; i < now.n; i++)
        now.at[i] = (double)pixel[i];
    harness_write(h, now.device, pixel, now.n * sizeof *pixel);

    size_t inputs = CHANNELS;
    for (int layer = 0; layer < CONVOLUTIONS; layer++, maps *= 2) {
        const weights w = make_weights(h, inputs, (size_t)maps, (size_t)(window * window));
        const tensor convolved = convolve(h, &w, &now, pictures, side, window);
        check(h, layer ? "second convolution" : "first convolution", &convolved, layer + 1);
        now = pool(h, &convolved, pictures * maps, side);
        check(h, layer ? "second pooling" : "first pooling", &now, layer + 1);
        side = (side + 1) / 2;
        inputs = (size_t)maps;
    }
    const weights hidden = make_weights(h, now.n / (size_t)pictures, (size_t)harness_get_size(h, "hidden"), 1);
    now = connect(h, &hidden, &now, pictures, 1);
    check(h, "hidden neuron", &now, CONVOLUTIONS + 1);
    const weights last = make_weights(h, hidden.outputs, (size_t)harness_get_size(h, "classes"), 1);
    now = connect(h, &last, &now, pictures, 0);
    check(h, "class", &now, CONVOLUTIONS + 2);
}

HARNESS_WORKLOAD_OF("CNN", "data/workloads/cnn/cnn.ptx", run, input_sizes)
