/* products.cuh - products of a matrix and a vector in which a thread makes one element, for kernels that are to load in a certain way.
 *
 * A matrix stands row by row, `pitch` floats from a row to the next. Lanes of a warp take neighbouring elements of the result. So a
 * product by rows loads 32 words that are `pitch` floats apart, a line each when rows are longer than a line, and a product by columns
 * 32 neighbouring words. Pointers are not restrict: such loads would be read-only ones, which have a cache of their own on some GPUs.
 * Loops are not unrolled, so a load of the source is one instruction. */
#ifndef WS_PRODUCTS_H
#define WS_PRODUCTS_H

#include "device.h"

DEVICE int thread_number()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* Element `row` of a * x. */
DEVICE float row_product(const float *a, const float *x, int row, int columns, int pitch)
{
    float sum = 0;
#pragma unroll 1
    for (int j = 0; j < columns; j++)
        sum += a[row * pitch + j] * x[j];
    return sum;
}

/* Element `column` of x * a, a's transpose times x. */
DEVICE float column_product(const float *a, const float *x, int column, int rows, int pitch)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < rows; i++)
        sum += a[i * pitch + column] * x[i];
    return sum;
}

/* The thread's element of c = a * b, a thread an element in blocks of two dimensions; a has `inner` columns, and rows of all three are
 * `pitch` floats apart. The sum so far is stored in each step. */
DEVICE void stored_product(const float *a, const float *b, float *c, int rows, int inner, int columns, int pitch)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows || j >= columns)
        return;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < inner; k++) {
        sum += a[i * pitch + k] * b[k * pitch + j];
        c[i * pitch + j] = sum;
    }
}

#endif
