/* linear.h - decompositions and products of matrices, by LAPACK and BLAS (OpenBLAS).
 *
 * Matrices are row-major. All functions run on one thread and give the same bytes on any number of processors; the last
 * digits depend on the kind of processor. They may be called from several threads, which wait for one another.
 * Errors: WS_EMEM, WS_ENUMERIC. */
#ifndef WS_LINEAR_H
#define WS_LINEAR_H

#include <stddef.h>

/* Singular value decomposition of a (rows x columns; overwritten). With k = min(rows, columns), sigma[k] receives the
 * singular values in falling order and right[k * columns] the right singular vectors, one unit vector after the other,
 * of either sign. */
int ws_linear_decompose(double *a, size_t rows, size_t columns, double *sigma, double *right);

/* product[0 .. n (n - 1) / 2) becomes the inner products of the pairs (0, 1), (0, 2) .. (n - 2, n - 1) of n vectors of
 * `length` values, one after the other. Equal vectors have bit-identical products with others. */
int ws_linear_inner_products(const double *vector, size_t n, size_t length, double *product);

/* out (rows x k) = a (rows x columns) b (columns x k). Equal rows of a give bit-identical rows of out. */
int ws_linear_multiply(const double *a, size_t rows, size_t columns, const double *b, size_t k, double *out);

/* Version and build of OpenBLAS, and the kind of processor that it takes this one for. */
const char *ws_linear_library(void);

#endif
