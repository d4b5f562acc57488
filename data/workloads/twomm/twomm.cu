/* twomm.cu - E = (A B) D, a launch a product, after PolyBench/GPU's 2mm (S. Grauer-Gray et al., 2012); code of our own. A warp has 32
 * neighbours of a row: they share an element of the left matrix and have neighbours of the right one; sums are stored in each step. */
#include "../harness/products.cuh"

KERNEL mm2_product(const float *a, const float *b, float *c, int rows, int inner, int columns, int pitch)
{
    stored_product(a, b, c, rows, inner, columns, pitch);
}
