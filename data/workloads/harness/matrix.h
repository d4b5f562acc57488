/* matrix.h - matrices whose rows stand a pitch of one's own apart in device memory, and products of them on the CPU.
 *
 * The pitch is what the lanes of a warp are apart when each has a row of its own. It is chosen by itself, so that few
 * and short rows meet a cache as those of a large matrix do. */
#ifndef WS_HARNESS_MATRIX_H
#define WS_HARNESS_MATRIX_H

#include "data/workloads/harness/harness.h"

#include <math.h>

typedef struct harness_matrix {
    long rows, columns, pitch; /* pitch: floats from a row to the next on the device */
    float *at;                 /* on the host, where rows are `columns` apart; the harness's */
    CUdeviceptr device;
} harness_matrix;

/* Copies the host's elements to the device. What lies between rows there is left alone. */
static inline void harness_write_matrix(harness *h, const harness_matrix *m)
{
    const size_t bytes = (size_t)m->columns * sizeof *m->at;
    if (m->pitch == m->columns)
        harness_write(h, m->device, m->at, (size_t)m->rows * bytes);
    else
        for (long i = 0; i < m->rows; i++)
            harness_write(h, m->device + (size_t)(i * m->pitch) * sizeof *m->at, m->at + i * m->columns, bytes);
}

/* Zeros on the host, and room on the device; refuses a pitch that is less than a row. */
static inline harness_matrix harness_make_matrix(harness *h, long rows, long columns, long pitch)
{
    if (pitch < columns)
        harness_refuse(h, "pitch=%ld is less than the %ld floats of a row", pitch, columns);
    return (harness_matrix){.rows = rows,
                            .columns = columns,
                            .pitch = pitch,
                            .at = harness_host(h, (size_t)(rows * columns), sizeof(float)),
                            .device = harness_device(h, (size_t)(rows * pitch) * sizeof(float))};
}

/* The same with random elements, on the device, too. */
static inline harness_matrix harness_random_matrix(harness *h, long rows, long columns, long pitch, double low,
                                                   double high)
{
    const harness_matrix m = harness_make_matrix(h, rows, columns, pitch);
    for (long i = 0; i < rows * columns; i++)
        m.at[i] = (float)harness_uniform(h, low, high);
    harness_write_matrix(h, &m);
    return m;
}

/* Blocks of `size` threads that n threads need, in one dimension. */
static inline long harness_blocks(long n, long size)
{
    return (n + size - 1) / size;
}

/* Blocks that a grid has at most in its second and third dimension (CUDA C++ Programming Guide, Technical
 * Specifications per Compute Capability). */
enum { HARNESS_MOST_BLOCKS = 65535 };

/* What the device has, rows `columns` apart: rows * columns floats, the harness's. */
static inline float *harness_read_matrix(harness *h, const harness_matrix *m)
{
    float *const got = harness_host(h, (size_t)(m->rows * m->columns), sizeof *got);
    const size_t bytes = (size_t)m->columns * sizeof *got;
    for (long i = 0; i < m->rows; i++)
        harness_download(h, got + i * m->columns, m->device + (size_t)(i * m->pitch) * sizeof *got, bytes);
    return got;
}

/* a * x and x * a in double precision, rounded once. */
static inline float *harness_rows_on_cpu(harness *h, const harness_matrix *a, const float *x)
{
    float *const product = harness_host(h, (size_t)a->rows, sizeof *product);
    for (long i = 0; i < a->rows; i++) {
        double sum = 0;
        for (long j = 0; j < a->columns; j++)
            sum += (double)a->at[i * a->columns + j] * (double)x[j];
        product[i] = (float)sum;
    }
    return product;
}

static inline float *harness_columns_on_cpu(harness *h, const harness_matrix *a, const float *x)
{
    float *const product = harness_host(h, (size_t)a->columns, sizeof *product);
    double *const sum = harness_host(h, (size_t)a->columns, sizeof *sum);
    for (long i = 0; i < a->rows; i++)
        for (long j = 0; j < a->columns; j++)
            sum[j] += (double)a->at[i * a->columns + j] * (double)x[i];
    for (long j = 0; j < a->columns; j++)
        product[j] = (float)sum[j];
    return product;
}

/* c = a * b in double precision, each element rounded once; only the host's elements. */
static inline void harness_multiply_on_cpu(harness *h, const harness_matrix *c, const harness_matrix *a,
                                           const harness_matrix *b)
{
    double *const row = harness_host(h, (size_t)c->columns, sizeof *row);
    for (long i = 0; i < c->rows; i++) {
        for (long j = 0; j < c->columns; j++)
            row[j] = 0;
        for (long k = 0; k < a->columns; k++)
            for (long j = 0; j < c->columns; j++)
                row[j] += (double)a->at[i * a->columns + k] * (double)b->at[k * b->columns + j];
        for (long j = 0; j < c->columns; j++)
            c->at[i * c->columns + j] = (float)row[j];
    }
}

/* The same, and on the device by kernel(a, b, c, rows, inner, columns, pitch), an element per thread. */
static inline void harness_multiply(harness *h, const char *kernel, harness_dim block, const harness_matrix *c,
                                    const harness_matrix *a, const harness_matrix *b)
{
    CUdeviceptr d_a = a->device, d_b = b->device, d_c = c->device;
    int rows = (int)c->rows, inner = (int)a->columns, columns = (int)c->columns, pitch = (int)c->pitch;
    HARNESS_LAUNCH(h, harness_kernel(h, kernel),
                   HARNESS_DIM(harness_blocks(columns, block.x), harness_blocks(rows, block.y)), block, 0, &d_a, &d_b,
                   &d_c, &rows, &inner, &columns, &pitch);
    harness_multiply_on_cpu(h, c, a, b);
}

/* Compares the device's elements with the host's. */
static inline void harness_check_matrix(harness *h, const char *what, const harness_matrix *m, double relative,
                                        double absolute)
{
    harness_check_floats(h, what, harness_read_matrix(h, m), m->at, (size_t)(m->rows * m->columns), relative, absolute);
}

/* How far a sum of n terms of one sign in single precision may be off, relative. Each addition rounds by 2^-24 of what
 * it has so far at most, and roundings do not know of each other: they add up as the root of n. This is five times
 * that, and less than a term of a sum of up to ten thousand. */
static inline double harness_sum_tolerance(long n)
{
    return 3e-7 * sqrt((double)n);
}

#endif
