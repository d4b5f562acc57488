/* atax.cu - y = A^T (A x), after PolyBench/GPU's atax (S. Grauer-Gray et al., 2012); code of our own.
 *
 * atax_rows makes A x, a row a thread: lanes load words a pitch apart. atax_columns multiplies it by the transpose, a column a
 * thread: lanes load neighbouring words. */
#include "../harness/products.cuh"

KERNEL atax_rows(const float *a, const float *x, float *product, int rows, int columns, int pitch)
{
    const int row = thread_number();
    if (row < rows)
        product[row] = row_product(a, x, row, columns, pitch);
}

KERNEL atax_columns(const float *a, const float *product, float *y, int rows, int columns, int pitch)
{
    const int column = thread_number();
    if (column < columns)
        y[column] = column_product(a, product, column, rows, pitch);
}
