/* backprop.c - BP, host side: the narrow second layer, the errors, and the whole training step once more in double
 * precision. */
#include "data/workloads/harness/harness.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 16, HIDDEN = 16, ROW = HIDDEN + 1 };

static const double RATE = 0.3, MOMENTUM = 0.3;
/* Relative, and a hundredth of it absolute: sums of products in float, in blocks of 16, and four roundings a weight. */
static const double TOLERANCE = 2e-6;

/* Units count from 1; index 0 of each layer is the bias unit, whose value is 1. */
typedef struct network {
    size_t inputs;
    float *input;           /* [inputs + 1] */
    float *weight, *change; /* [(inputs + 1) * ROW] first layer: weights and their last changes */
    double output_weight[ROW], target;
    double hidden[ROW], output, delta[ROW]; /* of the step */
} network;

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* Centred weights, smaller the more inputs there are, so that hidden units neither saturate nor lose their gradient. */
static void make_network(harness *h, network *n)
{
    const double width = 3 / sqrt((double)n->inputs);
    n->input = harness_random_floats(h, n->inputs + 1, 0, 1);
    n->input[0] = 1;
    n->weight = harness_random_floats(h, (n->inputs + 1) * ROW, -width, width);
    n->change = harness_random_floats(h, (n->inputs + 1) * ROW, -width / 10, width / 10);
    for (int j = 0; j <= HIDDEN; j++)
        n->output_weight[j] = harness_uniform(h, -1, 1);
    n->target = 0.1;
}

/* From the sums at the hidden units to output and hidden errors. The second layer has one unit. */
static void second_layer(network *n, const double *sum)
{
    double s = n->output_weight[0];
    for (int j = 1; j <= HIDDEN; j++) {
        n->hidden[j] = sigmoid(sum[j]);
        s += n->output_weight[j] * n->hidden[j];
    }
    n->output = sigmoid(s);
    const double error = n->output * (1 - n->output) * (n->target - n->output);
    for (int j = 1; j <= HIDDEN; j++)
        n->delta[j] = n->hidden[j] * (1 - n->hidden[j]) * error * n->output_weight[j];
}

/* The training step by definition, in double precision; leaves weights in `weight`. */
static void reference(const network *start, float *weight, float *change, network *end)
{
    double sum[ROW] = {0};
    *end = *start;
    for (size_t i = 0; i <= start->inputs; i++)
        for (int j = 1; j <= HIDDEN; j++)
            sum[j] += (double)start->input[i] * start->weight[i * ROW + j];
    second_layer(end, sum);
    for (size_t i = 0; i <= start->inputs; i++)
        for (int j = 0; j <= HIDDEN; j++) {
            const size_t at = i * ROW + j;
            const double step = RATE * end->delta[j] * start->input[i] + MOMENTUM * start->change[at];
            change[at] = j ? (float)step : start->change[at];
            weight[at] = j ? (float)(start->weight[at] + step) : start->weight[at];
        }
}

/* First layer forward on the device; the sums over blocks are made here, as the blocks cannot meet in one launch. */
static void forward(harness *h, const network *n, CUdeviceptr input, CUdeviceptr weight, double *sum)
{
    const size_t blocks = n->inputs / SIDE;
    float *partial = harness_host(h, blocks * HIDDEN, sizeof *partial);
    CUdeviceptr d_partial = harness_device(h, blocks * HIDDEN * sizeof *partial);
    unsigned hidden = HIDDEN;
    HARNESS_LAUNCH(h, harness_kernel(h, "bp_forward"), HARNESS_DIM(HIDDEN / SIDE, blocks), HARNESS_DIM(SIDE, SIDE), 0,
                   &input, &weight, &d_partial, &hidden);
    harness_download(h, partial, d_partial, blocks * HIDDEN * sizeof *partial);
    for (int j = 1; j <= HIDDEN; j++) {
        sum[j] = n->weight[j];
        for (size_t b = 0; b < blocks; b++)
            sum[j] += partial[b * HIDDEN + (size_t)j - 1];
    }
}

static void run(harness *h)
{
    network n = {.inputs = (size_t)harness_get_size(h, "inputs")};
    make_network(h, &n);
    const size_t weights = (n.inputs + 1) * ROW, bytes = weights * sizeof(float);
    float *weight = harness_host(h, weights, sizeof *weight), *change = harness_host(h, weights, sizeof *change);
    network want;
    reference(&n, weight, change, &want);

    CUdeviceptr d_input = harness_upload(h, n.input, (n.inputs + 1) * sizeof(float));
    CUdeviceptr d_weight = harness_upload(h, n.weight, bytes), d_change = harness_upload(h, n.change, bytes);
    double sum[ROW] = {0};
    forward(h, &n, d_input, d_weight, sum);
    second_layer(&n, sum);
    if (!(fabs(n.output - want.output) <= TOLERANCE))
        harness_wrong(h, "the network's output is %g, not %g", n.output, want.output);

    float delta[ROW], rate = (float)RATE, momentum = (float)MOMENTUM;
    for (int j = 0; j <= HIDDEN; j++)
        delta[j] = (float)n.delta[j];
    CUdeviceptr d_delta = harness_upload(h, delta, sizeof delta);
    unsigned hidden = HIDDEN;
    HARNESS_LAUNCH(h, harness_kernel(h, "bp_adjust"), HARNESS_DIM(HIDDEN / SIDE, n.inputs / SIDE),
                   HARNESS_DIM(SIDE, SIDE), 0, &d_delta, &d_input, &d_weight, &d_change, &hidden, &rate, &momentum);
    harness_download(h, n.weight, d_weight, bytes);
    harness_download(h, n.change, d_change, bytes);
    harness_check_floats(h, "weight", n.weight, weight, weights, TOLERANCE, TOLERANCE * 1e-2);
    harness_check_floats(h, "change", n.change, change, weights, TOLERANCE, TOLERANCE * 1e-2);
}

static const harness_size input_sizes[] = {
    {"inputs", "neurons of the first layer", {512, 16384, 32768}, SIDE, 262144, SIDE},
    {0},
};
HARNESS_WORKLOAD_OF("BP", "data/workloads/backprop/backprop.ptx", run, input_sizes)
