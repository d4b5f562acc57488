/* matrix.h - matrices whose rows stand a pitch of one's own apart in device memory, and products of them on the CPU.
 *
 * The pitch is what the lanes of a warp are apart when each has a row of its own. It is chosen by itself, so that few and short rows
 * meet a cache as those of a large matrix do. */
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

/* Random elements on host and device; refuses a pitch that is less than a row. */
static inline harness_matrix harness_random_matrix(harness *h, long rows, long columns, long pitch, double low, double high)
{
    if (pitch < columns)
        harness_refuse(h, "pitch=%ld is less than the %ld floats of a row", pitch, columns);
    const harness_matrix m = {.rows = rows,
                              .columns = columns,
                              .pitch = pitch,
                              .at = harness_random_floats(h, (size_t)(rows * columns), low, high),
                              .device = harness_device(h, (size_t)(rows * pitch) * sizeof(float))};
    harness_write_matrix(h, &m);
    return m;
}

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

/* How far a sum of n terms of one sign in single precision may be off, relative. Each addition rounds by 2^-24 of what it has so far at
 * most, and roundings do not know of each other: they add up as the root of n. This is five times that, and less than a term of a sum
 * of up to ten thousand. */
static inline double harness_sum_tolerance(long n)
{
    return 3e-7 * sqrt((double)n);
}

#endif
