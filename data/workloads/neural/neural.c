/* neural.c - NN, host side: digits drawn by seed, weights of which the last layer's are fitted to such digits, and the
 * network by its definition in double precision. */
#include "data/workloads/harness/harness.h"

#include <math.h>

/* As in neural.cu. */
enum {
    SPAN = 5, /* of a window, which moves by STRIDE */
    STRIDE = 2,
    WINDOW = SPAN * SPAN,
    SIDE0 = 29,
    SIDE1 = 13,
    MAPS1 = 6,
    SIDE2 = 5,
    MAPS2 = 50,
    NEURONS0 = SIDE0 * SIDE0,
    NEURONS1 = MAPS1 * SIDE1 * SIDE1,
    NEURONS2 = MAPS2 * SIDE2 * SIDE2,
    WEIGHTS1 = 1 + WINDOW,
    WEIGHTS2 = MAPS1 * (1 + WINDOW), /* the last five are not used */
    WEIGHTS3 = 1 + NEURONS2,
    DIGITS = 10,
    USUAL = 100 /* neurons of layer 3 */
};

/* A neuron of layer 3 adds 1250 products of at most 1.7 x 0.07 to a sum of order 1; errors of single precision grow to
 * some 4e-6 there, and the steps before and after change little. */
static const double TOLERANCE = 2e-5;
static const double SPREAD = 2.5; /* of a neuron's weights, times the square root of its inputs */
static const double RIDGE = 1.0;  /* keeps the fitted weights small */

typedef struct network {
    int hidden;
    int lessons; /* digits that the last layer is fitted to */
    float *weight1, *weight2, *weight3, *weight4;
} network;

/* Neurons of each layer for one image. */
typedef struct activity {
    double *layer1, *layer2, *layer3, *layer4;
} activity;

/* The seven bars of a numeric display, in a box 1 wide and 2 high, y down; and which of them each digit has. */
typedef struct bar {
    double x0, y0, x1, y1;
} bar;
enum { BARS = 7 };
static const bar BAR[BARS] = {{0, 0, 1, 0}, {1, 0, 1, 1}, {1, 1, 1, 2}, {0, 2, 1, 2},
                              {0, 1, 0, 2}, {0, 0, 0, 1}, {0, 1, 1, 1}};
static const unsigned SHAPE[DIGITS] = {0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f};

static double distance(const bar *b, double x, double y)
{
    const double dx = b->x1 - b->x0, dy = b->y1 - b->y0;
    const double along = fmin(1, fmax(0, (x - b->x0) * dx + (y - b->y0) * dy)); /* bars have length 1 */
    return hypot(x - b->x0 - along * dx, y - b->y0 - along * dy);
}

/* Ink is 1, paper -1, with noise; place, size, slant and breadth of the pen differ from digit to digit. */
static void draw(harness *h, int digit, float *image)
{
    const double size = harness_uniform(h, 8, 10), slant = harness_uniform(h, -0.1, 0.2);
    const double pen = harness_uniform(h, 0.12, 0.2);
    const double cx = SIDE0 / 2 + harness_uniform(h, -1.5, 1.5), cy = SIDE0 / 2 + harness_uniform(h, -1.5, 1.5);
    for (int i = 0; i < NEURONS0; i++) {
        const double v = (i / SIDE0 - cy) / size + 1, u = (i % SIDE0 - cx) / size + 0.5 + slant * (v - 1);
        double nearest = HUGE_VAL;
        for (int b = 0; b < BARS; b++)
            if (SHAPE[digit] >> b & 1)
                nearest = fmin(nearest, distance(&BAR[b], u, v));
        const double ink = fmin(1, fmax(-1, 1 - 2 * (nearest - pen) * size)); /* an edge one pixel wide */
        image[i] = (float)(ink + harness_uniform(h, -0.2, 0.2));
    }
}

static double squash(double x)
{
    return 1.7159 * tanh(2.0 / 3 * x);
}

static activity make_activity(harness *h, int hidden)
{
    return (activity){
        .layer1 = harness_host(h, NEURONS1, sizeof(double)),
        .layer2 = harness_host(h, NEURONS2, sizeof(double)),
        .layer3 = harness_host(h, (size_t)hidden, sizeof(double)),
        .layer4 = harness_host(h, DIGITS, sizeof(double)),
    };
}

static void convolve_image(const float *weight, const float *image, double *out)
{
    for (int map = 0; map < MAPS1; map++)
        for (int y = 0; y < SIDE1; y++)
            for (int x = 0; x < SIDE1; x++) {
                const float *const w = weight + map * WEIGHTS1;
                double sum = w[0];
                for (int dy = 0; dy < SPAN; dy++)
                    for (int dx = 0; dx < SPAN; dx++)
                        sum += (double)image[(STRIDE * y + dy) * SIDE0 + STRIDE * x + dx] * w[1 + dy * SPAN + dx];
                out[(map * SIDE1 + y) * SIDE1 + x] = squash(sum);
            }
}

