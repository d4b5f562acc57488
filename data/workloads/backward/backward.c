/* backward.c - CBW: what do additions cost that meet in weights, in inputs, in one word, in the layers of a network?
 * Host side of backward.cu. */
#include "data/workloads/harness/matrix.h"

enum net { OWN, ALEXNET, VGG, SQUEEZENET, FIRST_NETS, TINY_YOLO, RESNET, NETS };
enum { MOST_LAYERS = 6, OF_WIDTH = 4, PICTURE_CHANNELS = 3 };

static const harness_size input_sizes[] = {
    {"net",
     "layers like those of 1: AlexNet, 2: VGG, 3: SqueezeNet, 4: these three, 5: Tiny YOLO, 6: ResNet; 0: one, by the "
     "sizes below",
     {FIRST_NETS, FIRST_NETS, FIRST_NETS},
     OWN,
     RESNET,
     1},
    {"pictures", "pictures of a batch", {2, 2, 4}, 1, 1024, 1},
    {"size", "rows and columns of a picture", {19, 35, 48}, 1, 1024, 1},
    {"width", "channels that a network begins with, 64 in the original, 16 of Tiny YOLO", {2, 8, 16}, 1, 256, 1},
    {"inputs", "channels of the input of the one layer", {3, 3, 3}, 1, 512, 1},
    {"outputs", "channels of its output", {4, 8, 32}, 1, 512, 1},
    {"window", "rows and columns of its window", {3, 3, 3}, 1, 15, 1},
    {"stride", "pixels from a window to the next", {1, 1, 1}, 1, 8, 1},
    {"padding", "rows and columns of zeros around a picture", {1, 1, 1}, 0, 7, 1},
    {"rows", "rows of errors that a thread adds up for a weight", {2, 4, 4}, 1, 1024, 1},
    {"threads", "threads of a block", {64, 128, 256}, 32, 1024, 32},
    {0},
};

/* A layer of a network: channels in quarters of the width, 0 for those of the picture; `halvings`: how often pooling
 * has halved the picture before it, counted from the output of the first layer. */
typedef struct plan {
    int inputs, outputs, window, stride, padding, halvings;
} plan;

/* A. Krizhevsky, I. Sutskever, G. Hinton, ImageNet Classification with Deep Convolutional Neural Networks, 2012, in one
 * tower; K. Simonyan, A. Zisserman, Very Deep Convolutional Networks, 2014, its first three sizes; F. Iandola et al.,
 * SqueezeNet, 2016, the first layer and two fire modules: 1 x 1 that squeezes, 1 x 1 and 3 x 3 that expand; J. Redmon,
 * A. Farhadi, YOLO9000: Better, Faster, Stronger, 2017, the first six layers of its tiny network (yolov2-tiny.cfg),
 * with a pooling behind each; K. He, X. Zhang, S. Ren, J. Sun, Deep Residual Learning for Image Recognition, 2016, the
 * first layer, a block of conv2_x, and of conv3_x the block that halves the picture with its projection. */
static const plan plans[NETS][MOST_LAYERS] = {
    [ALEXNET] =
        {{0, 4, 11, 4, 2, 0}, {4, 12, 5, 1, 2, 1}, {12, 24, 3, 1, 1, 2}, {24, 16, 3, 1, 1, 2}, {16, 16, 3, 1, 1, 2}},
    [VGG] = {{0, 4, 3, 1, 1, 0},
             {4, 4, 3, 1, 1, 0},
             {4, 8, 3, 1, 1, 1},
             {8, 8, 3, 1, 1, 1},
             {8, 16, 3, 1, 1, 2},
             {16, 16, 3, 1, 1, 2}},
    [SQUEEZENET] = {{0, 4, 3, 2, 0, 0},
                    {4, 1, 1, 1, 0, 1},
                    {1, 4, 1, 1, 0, 1},
                    {1, 4, 3, 1, 1, 1},
                    {8, 1, 1, 1, 0, 1},
                    {1, 4, 3, 1, 1, 1}},
    [TINY_YOLO] = {{0, 4, 3, 1, 1, 0},
                   {4, 8, 3, 1, 1, 1},
                   {8, 16, 3, 1, 1, 2},
                   {16, 32, 3, 1, 1, 3},
                   {32, 64, 3, 1, 1, 4},
                   {64, 128, 3, 1, 1, 5}},
    [RESNET] = {{0, 4, 7, 2, 3, 0},
                {4, 4, 3, 1, 1, 1},
                {4, 4, 3, 1, 1, 1},
                {4, 8, 3, 2, 1, 1},
                {8, 8, 3, 1, 1, 2},
                {4, 8, 1, 2, 0, 1}},
};

