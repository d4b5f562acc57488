/* scalarprod.c - SP: what does a tree of sums in shared memory cost next to the stream of products that it ends? Host
 * side of scalarprod.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { SUMS = 1024, THREADS = 256 };

/* Products in double precision; returns the largest sum of absolute values. */
static double multiply_on_cpu(const float *a, const float *b, float *product, long pairs, long length)
{
    double most = 0;
    for (long pair = 0; pair < pairs; pair++) {
        double sum = 0, absolute = 0;
        for (long i = pair * length; i < (pair + 1) * length; i++) {
            const double p = (double)a[i] * b[i];
            sum += p;
            absolute += fabs(p);
        }
        product[pair] = (float)sum;
        most = fmax(most, absolute);
    }
    return most;
}

static void run(harness *h)
{
    int pairs = (int)harness_pick(h, 20, 1024, 256), length = (int)harness_pick(h, 1500, 8192, 4096);
    const size_t n = (size_t)pairs * (size_t)length;
    const double least = (double)harness_pick(h, -1, -1, 0); /* the original's are from 0 to 1 */
    const float *const a = harness_random_floats(h, n, least, 1), *const b = harness_random_floats(h, n, least, 1);
    float *const got = harness_host(h, (size_t)pairs, sizeof *got);
    float *const want = harness_host(h, (size_t)pairs, sizeof *want);

    CUdeviceptr d_a = harness_upload(h, a, n * sizeof *a), d_b = harness_upload(h, b, n * sizeof *b);
    CUdeviceptr d_product = harness_device(h, (size_t)pairs * sizeof *got);
    HARNESS_LAUNCH(h, harness_kernel(h, "sp_products"), HARNESS_DIM(harness_pick(h, 8, 128, 128)), HARNESS_DIM(THREADS),
                   0, &d_a, &d_b, &d_product, &pairs, &length);
    harness_download(h, got, d_product, (size_t)pairs * sizeof *got);

    /* A product takes part in one rounding of each addition from its partial sum to the root of the tree, and in its
     * own and the last. */
    const double most = multiply_on_cpu(a, b, want, pairs, length);
    const double roundings = ceil((double)length / SUMS) + log2(SUMS) + 2;
    harness_check_floats(h, "product", got, want, (size_t)pairs, 0, roundings * 0x1p-24 * most);
}

HARNESS_WORKLOAD("SP", "data/workloads/scalarprod/scalarprod.ptx", run)
