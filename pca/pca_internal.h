/* pca_internal.h - the steps of pca.c: scale the columns, decompose, choose. */
#ifndef WS_PCA_INTERNAL_H
#define WS_PCA_INTERNAL_H

#include "pca/pca.h"

/* Decomposes z (rows x columns, row-major; overwritten). sigma[min(rows, columns)] receives the singular values in
 * falling order, and loading[min(rows, columns) * columns] one unit vector of `columns` entries after the other, signs
 * by the rule of pca.h. WS_ENUMERIC, WS_EMEM. */
int ws_pca_decompose(double *z, size_t rows, size_t columns, double *sigma, double *loading);

/* The number of components to keep by the rule of the options, of `rank` > 0 eigenvalues, falling and
 * all positive. WS_EINPUT when more are asked for than there are. */
int ws_pca_choose(const ws_pca_options *options, const double *eigenvalue, size_t rank, size_t *kept);

#endif
