/* pca_internal.h - steps of pca.c: scaling of columns, decomposition, choice and rotation of components. */
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

/* Returns the sign, 1 or -1, that makes the largest of value[i * stride], i < n, positive, by the rule of pca.h. */
double ws_pca_sign(const double *value, size_t n, size_t stride);

/* Varimax with Kaiser's normalization (H. F. Kaiser, The varimax criterion for analytic rotation in factor analysis,
 * Psychometrika 23, 1958): finds the orthogonal rotation[k * k] (row-major) of loading[rows * k] (row-major) that
 * maximises the sum, over components, of the variance over rows of the squared loadings of loading * rotation, with the
 * rows of `loading` scaled to length 1. Turns one plane of two components after the other, from the unrotated
 * components, to the maximum there, until none of them improves: a local maximum. Rows of length 0 have no effect.
 * WS_ENUMERIC if that takes more than 1000 sweeps, WS_EMEM. */
int ws_pca_varimax(const double *loading, size_t rows, size_t k, double *rotation);

/* Components after a rotation, by falling variance. Matrices are row-major. */
typedef struct ws_pca_rotated {
    double *loading;  /* [columns * k] correlations of columns with components */
    double *weight;   /* [columns * k] scores, of variance 1, are standard scores of columns times these */
    double *rotation; /* [k * k] one row for each component before, one column for each after */
    double *variance; /* [k] of all columns, that a component explains: the sum of its squared loadings */
} ws_pca_rotated;

/* Rotates k components by varimax. vector[k * columns] are consecutive unit vectors, eigenvalue[k] positive. Failures
 * are those of ws_pca_varimax. The caller frees *out with ws_pca_rotated_fini. */
int ws_pca_rotate(const double *vector, const double *eigenvalue, size_t columns, size_t k, ws_pca_rotated *out);
void ws_pca_rotated_fini(ws_pca_rotated *rotated);

#endif