static double window_sum(const float *w, const double *in, int y, int x)
{
    double sum = w[0];
    for (int below = 0; below < MAPS1; below++)
        for (int dy = 0; dy < SPAN; dy++)
            for (int dx = 0; dx < SPAN; dx++)
                sum += in[(below * SIDE1 + STRIDE * y + dy) * SIDE1 + STRIDE * x + dx] *
                       w[1 + (dy * SPAN + dx) * MAPS1 + below];
    return sum;
}

static void convolve_maps(const float *weight, const double *in, double *out)
{
    for (int map = 0; map < MAPS2; map++)
        for (int y = 0; y < SIDE2; y++)
            for (int x = 0; x < SIDE2; x++)
                out[(map * SIDE2 + y) * SIDE2 + x] = squash(window_sum(weight + map * WEIGHTS2, in, y, x));
}

static void connect(const float *weight, const double *in, int inputs, double *out, int outputs)
{
    for (int o = 0; o < outputs; o++) {
        const float *const w = weight + (size_t)o * (size_t)(1 + inputs);
        double sum = w[0];
        for (int i = 0; i < inputs; i++)
            sum += in[i] * w[1 + i];
        out[o] = squash(sum);
    }
}

static void look(const network *n, const float *image, activity *a)
{
    convolve_image(n->weight1, image, a->layer1);
    convolve_maps(n->weight2, a->layer1, a->layer2);
    connect(n->weight3, a->layer2, NEURONS2, a->layer3, n->hidden);
    connect(n->weight4, a->layer3, n->hidden, a->layer4, DIGITS);
}

/* Spread by the number of inputs, so that sums are of order 1: the curve bends, but neurons do not all saturate. */
static float *draw_weights(harness *h, int neurons, int weights, int inputs)
{
    const double most = SPREAD / sqrt(inputs);
    return harness_random_floats(h, (size_t)neurons * (size_t)weights, -most, most);
}

/* Solves the symmetric positive definite system a x = b for DIGITS right-hand sides at once, in place (Cholesky). */
static void solve(double *a, double *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double rest = a[i * n + j];
            for (int k = 0; k < j; k++)
                rest -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? sqrt(rest) : rest / a[j * n + j];
        }
    for (int d = 0; d < DIGITS; d++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++)
                b[i * DIGITS + d] -= a[i * n + k] * b[k * DIGITS + d];
            b[i * DIGITS + d] /= a[i * n + i];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++)
                b[i * DIGITS + d] -= a[k * n + i] * b[k * DIGITS + d];
            b[i * DIGITS + d] /= a[i * n + i];
        }
    }
}

/* The last layer learns by least squares: its sums should be 1 for the right digit, -1 for all others. */
static void fit_last_layer(harness *h, network *n)
{
    const int terms = n->hidden + 1;
    activity a = make_activity(h, n->hidden);
    float *const image = harness_host(h, NEURONS0, sizeof *image);
    double *const input = harness_host(h, (size_t)terms, sizeof *input);
    double *const gram = harness_host(h, (size_t)terms * (size_t)terms, sizeof *gram);
    double *const sums = harness_host(h, (size_t)terms * DIGITS, sizeof *sums);
    for (int i = 0; i < terms; i++)
        gram[i * terms + i] = RIDGE;
    for (int lesson = 0; lesson < n->lessons; lesson++) {
        draw(h, lesson % DIGITS, image);
        look(n, image, &a);
        for (int i = 0; i < terms; i++)
            input[i] = i == 0 ? 1 : a.layer3[i - 1];
        for (int i = 0; i < terms; i++) {
            for (int j = 0; j <= i; j++)
                gram[i * terms + j] += input[i] * input[j];
            for (int d = 0; d < DIGITS; d++)
                sums[i * DIGITS + d] += d == lesson % DIGITS ? input[i] : -input[i];
        }
    }
    solve(gram, sums, terms);
    for (int d = 0; d < DIGITS; d++)
        for (int i = 0; i < terms; i++)
            n->weight4[d * terms + i] = (float)sums[i * DIGITS + d];
}

static network make_network(harness *h, int hidden, int lessons)
{
    network n = {
        .hidden = hidden,
        .lessons = lessons,
        .weight1 = draw_weights(h, MAPS1, WEIGHTS1, WINDOW),
        .weight2 = draw_weights(h, MAPS2, WEIGHTS2, MAPS1 * WINDOW),
        .weight3 = draw_weights(h, hidden, WEIGHTS3, NEURONS2),
        .weight4 = harness_host(h, (size_t)(DIGITS * (1 + hidden)), sizeof *n.weight4),
    };
    fit_last_layer(h, &n);
    return n;
}

/* Copies a layer's neurons of all images back and compares them with `want`. */
static void check_layer(harness *h, const char *what, CUdeviceptr layer, const float *want, size_t n)
{
    float *const got = harness_host(h, n, sizeof *got);
    harness_download(h, got, layer, n * sizeof *got);
    harness_check_floats(h, what, got, want, n, 0, TOLERANCE);
}

