/* analysis.h - analysis of a frame for plot and report: components, tree, clusters and representatives. */
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

/* Sets the commands' defaults: complete linkage over the components that explain 90 % of the variance, no clusters. */
void ws_analysis_defaults(ws_analysis_options *options);

typedef struct ws_analysis {
    ws_pca pca;               /* all NULL if the frame's columns were already components */
    const ws_frame *points;   /* the components: pca.scores or the frame */
    const ws_frame *variance; /* pca.eigenvalues; else shares from the frame's notes where available, or NULL */
    ws_tree *tree;            /* NULL until ws_analysis_cluster */
    ws_frame *merges;         /* the tree as a frame */
    ws_frame *groups;         /* cluster and representative of each row; NULL without clusters */
    double cut;               /* height of the cut; NaN without clusters */
    ws_frame *shares;         /* owned: variance if it differs from pca.eigenvalues */
} ws_analysis;

/* Returns true if every column is named PC, or RC if rotated, and a number: scores or loadings of `warpscape pca`. */
bool ws_analysis_has_components(const ws_frame *frame);

/* Sets the components: the frame if it has components, else by PCA. The frame must outlive the analysis.
 * Always call ws_analysis_fini afterwards, also after a failure. */
int ws_analysis_reduce(const ws_frame *frame, const char *name, const ws_analysis_options *options,
                       ws_analysis *analysis);

/* Builds the tree, and clusters if requested. WS_EINPUT for fewer rows than clusters. */
int ws_analysis_cluster(const ws_analysis_options *options, const char *name, ws_analysis *analysis);

/* Returns the characteristics behind the components of an analysis, or their ranks, in standard deviations from their
 * mean: for pictures. The analysis must be of the same frame, reduced by PCA with these options. The caller frees *out.
 */
int ws_analysis_standardise(const ws_frame *frame, const ws_analysis_options *options, const ws_analysis *analysis,
                            ws_frame **out);

/* Tree of the columns of a frame by 1 - |r| (cluster/correlation.h). */
typedef struct ws_column_analysis {
    ws_frame *names;  /* one row per column, its name; no columns */
    ws_frame *merges; /* the tree as a frame */
    ws_frame *groups; /* cluster and representative of each column; NULL without clusters */
    double cut;       /* as above */
} ws_column_analysis;
/* Clusters the columns as the options say. WS_EINPUT: fewer columns than clusters, or a constant column. Always call
 * ws_column_analysis_fini, also after a failure. */
int ws_analysis_columns(const ws_frame *frame, const char *name, ws_linkage linkage, size_t clusters,
                        ws_column_analysis *columns);
void ws_column_analysis_fini(ws_column_analysis *columns);

/* Copies a frame of subsets, or of their errors, with the size as the first column and the linkage as the only label;
 * *out is NULL for a frame without sizes. The caller frees *out. */
int ws_analysis_sizes_first(const ws_frame *frame, ws_frame **out);

/* Appends the rows of `more` to *to (NULL: empty); both have the same columns. Of the notes of `more`, only those of
 * caution are kept. Takes ownership of `more`, also on failure. */
int ws_analysis_append(ws_frame **to, ws_frame *more);

void ws_analysis_fini(ws_analysis *analysis);

#endif
