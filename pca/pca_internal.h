/* pca_internal.h - steps of pca.c: scaling of columns, decomposition, choice of components. */
#ifndef WS_PCA_INTERNAL_H
#define WS_PCA_INTERNAL_H

#include "pca/pca.h"

/* Decomposes z (rows x columns, row-major; overwritten). sigma[min(rows, columns)] receives the singular values in
 * decreasing order. loading[min(rows, columns) * columns] receives consecutive unit vectors of `columns` entries, with
 * signs by the rule of pca.h. WS_ENUMERIC, WS_EMEM. */
int ws_pca_decompose(double *z, size_t rows, size_t columns, double *sigma, double *loading);

/* Returns the number of components to keep by the options' rule, for `rank` > 0 positive eigenvalues in decreasing
 * order. WS_EINPUT when more are requested than exist. */
int ws_pca_choose(const ws_pca_options *options, const double *eigenvalue, size_t rank, size_t *kept);

#endif
