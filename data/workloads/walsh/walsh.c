/* walsh.c - FWT, host side: convolves signals with kernels by Walsh transforms on the device, and by definition
 * here. */
#include "data/workloads/harness/harness.h"

enum { THREADS = 256, SHARED_LOG2 = 11, TAPS = 128 };

/* A result is a sum of TAPS products of values below 1 that went through transforms of up to 2^13 values: roundings
 * of 6e-8 of sums of that many terms, divided by as many, stay below this, absolutely. */
static const double TOLERANCE = 1e-4;

typedef struct kernels {
    CUfunction global, shared, multiply;
} kernels;

static void transform(harness *h, const kernels *k, CUdeviceptr values, int log2n, int signals)
{
    int piece = log2n;
    for (; piece > SHARED_LOG2; piece -= 2) {
        unsigned stride = 1u << (piece - 2);
        const long threads = (long)signals << (log2n - 2);
        HARNESS_LAUNCH(h, k->global, HARNESS_DIM(threads / THREADS), HARNESS_DIM(THREADS), 0, &values, &stride);
    }
    unsigned log2_piece = (unsigned)piece;
    HARNESS_LAUNCH(h, k->shared, HARNESS_DIM((long)signals << (log2n - piece)), HARNESS_DIM(1 << (piece - 2)),
                   (unsigned)sizeof(float) << piece, &values, &log2_piece);
}

/* result[i] = sum over j of signal[i xor j] * taps[j]; taps are zero from TAPS on. */
static void convolve(const float *signal, const float *taps, float *result, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        double sum = 0;
        for (unsigned j = 0; j < TAPS; j++)
            sum += (double)signal[i ^ j] * taps[j];
        result[i] = (float)sum;
    }
}

static const harness_size input_sizes[] = {
    {"log2n", "values of a signal, as a power of 2", {12, 13, 13}, SHARED_LOG2, 20, 1},
    {"signals", "signals that are convolved", {1, 1, 2}, 1, 64, 1},
    {0},
};

static void run(harness *h)
{
    const int log2n = (int)harness_get_size(h, "log2n"), signals = (int)harness_get_size(h, "signals");
    const unsigned n = 1u << log2n;
    const size_t all = (size_t)signals * n, bytes = all * sizeof(float);
    const float *signal = harness_random_floats(h, all, 0, 1);
    float *taps = harness_host(h, all, sizeof *taps);
    float *got = harness_host(h, all, sizeof *got), *want = harness_host(h, all, sizeof *want);
    for (size_t i = 0; i < all; i++)
        if (i % n < TAPS)
            taps[i] = (float)harness_uniform(h, 0, 1);

    const kernels k = {harness_kernel(h, "fwt_global"), harness_kernel(h, "fwt_shared"),
                       harness_kernel(h, "fwt_multiply")};
    CUdeviceptr d_signal = harness_upload(h, signal, bytes), d_taps = harness_upload(h, taps, bytes);
    unsigned count = (unsigned)all;
    float scale = 1.0f / (float)n; /* a transform there and back multiplies by n */
    transform(h, &k, d_signal, log2n, signals);
    transform(h, &k, d_taps, log2n, signals);
    HARNESS_LAUNCH(h, k.multiply, HARNESS_DIM(all / 2 / THREADS), HARNESS_DIM(THREADS), 0, &d_signal, &d_taps, &count,
                   &scale);
    transform(h, &k, d_signal, log2n, signals);
    harness_download(h, got, d_signal, bytes);

    for (int s = 0; s < signals; s++)
        convolve(signal + (size_t)s * n, taps + (size_t)s * n, want + (size_t)s * n, n);
    harness_check_floats(h, "convolution", got, want, all, 0, TOLERANCE);
}

HARNESS_WORKLOAD_OF("FWT", "data/workloads/walsh/walsh.ptx", run, input_sizes)