/* As in backward.cu. */
typedef struct layer {
    int pictures, inputs, outputs, side_in, side_out, window, stride, padding;
} layer;

/* What a layer has, on the host. */
typedef struct tensors {
    size_t inputs, outputs, weights;
    float *input, *error, *weight;
} tensors;

static size_t at(int side, long plane, long y, long x)
{
    return (size_t)((plane * side + y) * side + x);
}

/* Adds up, by the definition of the layer, what each error says of each weight, input and bias. */
static void differentiate_on_cpu(const layer *l, const tensors *t, double *weight, double *input, double *bias)
{
    const long taps = (long)l->window * l->window;
    for (long picture = 0; picture < l->pictures; picture++)
        for (long out = 0; out < l->outputs; out++)
            for (long y = 0; y < l->side_out; y++)
                for (long x = 0; x < l->side_out; x++) {
                    const double error = (double)t->error[at(l->side_out, picture * l->outputs + out, y, x)];
                    bias[out] += error;
                    for (long k = 0; k < l->inputs * taps; k++) {
                        const long in = k / taps, row = y * l->stride - l->padding + k % taps / l->window,
                                   column = x * l->stride - l->padding + k % l->window;
                        if (row < 0 || row >= l->side_in || column < 0 || column >= l->side_in)
                            continue;
                        const size_t w = (size_t)(out * l->inputs * taps + k),
                                     i = at(l->side_in, picture * l->inputs + in, row, column);
                        weight[w] += error * (double)t->input[i];
                        input[i] += error * (double)t->weight[w];
                    }
                }
}

static void check(harness *h, const char *what, CUdeviceptr device, const double *want, size_t n, long terms)
{
    float *const got = harness_host(h, n, sizeof *got), *const rounded = harness_host(h, n, sizeof *rounded);
    for (size_t i = 0; i < n; i++)
        rounded[i] = (float)want[i];
    harness_download(h, got, device, n * sizeof *got);
    harness_check_floats(h, what, got, rounded, n, harness_sum_tolerance(terms), 1e-6); /* terms are positive */
}

static void train(harness *h, layer *l)
{
    const long threads = harness_get_size(h, "threads"), pixels = (long)l->side_out * l->side_out;
    const size_t of_batch = (size_t)l->pictures;
    tensors t = {.inputs = of_batch * (size_t)l->inputs * (size_t)l->side_in * (size_t)l->side_in,
                 .outputs = of_batch * (size_t)l->outputs * (size_t)pixels,
                 .weights = (size_t)l->inputs * (size_t)l->outputs * (size_t)l->window * (size_t)l->window};
    if (t.inputs > 1U << 28 || t.outputs > 1U << 28)
        harness_refuse(h,
                       "pictures=%d of %d x %d with %d and %d channels are more than numbers of pixels have room for",
                       l->pictures, l->side_in, l->side_in, l->inputs, l->outputs);
    int rows = (int)harness_get_size(h, "rows");
    const long strips = l->pictures * harness_blocks(l->side_out, rows), planes = (long)l->pictures * l->outputs;
    if (strips > HARNESS_MOST_BLOCKS || planes > HARNESS_MOST_BLOCKS)
        harness_refuse(h,
                       "pictures=%d with %d channels and %d rows, of which a thread has %d, are more than the %d "
                       "blocks that a grid has room for",
                       l->pictures, l->outputs, l->side_out, rows, HARNESS_MOST_BLOCKS);
    t.input = harness_random_floats(h, t.inputs, 0, 1);
    t.error = harness_random_floats(h, t.outputs, 0, 1);
    t.weight = harness_random_floats(h, t.weights, 0, 1);
    CUdeviceptr input = harness_upload(h, t.input, t.inputs * sizeof(float)),
                error = harness_upload(h, t.error, t.outputs * sizeof(float));
    CUdeviceptr weight = harness_upload(h, t.weight, t.weights * sizeof(float));
    CUdeviceptr of_weights = harness_upload(h, harness_host(h, t.weights, sizeof(float)), t.weights * sizeof(float));
    CUdeviceptr of_inputs = harness_upload(h, harness_host(h, t.inputs, sizeof(float)), t.inputs * sizeof(float));
    CUdeviceptr of_biases =
        harness_upload(h, harness_host(h, (size_t)l->outputs, sizeof(float)), (size_t)l->outputs * sizeof(float));
    const harness_dim block = HARNESS_DIM(threads), by_pixel = HARNESS_DIM(harness_blocks(pixels, threads), planes);

    HARNESS_LAUNCH(h, harness_kernel(h, "cbw_bias"), by_pixel, block, 0, &error, &of_biases, l);
    HARNESS_LAUNCH(h, harness_kernel(h, "cbw_filter"), HARNESS_DIM(harness_blocks((long)t.weights, threads), strips),
                   block, 0, &input, &error, &of_weights, l, &rows);
    HARNESS_LAUNCH(h, harness_kernel(h, "cbw_data"), by_pixel, block, 0, &weight, &error, &of_inputs, l);

    double *const want_weights = harness_host(h, t.weights, sizeof(double)), *const want_inputs = harness_host(
                                                                                 h, t.inputs, sizeof(double));
    double *const want_biases = harness_host(h, (size_t)l->outputs, sizeof(double));
    differentiate_on_cpu(l, &t, want_weights, want_inputs, want_biases);
    check(h, "gradient of a weight", of_weights, want_weights, t.weights, pixels * l->pictures);
    check(h, "gradient of an input", of_inputs, want_inputs, t.inputs, (long)l->window * l->window * l->outputs);
    check(h, "gradient of a bias", of_biases, want_biases, (size_t)l->outputs, pixels * l->pictures);
}

