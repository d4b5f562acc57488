/* bicg.cu - the two products of a step of the biconjugate gradient method: s = A^T r and q = A p. After PolyBench/GPU's bicg
 * (S. Grauer-Gray et al., 2012); code of our own. */
#include "../harness/products.cuh"

KERNEL bicg_columns(const float *a, const float *r, float *s, int rows, int columns, int pitch)
{
    const int column = thread_number();
    if (column < columns)
        s[column] = column_product(a, r, column, rows, pitch);
}

KERNEL bicg_rows(const float *a, const float *p, float *q, int rows, int columns, int pitch)
{
    const int row = thread_number();
    if (row < rows)
        q[row] = row_product(a, p, row, columns, pitch);
}
