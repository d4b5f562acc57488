/* mriq.c - MRIQ, host side: random spokes through k-space, and the same sums by products of waves in double
 * precision. */
#include "data/workloads/harness/kspace.h"

enum { CHUNK = 1024, MAGNITUDE_THREADS = 512 }; /* CHUNK: as in mriq.cu */

static const double ROUNDING = 4 * 0x1p-24; /* of a sum of two squares */

/* What the device reads, in the layout of mriq.cu. */
typedef struct sample {
    float x, y, z, weight;
} sample;

static void magnitudes(harness *h, unsigned samples, const float *re, const float *im, float *got)
{
    const size_t bytes = samples * sizeof *got;
    CUdeviceptr d_re = harness_upload(h, re, bytes), d_im = harness_upload(h, im, bytes);
    CUdeviceptr d_got = harness_device(h, bytes);
    HARNESS_LAUNCH(h, harness_kernel(h, "mriq_magnitude"), HARNESS_DIM((samples - 1) / MAGNITUDE_THREADS + 1),
                   HARNESS_DIM(MAGNITUDE_THREADS), 0, &d_re, &d_im, &d_got, &samples);
    harness_download(h, got, d_got, bytes);
}

static void sums(harness *h, const kspace *s, unsigned chunk, const float *weight, float *re, float *im)
{
    sample *const of = harness_host(h, s->samples, sizeof *of);
    for (unsigned k = 0; k < s->samples; k++)
        of[k] = (sample){s->kx[k], s->ky[k], s->kz[k], weight[k]};
    kspace_sum_on_device(h, s, &(kspace_samples){"mriq_sum", "mriq_samples", CHUNK, of, sizeof *of}, chunk, re, im);
}

static void run(harness *h)
{
    const unsigned side = (unsigned)harness_pick(h, 8, 32, 64), chunk = (unsigned)harness_pick(h, 25, 250, 500);
    const kspace s = kspace_make(h, (unsigned)harness_pick(h, 48, 499, 999), side);
    const float *const phi_re = harness_random_floats(h, s.samples, -1, 1);
    const float *const phi_im = harness_random_floats(h, s.samples, -1, 1);
    float *const magnitude = harness_host(h, s.samples, sizeof *magnitude);
    float *const want = harness_host(h, s.samples, sizeof *want);
    double complex *const weight = harness_host(h, s.samples, sizeof *weight);
    float *const re = harness_host(h, s.voxels, sizeof *re), *const im = harness_host(h, s.voxels, sizeof *im);

    magnitudes(h, s.samples, phi_re, phi_im, magnitude);
    for (unsigned k = 0; k < s.samples; k++) {
        weight[k] = (double)phi_re[k] * phi_re[k] + (double)phi_im[k] * phi_im[k];
        want[k] = (float)creal(weight[k]);
    }
    harness_check_floats(h, "magnitude", magnitude, want, s.samples, ROUNDING, 0);

    sums(h, &s, chunk, magnitude, re, im);
    kspace_check(h, &s, weight, re, im);
}

HARNESS_WORKLOAD("MRIQ", "data/workloads/mriq/mriq.ptx", run)
