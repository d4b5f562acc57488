/* moments.cuh - what covariance and correlation share: columns of a table are variables, a thread a column, and rows are samples. */
#ifndef WS_MOMENTS_H
#define WS_MOMENTS_H

#include "products.cuh"

/* Mean of a column. */
DEVICE float column_mean(const float *table, int column, int samples, int pitch)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < samples; i++)
        sum += table[i * pitch + column];
    return sum / samples;
}

/* The sum of products of columns `column` and `other`. */
DEVICE float column_dot(const float *table, int column, int other, int samples, int pitch)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < samples; i++)
        sum += table[i * pitch + column] * table[i * pitch + other];
    return sum;
}

#endif
