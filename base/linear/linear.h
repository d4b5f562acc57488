/* linear.h - decompositions and products of matrices, by LAPACK and BLAS (OpenBLAS).
 *
 * Matrices are row-major. All functions run on one thread and give the same bytes on any number of processors; the last
 * digits depend on the processor model. They may be called from several threads, and calls are serialized. Errors:
 * WS_EMEM, WS_ENUMERIC. */
#ifndef WS_LINEAR_H
#define WS_LINEAR_H

#include <stddef.h>

/* Computes the singular value decomposition of a (rows x columns; overwritten). With k = min(rows, columns), sigma[k]
 * receives the singular values in falling order. right[k * columns] receives the right singular vectors, one unit
 * vector after the other, of either sign. */
int ws_linear_decompose(double *a, size_t rows, size_t columns, double *sigma, double *right);

/* Writes the inner products of the pairs (0, 1), (0, 2) .. (n - 2, n - 1) of n vectors to product[0 .. n (n - 1) / 2).
 * The vectors have `length` values and follow one another. Equal vectors have bit-identical products with others. */
int ws_linear_inner_products(const double *vector, size_t n, size_t length, double *product);

/* Computes out (rows x k) = a (rows x columns) b (columns x k). Equal rows of a give bit-identical rows of out. */
int ws_linear_multiply(const double *a, size_t rows, size_t columns, const double *b, size_t k, double *out);

/* Returns the version and build of OpenBLAS, and the processor model that it detected. */
const char *ws_linear_library(void);

#endif
