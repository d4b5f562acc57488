/* spmv.cu - y = A x, A sparse and row by row (CSR), after SHOC's Spmv (A. Danalis et al., 2010); code of our own.
 *
 * spmv_scalar: a row a thread; lanes are at the places of 32 rows at once. spmv_vector: a row a warp; lanes have neighbouring elements of
 * one row, and their sums are added across the warp. x is read through a texture, so what the loads of matrix elements do to a cache is
 * theirs alone. */
#include "../harness/products.cuh"

KERNEL spmv_scalar(const float *value, const int *column, const int *first, texture x, float *y, int rows)
{
    const int row = thread_number();
    if (row >= rows)
        return;
    float sum = 0;
    const int end = first[row + 1];
#pragma unroll 1
    for (int k = first[row]; k < end; k++)
        sum += value[k] * tex1d_fetch_f32(x, column[k]);
    y[row] = sum;
}

KERNEL spmv_vector(const float *value, const int *column, const int *first, texture x, float *y, int rows)
{
    const int row = thread_number() / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows)
        return;
    float sum = 0;
    const int end = first[row + 1];
#pragma unroll 1
    for (int k = first[row] + lane; k < end; k += warpSize)
        sum += value[k] * tex1d_fetch_f32(x, column[k]);
    for (int half = warpSize / 2; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, half);
    if (lane == 0)
        y[row] = sum;
}
