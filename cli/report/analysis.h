/* analysis.h - from a frame to components, a tree, clusters and their representatives: what plot and report both need.
 */
#ifndef WS_ANALYSIS_H
#define WS_ANALYSIS_H

#include "base/frame.h"
#include "cluster/cluster.h"
#include "pca/pca.h"

typedef struct ws_analysis_options {
    ws_pca_options pca;
    ws_linkage linkage;
    size_t clusters; /* 0: none */
} ws_analysis_options;

/* Complete linkage over the components that explain 90 % of the variance, no clusters: what the commands do when they
 * are not told otherwise. */
void ws_analysis_defaults(ws_analysis_options *options);

typedef struct ws_analysis {
    ws_pca pca;               /* all NULL when the frame's columns were components already */
    const ws_frame *points;   /* the components: pca.scores or the frame itself */
    const ws_frame *variance; /* pca.eigenvalues; else shares as far as the frame's notes tell them, or NULL */
    ws_tree *tree;            /* NULL until ws_analysis_cluster */
    ws_frame *merges;         /* the tree as a frame */
    ws_frame *groups;         /* cluster and representative of each row; NULL without clusters */
    double cut;               /* height at which the tree was cut; NaN without clusters */
    ws_frame *shares;         /* owned: variance when it is not pca.eigenvalues */
} ws_analysis;

/* True when every column is named PC and a number: scores or loadings of `warpscape pca`. */
bool ws_analysis_has_components(const ws_frame *frame);

/* Components of the frame: the frame itself when it has them, else by PCA. The frame must outlive the analysis.
 * Afterwards, also after a failure, ws_analysis_fini. */
int ws_analysis_reduce(const ws_frame *frame, const char *name, const ws_analysis_options *options,
                       ws_analysis *analysis);

/* Tree, and clusters when options ask for them. WS_EINPUT when there are fewer rows than clusters. */
int ws_analysis_cluster(const ws_analysis_options *options, const char *name, ws_analysis *analysis);

/* The characteristics that went into the components of an analysis (of the same frame, reduced by PCA with these
 * options), or their ranks, in units of standard deviations from their mean: for pictures. The caller frees *out. */
int ws_analysis_standardise(const ws_frame *frame, const ws_analysis_options *options, const ws_analysis *analysis,
                            ws_frame **out);

/* Columns of a frame as a tree by 1 - |r| (cluster/correlation.h). */
typedef struct ws_column_analysis {
    ws_frame *names;  /* a row a column, its name; no columns */
    ws_frame *merges; /* the tree as a frame */
    ws_frame *groups; /* cluster and representative of each column; NULL without clusters */
    double cut;       /* as above */
} ws_column_analysis;
/* Clusters as options say. WS_EINPUT: fewer columns than clusters, one that does not vary. Afterwards, also after a
 * failure, ws_column_analysis_fini. */
int ws_analysis_columns(const ws_frame *frame, const char *name, ws_linkage linkage, size_t clusters,
                        ws_column_analysis *columns);
void ws_column_analysis_fini(ws_column_analysis *columns);

/* A copy of a frame of subsets, or of their errors, with the size as first column and the linkage as only label; *out
 * is NULL when the frame knows no sizes. The caller frees *out. */
int ws_analysis_sizes_first(const ws_frame *frame, ws_frame **out);

/* Puts the rows of `more` behind those of *to (NULL: none yet); both have the same columns. Of the notes of `more`
 * those of caution come along. Takes `more` over, also on failure. */
int ws_analysis_append(ws_frame **to, ws_frame *more);

void ws_analysis_fini(ws_analysis *analysis);

#endif
