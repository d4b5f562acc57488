/* pca.h - principal components of characteristics.
 *
 * Constant columns are dropped and named in a note. The others, or with `ranks` the ranks of their values, are scaled
 * to mean 0 and standard deviation 1 (n - 1 in the denominator). The singular value decomposition of that matrix gives
 * the components in order of decreasing variance: the eigenvalues of the correlation matrix, as R's prcomp(scale. =
 * TRUE). Every eigenvector is oriented so that its largest loading in magnitude is positive; among loadings equal
 * within one part in 10^9 the first column counts. Two equal rows get bit-identical scores. Components of equal
 * eigenvalues may be rotated among themselves. */
#ifndef WS_PCA_H
#define WS_PCA_H

#include "base/frame.h"
#include "base/frame_clean.h"

#include <stdbool.h>

/* Rules for the number of components to keep, from keep.def. */
typedef enum ws_pca_keep {
#define KEEP(name, rule, meaning) WS_PCA_KEEP_##name,
#include "pca/keep.def"
#undef KEEP
    WS_PCA_KEEP_COUNT
} ws_pca_keep;

typedef enum ws_pca_rotation { WS_PCA_UNROTATED, WS_PCA_VARIMAX } ws_pca_rotation;

typedef struct ws_pca_options {
    ws_pca_keep keep;
    double amount;        /* VARIANCE: the fraction, 0..1; FIXED: the number of components; KAISER: unused */
    const char *subspace; /* only columns of this group; NULL: all columns */
    bool whiten;          /* scale scores to variance 1 instead of the eigenvalue */
    bool ranks; /* replace each value by its rank in its column, equal values by their mean rank (Spearman 1904) */
    ws_missing missing;
    /* VARIMAX (Kaiser 1958, with his normalization): rotate the kept components, so that each has few large loadings.
     * Components RC1 .. RCk in order of falling variance, with signs as above; loadings are correlations of columns
     * with them, and scores have variance 1. */
    ws_pca_rotation rotation;
} ws_pca_options;

typedef struct ws_pca {
    ws_frame *scores;   /* rows as in the input, columns PC1 .. PCk */
    ws_frame *loadings; /* one row per column used, columns PC1 .. PCk: unit eigenvectors of the correlation matrix */
    ws_frame *eigenvalues; /* one row per component: eigenvalue, share, cumulative (0..1), kept (0 or 1) */
    /* One row per rotated component: variance (of all columns, that it explains), share, cumulative (0..1), and the
     * coefficients PC1 .. PCk of the kept components before, with variance 1. NULL without a rotation. */
    ws_frame *rotation;
    double *weight; /* [rows of loadings * kept] of standard scores in scores; NULL: the loadings */
    size_t kept;
} ws_pca;

/* `name` is the name of the frame in messages. WS_EINPUT (fewer than two rows, missing values, unknown subspace, more
 * components requested than exist), WS_ENUMERIC (no column varies, overflow, no convergence of the rotation), WS_EMEM.
 * On success the caller frees the result with ws_pca_fini. */
int ws_pca_run(const ws_frame *frame, const char *name, const ws_pca_options *options, ws_pca *out);
void ws_pca_fini(ws_pca *pca);

/* Projects the rows of another frame onto components computed from `frame` with these options. Columns are matched by
 * name and scaled as in `frame`; ranks are those within `frame`. A row in both frames gets equal scores, except for
 * rounding. WS_EINPUT: a missing column or value; WS_EMEM. The caller frees *out. */
int ws_pca_onto(const ws_frame *frame, const char *name, const ws_pca_options *options, const ws_pca *pca,
                const ws_frame *other, const char *other_name, ws_frame **out);

/* Replaces each of n values by its rank, from 1; equal values get their mean rank. `order` is a work array of n. */
void ws_pca_rank(double *value, size_t n, size_t stride, size_t *order);

#endif
