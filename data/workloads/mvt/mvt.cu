/* mvt.cu - x1 += A y1 and x2 += A^T y2, after PolyBench/GPU's mvt (S. Grauer-Gray et al., 2012); code of our own. */
#include "../harness/products.cuh"

KERNEL mvt_rows(const float *a, const float *y1, float *x1, int rows, int columns, int pitch)
{
    const int row = thread_number();
    if (row < rows)
        x1[row] += row_product(a, y1, row, columns, pitch);
}

KERNEL mvt_columns(const float *a, const float *y2, float *x2, int rows, int columns, int pitch)
{
    const int column = thread_number();
    if (column < columns)
        x2[column] += column_product(a, y2, column, rows, pitch);
}
