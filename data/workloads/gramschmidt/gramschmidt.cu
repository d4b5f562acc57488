/* gramschmidt.cu - A = Q R, column by column (modified Gram-Schmidt), after PolyBench/GPU's gramschmidt (S. Grauer-Gray et al., 2012); code
 * of our own. Three launches a column: gsm_norm, one thread, its length; gsm_scale, a row a thread, so lanes are a pitch apart; gsm_rest, a
 * thread for each column behind it, takes from that what it has of this one. */
#include "../harness/products.cuh"

KERNEL gsm_norm(const float *a, float *r, int rows, int columns, int pitch, int column)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < rows; i++)
        sum += a[i * pitch + column] * a[i * pitch + column];
    r[column * columns + column] = sqrtf(sum);
}

KERNEL gsm_scale(const float *a, const float *r, float *q, int rows, int columns, int pitch, int column)
{
    const int i = thread_number();
    if (i < rows)
        q[i * pitch + column] = a[i * pitch + column] / r[column * columns + column];
}

KERNEL gsm_rest(float *a, float *r, const float *q, int rows, int columns, int pitch, int column)
{
    const int other = thread_number();
    if (other <= column || other >= columns)
        return;
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < rows; i++)
        sum += q[i * pitch + column] * a[i * pitch + other];
    r[column * columns + other] = sum;
#pragma unroll 1
    for (int i = 0; i < rows; i++)
        a[i * pitch + other] -= q[i * pitch + column] * sum;
}
