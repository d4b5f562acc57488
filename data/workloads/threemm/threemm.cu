/* threemm.cu - G = (A B) (C D), a launch a product, after PolyBench/GPU's 3mm (S. Grauer-Gray et al., 2012); code of our own. Loads and
 * stores are those of twomm.cu. */
#include "../harness/products.cuh"

KERNEL mm3_product(const float *a, const float *b, float *c, int rows, int inner, int columns, int pitch)
{
    stored_product(a, b, c, rows, inner, columns, pitch);
}
