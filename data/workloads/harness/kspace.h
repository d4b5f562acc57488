/* kspace.h - where are the samples and the voxels of a magnetic resonance scan, and what is a sum of waves over them?
 * Shared by MRIQ and MRIF.
 *
 * Samples lie on straight spokes through the centre of k-space, in random directions. Voxels are the points of a cube
 * with `side` of them a side, from -1/2 to 1/2; their coordinates are handed out one voxel after another, x fastest, as
 * a device without a regular grid would need them. */
#ifndef WS_WORKLOAD_KSPACE_H
#define WS_WORKLOAD_KSPACE_H

#include "data/workloads/harness/harness.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef struct kspace {
    unsigned samples, side;
    size_t voxels;
    float *kx, *ky, *kz; /* samples: cycles over the cube */
    float *x, *y, *z;    /* voxels */
} kspace;

enum { KSPACE_SPOKE = 32 }; /* samples a spoke */

static inline void kspace_place_samples(harness *h, const kspace *s)
{
    double x = 0, y = 0, z = 1;
    for (unsigned k = 0; k < s->samples; k++) {
        if (k % KSPACE_SPOKE == 0) {
            const double turn = harness_uniform(h, 0, 2 * M_PI);
            z = harness_uniform(h, -1, 1);
            x = sqrt(1 - z * z) * cos(turn);
            y = sqrt(1 - z * z) * sin(turn);
        }
        /* The highest frequency that the voxels can hold is half a cycle a voxel. */
        const double radius = (2 * (k % KSPACE_SPOKE + 0.5) / KSPACE_SPOKE - 1) * s->side / 2;
        s->kx[k] = (float)(radius * x);
        s->ky[k] = (float)(radius * y);
        s->kz[k] = (float)(radius * z);
    }
}

/* Coordinate number i of an axis. */
static inline float kspace_axis(const kspace *s, size_t i)
{
    return (float)(((double)i + 0.5) / s->side - 0.5);
}

static inline kspace kspace_make(harness *h, unsigned samples, unsigned side)
{
    kspace s = {.samples = samples, .side = side, .voxels = (size_t)side * side * side};
    float **const of_samples[] = {&s.kx, &s.ky, &s.kz}, **const of_voxels[] = {&s.x, &s.y, &s.z};
    for (int axis = 0; axis < 3; axis++) {
        *of_samples[axis] = harness_host(h, s.samples, sizeof(float));
        *of_voxels[axis] = harness_host(h, s.voxels, sizeof(float));
    }
    kspace_place_samples(h, &s);
    for (size_t i = 0; i < s.voxels; i++) {
        s.x[i] = kspace_axis(&s, i % side);
        s.y[i] = kspace_axis(&s, i / side % side);
        s.z[i] = kspace_axis(&s, i / side / side);
    }
    return s;
}

/* wave[i] = exp(2 pi i k x) at the points of an axis. */
static inline void kspace_wave(const kspace *s, double k, double complex *wave)
{
    for (size_t i = 0; i < s->side; i++)
        wave[i] = cexp(2 * M_PI * k * kspace_axis(s, i) * I);
}

/* Samples as a kernel reads them from constant memory. */
typedef struct kspace_samples {
    const char *kernel, *symbol; /* kernel(x, y, z, re, im, samples); symbol: room for `most` of them */
    size_t most;
    const void *sample; /* [samples] of `bytes` */
    size_t bytes;
} kspace_samples;

/* Sums for all voxels, `chunk` samples a launch; each adds to the sums that the one before left. re, im: zeros. */
static inline void kspace_sum_on_device(harness *h, const kspace *s, const kspace_samples *of, unsigned chunk,
                                        float *re, float *im)
{
    enum { THREADS = 256 };
    const size_t bytes = s->voxels * sizeof *re;
    CUdeviceptr x = harness_upload(h, s->x, bytes), y = harness_upload(h, s->y, bytes);
    CUdeviceptr z = harness_upload(h, s->z, bytes);
    CUdeviceptr d_re = harness_upload(h, re, bytes), d_im = harness_upload(h, im, bytes);
    const CUfunction sum = harness_kernel(h, of->kernel);
    const CUdeviceptr constant = harness_symbol(h, of->symbol, of->most * of->bytes);

    for (unsigned first = 0; first < s->samples; first += chunk) {
        unsigned count = s->samples - first < chunk ? s->samples - first : chunk;
        harness_write(h, constant, (const char *)of->sample + first * of->bytes, count * of->bytes);
        HARNESS_LAUNCH(h, sum, HARNESS_DIM(s->voxels / THREADS), HARNESS_DIM(THREADS), 0, &x, &y, &z, &d_re, &d_im,
                       &count);
    }
    harness_download(h, re, d_re, bytes);
    harness_download(h, im, d_im, bytes);
}

/* The sum that the devices do, by another algorithm: a wave on a cube is a product of three waves on its axes, so few
 * sines are needed, and all is in double precision. sum: re and im of each voxel. */
static inline double *kspace_sum(harness *h, const kspace *s, const double complex *weight)
{
    double *const sum = harness_host(h, 2 * s->voxels, sizeof *sum);
    double complex *const x = harness_host(h, 3 * (size_t)s->side, sizeof *x), *const y = x + s->side,
                          *const z = y + s->side;
    for (unsigned k = 0; k < s->samples; k++) {
        kspace_wave(s, s->kx[k], x);
        kspace_wave(s, s->ky[k], y);
        kspace_wave(s, s->kz[k], z);
        double *out = sum;
        for (size_t row = 0; row < (size_t)s->side * s->side; row++) {
            const double complex w = weight[k] * y[row % s->side] * z[row / s->side];
            const double re = creal(w), im = cimag(w);
            for (size_t i = 0; i < s->side; i++, out += 2) {
                out[0] += re * creal(x[i]) - im * cimag(x[i]);
                out[1] += re * cimag(x[i]) + im * creal(x[i]);
            }
        }
    }
    return sum;
}

/* By how much may a sum of waves in single precision be off? An angle is at most pi * side * sqrt(3) / 2, mostly far
 * less; a few roundings at 2^-24 of its own size are one of the largest. Sine and cosine are right to 2^-22 or so on
 * average. Errors of the samples have random signs, so they add like the root of the sum of squares; six of these are
 * never seen. */
static inline double kspace_tolerance(const kspace *s, const double complex *weight)
{
    const double error = 0x1p-24 * M_PI * s->side * sqrt(3) / 2 + 0x1p-22;
    double squares = 0;
    for (unsigned k = 0; k < s->samples; k++)
        squares += creal(weight[k] * conj(weight[k]));
    return 6 * error * sqrt(squares);
}

static inline void kspace_check(harness *h, const kspace *s, const double complex *weight, const float *re,
                                const float *im)
{
    const double *const want = kspace_sum(h, s, weight);
    const double tolerance = kspace_tolerance(s, weight);
    for (size_t i = 0; i < s->voxels; i++)
        if (!(fabs(re[i] - want[2 * i]) <= tolerance && fabs(im[i] - want[2 * i + 1]) <= tolerance))
            harness_wrong(h, "voxel %zu is %.9g%+.9gi, not %.9g%+.9gi", i, re[i], im[i], want[2 * i], want[2 * i + 1]);
}

#endif
