/* library_statistics.c - components, clusters and subsets of frames for programs that link with the library. */
#include "library/library_internal.h"

#include "cluster/method.h"
#include "pca/pca.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>

/* Hands a frame over, or frees it when nobody wants it. */
static void give(ws_frame **frame, warpscape_frame **out)
{
    if (!out)
        return;
    *out = library_frame_as(*frame);
    *frame = NULL;
}

int warpscape_pca(const warpscape_frame *frame, double variance, int ranks, warpscape_frame **scores,
                  warpscape_frame **loadings, warpscape_frame **eigenvalues)
{
    const ws_pca_options how = {.keep = WS_PCA_KEEP_VARIANCE, .amount = variance, .ranks = ranks != 0};
    warpscape_frame **const out[] = {scores, loadings, eigenvalues};
    ws_pca pca;
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        if (out[i])
            *out[i] = NULL;
    if (!(variance > 0 && variance <= 1))
        return ws_fail(WS_EINPUT, "the fraction of the variance is above 0 and at most 1, not %g", variance);
    gsl_error_handler_t *const handler = gsl_set_error_handler_off(); /* it would end the program */
    const int status = ws_pca_run(library_frame_of(frame), "frame", &how, &pca);
    gsl_set_error_handler(handler);
    if (status != WS_OK)
        return status;
    give(&pca.scores, scores);
    give(&pca.loadings, loadings);
    give(&pca.eigenvalues, eigenvalues);
    ws_pca_fini(&pca);
    return WS_OK;
}

static int require_size(const ws_frame *f, size_t k)
{
    return k >= 1 && k <= f->rows
               ? ws_frame_require_finite(f, "frame")
               : ws_fail(WS_EINPUT, "the frame has %zu rows; there are from 1 to so many clusters, not %zu", f->rows,
                         k);
}

int warpscape_cluster(const warpscape_frame *frame, const char *linkage, size_t k, size_t *cluster)
{
    const ws_frame *const f = library_frame_of(frame);
    ws_linkage which;
    ws_tree *tree = NULL;
    int status = require_size(f, k);
    if (status == WS_OK)
        status = ws_linkage_find(linkage, &which);
    if (status == WS_OK)
        status = ws_cluster_build(f->value, f->rows, f->columns, which, &tree);
    if (status == WS_OK)
        status = ws_tree_cut(tree, k, cluster);
    ws_tree_destroy(tree);
    return status;
}

int warpscape_subset(const warpscape_frame *frame, const char *method, size_t k, size_t *member, double *weight)
{
    const ws_frame *const f = library_frame_of(frame);
    ws_method which = WS_METHOD_DEFAULT;
    ws_selection *selection = NULL;
    int status = require_size(f, k);
    if (status == WS_OK && method)
        status = ws_method_find(method, &which);
    if (status == WS_OK)
        status = ws_selection_create(f->value, f->rows, f->columns, which, 1, &selection);
    size_t *const cluster = status == WS_OK ? calloc(f->rows, sizeof *cluster) : NULL;
    if (status == WS_OK)
        status = cluster ? ws_selection_choose(selection, k, cluster, member, weight)
                         : ws_fail(WS_EMEM, "no memory for a subset");
    free(cluster);
    ws_selection_destroy(selection);
    return status;
}
