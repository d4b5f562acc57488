/* six.h - the six kernels with which instrumented execution is measured: their launches, inputs and CPU references.
 *
 * Included by bench/bench_six.c and by the test of exact counts. Sizes are those of the usual OpenCL comparison:
 * vector add of 2^20 elements; reduction and histogram of 2^20 elements by 16384 threads in blocks of 256; Collatz of
 * 2^16 starts; two 256 x 256 matrix products in blocks of 16 x 16. Inputs are small whole numbers, so that float
 * results are exact. */
#ifndef BENCH_SIX_H
#define BENCH_SIX_H

#include "base/status.h"
#include "collect/simt/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIX_KERNELS = 6, SIX_BUFFERS = 3, SIX_N = 1 << 20, SIX_STARTS = 1 << 16, SIX_SIDE = 256, SIX_BINS = 256 };

typedef struct six_kernel {
    const char *name;
    uint32_t grid[3], block[3];
    uint32_t buffers; /* pointers in front of the one int parameter; the last one is the result */
    uint64_t bytes[SIX_BUFFERS];
    int32_t n;                                           /* the int parameter */
    void (*fill)(void *const host[SIX_BUFFERS]);         /* inputs, and the result's initial content */
    const char *(*check)(void *const host[SIX_BUFFERS]); /* NULL, or what is wrong */
} six_kernel;

/* ---- inputs and references ---- */

static inline float six_element(uint32_t i, uint32_t stride)
{
    return (float)((i * stride) % 7) - 3.0f;
}

static inline void six_fill_sum(void *const host[SIX_BUFFERS])
{
    float *const a = host[0], *const b = host[1];
    for (uint32_t i = 0; i < SIX_N; i++) {
        a[i] = six_element(i, 5);
        b[i] = six_element(i, 3);
    }
    memset(host[2], 0xff, SIX_N * sizeof(float));
}

static inline const char *six_check_sum(void *const host[SIX_BUFFERS])
{
    const float *const c = host[2];
    for (uint32_t i = 0; i < SIX_N; i++)
        if (c[i] != six_element(i, 5) + six_element(i, 3))
            return "an element of the sum is wrong";
    return NULL;
}

static inline void six_fill_reduction(void *const host[SIX_BUFFERS])
{
    float *const in = host[0];
    for (uint32_t i = 0; i < SIX_N; i++)
        in[i] = six_element(i, 5);
    memset(host[1], 0xff, 64 * sizeof(float));
}

static inline const char *six_check_reduction(void *const host[SIX_BUFFERS])
{
    const float *const out = host[1];
    for (uint32_t block = 0; block < 64; block++) {
        float sum = 0;
        for (uint32_t i = 0; i < SIX_N; i++)
            if (i / 256 % 64 == block)
                sum += six_element(i, 5);
        if (out[block] != sum)
            return "a block's sum is wrong";
    }
    return NULL;
}

static inline uint32_t six_bin(uint32_t i)
{
    return (i * 2654435761u) >> 24;
}

static inline void six_fill_histogram(void *const host[SIX_BUFFERS])
{
    int32_t *const in = host[0];
    for (uint32_t i = 0; i < SIX_N; i++)
        in[i] = (int32_t)six_bin(i);
    memset(host[1], 0, SIX_BINS * sizeof(int32_t));
}

static inline const char *six_check_histogram(void *const host[SIX_BUFFERS])
{
    int32_t count[SIX_BINS] = {0};
    for (uint32_t i = 0; i < SIX_N; i++)
        count[six_bin(i)]++;
    return memcmp(count, host[1], sizeof count) ? "a bin is wrong" : NULL;
}

static inline void six_fill_collatz(void *const host[SIX_BUFFERS])
{
    memset(host[0], 0xff, SIX_STARTS * sizeof(int32_t));
}

/* Steps from start to 1, and how many of them are at an odd number. */
static inline int32_t six_collatz(uint64_t start, uint64_t *odd_steps)
{
    int32_t steps = 0;
    uint64_t odd = 0;
    for (uint64_t x = start; x != 1; steps++) {
        odd += x & 1;
        x = x & 1 ? 3 * x + 1 : x / 2;
    }
    if (odd_steps)
        *odd_steps = odd;
    return steps;
}

static inline const char *six_check_collatz(void *const host[SIX_BUFFERS])
{
    const int32_t *const steps = host[0];
    for (uint32_t i = 0; i < SIX_STARTS; i++)
        if (steps[i] != six_collatz(i + 1, NULL))
            return "a number of steps is wrong";
    return NULL;
}

static inline void six_fill_product(void *const host[SIX_BUFFERS])
{
    float *const a = host[0], *const b = host[1];
    for (uint32_t i = 0; i < SIX_SIDE * SIX_SIDE; i++) {
        a[i] = six_element(i, 5);
        b[i] = six_element(i, 3);
    }
    memset(host[2], 0xff, SIX_SIDE * SIX_SIDE * sizeof(float));
}

