/* gesummv.cu - y = alpha A x + beta B x, a row of both matrices a thread, so two loads a step have their lanes a pitch apart. After
 * PolyBench/GPU's gesummv (S. Grauer-Gray et al., 2012); code of our own. */
#include "../harness/products.cuh"

KERNEL ges_rows(const float *a, const float *b, const float *x, float *y, int rows, int columns, int pitch, float alpha, float beta)
{
    const int row = thread_number();
    if (row >= rows)
        return;
    float of_a = 0, of_b = 0;
#pragma unroll 1
    for (int j = 0; j < columns; j++) {
        const float factor = x[j];
        of_a += a[row * pitch + j] * factor;
        of_b += b[row * pitch + j] * factor;
    }
    y[row] = alpha * of_a + beta * of_b;
}