/* Fills in the side of the output; refuses windows that no picture has room for. */
static void measure(harness *h, layer *l)
{
    const int room = l->side_in + 2 * l->padding - l->window;
    if (room < 0)
        harness_refuse(h, "a window of %d x %d does not fit into %d x %d pixels with %d more on each side", l->window,
                       l->window, l->side_in, l->side_in, l->padding);
    if (l->padding >= l->window)
        harness_refuse(h, "padding=%d leaves windows of %d x %d without a pixel", l->padding, l->window, l->window);
    l->side_out = room / l->stride + 1;
}

static int channels(harness *h, int quarters)
{
    const int n = (int)(quarters * harness_get_size(h, "width") / OF_WIDTH);
    return quarters == 0 ? PICTURE_CHANNELS : n > 0 ? n : 1;
}

static void train_network(harness *h, const plan *plans_of)
{
    const int pictures = (int)harness_get_size(h, "pictures"), size = (int)harness_get_size(h, "size");
    int first_side = size;
    for (int i = 0; i < MOST_LAYERS && plans_of[i].window; i++) {
        layer l = {.pictures = pictures,
                   .inputs = channels(h, plans_of[i].inputs),
                   .outputs = channels(h, plans_of[i].outputs),
                   .side_in = first_side >> plans_of[i].halvings,
                   .window = plans_of[i].window,
                   .stride = plans_of[i].stride,
                   .padding = plans_of[i].padding};
        if (!l.side_in)
            l.side_in = 1;
        measure(h, &l);
        if (i == 0)
            first_side = l.side_out;
        train(h, &l);
    }
}

static void run(harness *h)
{
    const long net = harness_get_size(h, "net");
    for (long n = ALEXNET; n < NETS; n++)
        if (net == n || (net == FIRST_NETS && n < FIRST_NETS))
            train_network(h, plans[n]);
    if (net != OWN)
        return;
    layer l = {.pictures = (int)harness_get_size(h, "pictures"),
               .inputs = (int)harness_get_size(h, "inputs"),
               .outputs = (int)harness_get_size(h, "outputs"),
               .side_in = (int)harness_get_size(h, "size"),
               .window = (int)harness_get_size(h, "window"),
               .stride = (int)harness_get_size(h, "stride"),
               .padding = (int)harness_get_size(h, "padding")};
    measure(h, &l);
    train(h, &l);
}

HARNESS_WORKLOAD_OF("CBW", "data/workloads/backward/backward.ptx", run, input_sizes)
