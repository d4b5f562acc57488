/* pca.h - from characteristics to principal components.
 *
 * Columns that do not vary are dropped (a note names them), the others are scaled to mean 0 and standard deviation 1
 * (n - 1 in the denominator) - with `ranks` the ranks of their values -, and the singular value decomposition of that
 * matrix gives components in order of falling variance: the eigenvalues of the correlation matrix, as R's prcomp(scale.
 * = TRUE). Every eigenvector is turned such that its largest loading in magnitude is positive; of those equal within
 * one part in 10^9 the first column counts. Two equal rows get bit-identical scores. Components of one eigenvalue may
 * come rotated among themselves. */
#ifndef WS_PCA_H
#define WS_PCA_H

#include "base/frame.h"
#include "base/frame_clean.h"

#include <stdbool.h>

/* How many components to keep; see keep.def for the rules. */
typedef enum ws_pca_keep {
#define KEEP(name, rule, meaning) WS_PCA_KEEP_##name,
#include "pca/keep.def"
#undef KEEP
    WS_PCA_KEEP_COUNT
} ws_pca_keep;

typedef struct ws_pca_options {
    ws_pca_keep keep;
    double amount;        /* VARIANCE: the fraction, 0..1; FIXED: the number of components; KAISER: not used */
    const char *subspace; /* only columns of this group; NULL for all */
    bool whiten;          /* scores of variance 1 instead of the eigenvalue */
    bool ranks;           /* of each value its rank in its column, equal ones the mean of theirs (Spearman 1904) */
    ws_missing missing;
} ws_pca_options;

typedef struct ws_pca {
    ws_frame *scores;      /* rows as in the input, columns PC1 .. PCk */
    ws_frame *loadings;    /* one row a column used, columns PC1 .. PCk: unit eigenvectors of the correlation matrix */
    ws_frame *eigenvalues; /* one row a component: eigenvalue, share, cumulative (0..1), kept (0 or 1) */
    size_t kept;
} ws_pca;

/* `name` is what messages call the frame. WS_EINPUT (fewer than two rows, values missing, no such subspace, more
 * components asked for than there are), WS_ENUMERIC (no column varies, overflow), WS_EMEM. On success the caller frees
 * the result with ws_pca_fini. */
int ws_pca_run(const ws_frame *frame, const char *name, const ws_pca_options *options, ws_pca *out);
void ws_pca_fini(ws_pca *pca);

/* Scores of the rows of another frame in components that were made of `frame` with these options: columns, found by
 * their names, are scaled as those of `frame`, and a value gets the rank that it would have there. A row that both have
 * stands where it stood, to rounding. WS_EINPUT: a column that is not there, a value missing; WS_EMEM. The caller frees
 * *out. */
int ws_pca_onto(const ws_frame *frame, const char *name, const ws_pca_options *options, const ws_pca *pca,
                const ws_frame *other, const char *other_name, ws_frame **out);

/* Puts the rank of each of n values, from 1, in its place; equal values get the mean of theirs.
 * `order` is room for n. */
void ws_pca_rank(double *value, size_t n, size_t stride, size_t *order);

#endif