static void append(float *to, int image, const double *layer, int neurons)
{
    for (int i = 0; i < neurons; i++)
        to[image * neurons + i] = (float)layer[i];
}

static int strongest(const double *output)
{
    int best = 0;
    for (int d = 1; d < DIGITS; d++)
        if (output[d] > output[best])
            best = d;
    return best;
}

/* The device's layers of all images. */
typedef struct layers {
    CUdeviceptr layer1, layer2, layer3, layer4;
} layers;

static layers classify(harness *h, const network *n, const float *image, int images)
{
    const size_t count = (size_t)images, hidden = (size_t)n->hidden, f = sizeof(float);
    CUdeviceptr pictures = harness_upload(h, image, count * NEURONS0 * f);
    CUdeviceptr weight1 = harness_upload(h, n->weight1, MAPS1 * WEIGHTS1 * f);
    CUdeviceptr weight2 = harness_upload(h, n->weight2, MAPS2 * WEIGHTS2 * f);
    CUdeviceptr weight3 = harness_upload(h, n->weight3, hidden * WEIGHTS3 * f);
    CUdeviceptr weight4 = harness_upload(h, n->weight4, DIGITS * (1 + hidden) * f);
    layers l = {
        .layer1 = harness_device(h, count * NEURONS1 * f),
        .layer2 = harness_device(h, count * NEURONS2 * f),
        .layer3 = harness_device(h, count * hidden * f),
        .layer4 = harness_device(h, count * DIGITS * f),
    };
    int neurons = n->hidden;
    HARNESS_LAUNCH(h, harness_kernel(h, "nn_convolve_image"), HARNESS_DIM(MAPS1, images), HARNESS_DIM(SIDE1, SIDE1), 0,
                   &pictures, &weight1, &l.layer1);
    HARNESS_LAUNCH(h, harness_kernel(h, "nn_convolve_maps"), HARNESS_DIM(MAPS2, images), HARNESS_DIM(SIDE2, SIDE2), 0,
                   &l.layer1, &weight2, &l.layer2);
    HARNESS_LAUNCH(h, harness_kernel(h, "nn_connect_maps"), HARNESS_DIM(neurons, images), HARNESS_DIM(1), 0, &l.layer2,
                   &weight3, &l.layer3);
    HARNESS_LAUNCH(h, harness_kernel(h, "nn_connect_hidden"), HARNESS_DIM(DIGITS, images), HARNESS_DIM(1), 0, &l.layer3,
                   &weight4, &l.layer4, &neurons);
    return l;
}

static void check(harness *h, const network *n, const float *image, int images, const layers *got)
{
    const size_t count = (size_t)images, hidden = (size_t)n->hidden;
    float *const layer1 = harness_host(h, count * NEURONS1, sizeof *layer1);
    float *const layer2 = harness_host(h, count * NEURONS2, sizeof *layer2);
    float *const layer3 = harness_host(h, count * hidden, sizeof *layer3);
    float *const layer4 = harness_host(h, count * DIGITS, sizeof *layer4);
    activity a = make_activity(h, n->hidden);
    int right = 0;
    for (int i = 0; i < images; i++) {
        look(n, image + i * NEURONS0, &a);
        append(layer1, i, a.layer1, NEURONS1);
        append(layer2, i, a.layer2, NEURONS2);
        append(layer3, i, a.layer3, n->hidden);
        append(layer4, i, a.layer4, DIGITS);
        right += strongest(a.layer4) == i % DIGITS;
    }
    check_layer(h, "layer1", got->layer1, layer1, count * NEURONS1);
    check_layer(h, "layer2", got->layer2, layer2, count * NEURONS2);
    check_layer(h, "layer3", got->layer3, layer3, count * hidden);
    check_layer(h, "layer4", got->layer4, layer4, count * DIGITS);
    /* Nine in ten are usual, one in ten is chance; a few digits, or neurons, as at the smallest scale, say nothing. */
    if (images >= DIGITS && n->hidden >= USUAL && 2 * right < images)
        harness_wrong(h, "the network reads only %d of %d digits", right, images);
}

static const harness_size input_sizes[] = {
    {"images", "pictures of digits, a row of each grid", {2, 10, 28}, 1, 1000, 1},
    {"hidden", "neurons of the third layer", {5, USUAL, USUAL}, 1, 500, 1},
    {0},
};

static void run(harness *h)
{
    const int images = (int)harness_get_size(h, "images");
    const network n = make_network(h, (int)harness_get_size(h, "hidden"), (int)harness_pick(h, 50, 500, 500));
    float *const image = harness_host(h, (size_t)images * NEURONS0, sizeof *image);
    for (int i = 0; i < images; i++)
        draw(h, i % DIGITS, image + i * NEURONS0);
    const layers got = classify(h, &n, image, images);
    check(h, &n, image, images, &got);
}

HARNESS_WORKLOAD_OF("NN", "data/workloads/neural/neural.ptx", run, input_sizes)