/* The product in plain C, also the loop that other times are compared with. */
static inline void six_multiply(const float *a, const float *b, float *c)
{
    for (uint32_t row = 0; row < SIX_SIDE; row++)
        for (uint32_t column = 0; column < SIX_SIDE; column++) {
            float sum = 0;
            for (uint32_t k = 0; k < SIX_SIDE; k++)
                sum += a[row * SIX_SIDE + k] * b[k * SIX_SIDE + column];
            c[row * SIX_SIDE + column] = sum;
        }
}

static inline const char *six_check_product(void *const host[SIX_BUFFERS])
{
    float *const c = malloc(SIX_SIDE * SIX_SIDE * sizeof *c);
    if (!c)
        return "memory is short";
    six_multiply(host[0], host[1], c);
    const bool same = memcmp(c, host[2], SIX_SIDE * SIX_SIDE * sizeof *c) == 0;
    free(c);
    return same ? NULL : "an element of the product is wrong";
}

#define SIX_MATRIX (SIX_SIDE * SIX_SIDE * sizeof(float))
#define SIX_VECTOR (SIX_N * sizeof(float))

static const six_kernel six_kernels[SIX_KERNELS] = {
    {"vector_add",
     {SIX_N / 256, 1, 1},
     {256, 1, 1},
     3,
     {SIX_VECTOR, SIX_VECTOR, SIX_VECTOR},
     SIX_N,
     six_fill_sum,
     six_check_sum},
    {"reduction",
     {64, 1, 1},
     {256, 1, 1},
     2,
     {SIX_VECTOR, 64 * sizeof(float), 0},
     SIX_N,
     six_fill_reduction,
     six_check_reduction},
    {"histogram",
     {64, 1, 1},
     {256, 1, 1},
     2,
     {SIX_VECTOR, SIX_BINS * 4, 0},
     SIX_N,
     six_fill_histogram,
     six_check_histogram},
    {"collatz",
     {SIX_STARTS / 256, 1, 1},
     {256, 1, 1},
     1,
     {SIX_STARTS * 4, 0, 0},
     SIX_STARTS,
     six_fill_collatz,
     six_check_collatz},
    {"matmul_tiled",
     {16, 16, 1},
     {16, 16, 1},
     3,
     {SIX_MATRIX, SIX_MATRIX, SIX_MATRIX},
     SIX_SIDE,
     six_fill_product,
     six_check_product},
    {"matmul_naive",
     {16, 16, 1},
     {16, 16, 1},
     3,
     {SIX_MATRIX, SIX_MATRIX, SIX_MATRIX},
     SIX_SIDE,
     six_fill_product,
     six_check_product},
};

/* ---- one kernel on a device ---- */

typedef struct six_job {
    const six_kernel *kernel;
    ws_device *device;
    ws_module *module;
    ws_kernel *code;
    uint64_t address[SIX_BUFFERS];
    unsigned char params[SIX_BUFFERS * 8 + 4];
} six_job;

static inline void six_close(six_job *job)
{
    ws_device_destroy(job->device);
    ws_module_destroy(job->module);
    memset(job, 0, sizeof *job);
}

/* Loads folder/NAME.ptx and places the buffers. Close the job also when this fails. */
static inline int six_open(six_job *job, const six_kernel *kernel, const char *folder, unsigned workers)
{
    char path[512];
    ws_image *image;
    *job = (six_job){.kernel = kernel};
    snprintf(path, sizeof path, "%s/%s.ptx", folder, kernel->name);
    int status = ws_ptx_load(path, &job->module);
    if (!status)
        status = ws_device_create(&(ws_device_options){.workers = workers}, &job->device);
    if (!status)
        status = ws_image_load(job->device, job->module, &image);
    if (!status)
        status = ws_image_kernel(image, kernel->name, &job->code);
    for (uint32_t i = 0; i < kernel->buffers && !status; i++) {
        status = ws_device_alloc(job->device, kernel->bytes[i], &job->address[i]);
        memcpy(job->params + 8 * i, &job->address[i], 8);
    }
    memcpy(job->params + 8 * (size_t)kernel->buffers, &kernel->n, 4);
    return status;
}

static inline void six_host(const six_job *job, void *host[SIX_BUFFERS])
{
    for (uint32_t i = 0; i < job->kernel->buffers; i++)
        host[i] = ws_device_pointer(job->device, job->address[i], job->kernel->bytes[i]);
}

/* Fresh inputs, and the shape and parameters of the launch; then comes ws_kernel_run(job->code, run, ...). */
static inline void six_prepare(const six_job *job, ws_run *run)
{
    void *host[SIX_BUFFERS] = {NULL};
    six_host(job, host);
    job->kernel->fill(host);
    memcpy(run->grid, job->kernel->grid, sizeof run->grid);
    memcpy(run->block, job->kernel->block, sizeof run->block);
    run->params = job->params;
}

static inline int six_verify(const six_job *job)
{
    void *host[SIX_BUFFERS] = {NULL};
    six_host(job, host);
    const char *const wrong = job->kernel->check(host);
    return wrong ? ws_fail(WS_EVERIFY, "%s: %s", job->kernel->name, wrong) : WS_OK;
}

#endif
