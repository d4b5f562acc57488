/* mrifhd.c - MRIF, host side: random measurements along spokes through k-space, and the same sums by products of waves
 * in double precision. */
#include "data/workloads/harness/kspace.h"

enum { CHUNK = 512, PRODUCT_THREADS = 512 }; /* CHUNK: as in mrifhd.cu */

static const double ROUNDING = 4 * 0x1p-24; /* of a sum of two products, each at most 1 */

/* What the device reads, in the layout of mrifhd.cu. */
typedef struct sample {
    float x, y, z, re, im;
} sample;

/* A complex number a sample. */
typedef struct signal {
    float *re, *im;
} signal;

static signal random_signal(harness *h, unsigned samples)
{
    signal s = {.re = harness_random_floats(h, samples, -1, 1)};
    s.im = harness_random_floats(h, samples, -1, 1);
    return s;
}

static void products(harness *h, unsigned samples, const signal *phi, const signal *data, const signal *got)
{
    const size_t bytes = samples * sizeof(float);
    CUdeviceptr phi_re = harness_upload(h, phi->re, bytes), phi_im = harness_upload(h, phi->im, bytes);
    CUdeviceptr data_re = harness_upload(h, data->re, bytes), data_im = harness_upload(h, data->im, bytes);
    CUdeviceptr re = harness_device(h, bytes), im = harness_device(h, bytes);
    HARNESS_LAUNCH(h, harness_kernel(h, "mrif_product"), HARNESS_DIM((samples - 1) / PRODUCT_THREADS + 1),
                   HARNESS_DIM(PRODUCT_THREADS), 0, &phi_re, &phi_im, &data_re, &data_im, &re, &im, &samples);
    harness_download(h, got->re, re, bytes);
    harness_download(h, got->im, im, bytes);
}

/* Compares with conj(phi) data, and leaves that in weight. */
static void check_products(harness *h, unsigned samples, const signal *phi, const signal *data, const signal *got,
                           double complex *weight)
{
    float *const re = harness_host(h, samples, sizeof *re), *const im = harness_host(h, samples, sizeof *im);
    for (unsigned k = 0; k < samples; k++) {
        weight[k] = (phi->re[k] - (double)phi->im[k] * I) * (data->re[k] + (double)data->im[k] * I);
        re[k] = (float)creal(weight[k]);
        im[k] = (float)cimag(weight[k]);
    }
    harness_check_floats(h, "product_re", got->re, re, samples, 0, ROUNDING);
    harness_check_floats(h, "product_im", got->im, im, samples, 0, ROUNDING);
}

static void sums(harness *h, const kspace *s, unsigned chunk, const signal *weight, float *re, float *im)
{
    sample *const of = harness_host(h, s->samples, sizeof *of);
    for (unsigned k = 0; k < s->samples; k++)
        of[k] = (sample){s->kx[k], s->ky[k], s->kz[k], weight->re[k], weight->im[k]};
    kspace_sum_on_device(h, s, &(kspace_samples){"mrif_sum", "mrif_samples", CHUNK, of, sizeof *of}, chunk, re, im);
}

static void run(harness *h)
{
    const unsigned side = (unsigned)harness_pick(h, 8, 32, 64), chunk = (unsigned)harness_pick(h, 14, 120, 150);
    const kspace s = kspace_make(h, (unsigned)harness_pick(h, 40, 475, 599), side);
    const signal phi = random_signal(h, s.samples), data = random_signal(h, s.samples);
    const signal weight = {harness_host(h, s.samples, sizeof(float)), harness_host(h, s.samples, sizeof(float))};
    double complex *const want = harness_host(h, s.samples, sizeof *want);
    float *const re = harness_host(h, s.voxels, sizeof *re), *const im = harness_host(h, s.voxels, sizeof *im);

    products(h, s.samples, &phi, &data, &weight);
    check_products(h, s.samples, &phi, &data, &weight, want);
    sums(h, &s, chunk, &weight, re, im);
    kspace_check(h, &s, want, re, im);
}

HARNESS_WORKLOAD("MRIF", "data/workloads/mrifhd/mrifhd.ptx", run)
