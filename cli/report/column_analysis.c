/* column_analysis.c - from a frame to the tree of its columns: what plot and report both need. */
#include "cli/report/analysis.h"

#include "base/status.h"
#include "cluster/correlation.h"

#include <math.h>
#include <stdlib.h>

/* A row a column, for the names in a tree. */
static int names_of(const ws_frame *frame, ws_frame **out)
{
    static const char *const label[] = {"column"};
    *out = ws_frame_create(frame->columns, 0, 1, label);
    int status = *out ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t j = 0; j < frame->columns && !status; j++)
        status = ws_frame_set_label(*out, j, 0, frame->column[j].name);
    return status;
}

int ws_analysis_columns(const ws_frame *frame, const char *name, ws_linkage linkage, size_t clusters,
                        ws_column_analysis *c)
{
    double *distance = NULL;
    ws_tree *tree = NULL;
    *c = (ws_column_analysis){.cut = NAN};
    if (clusters > frame->columns)
        return ws_fail(WS_EINPUT, "%s: %zu clusters of %zu columns that vary: ask for %zu at most", name, clusters,
                       frame->columns, frame->columns);
    int status = names_of(frame, &c->names);
    if (!status)
        status = ws_correlation_distances(frame, &distance);
    if (!status)
        status = ws_correlation_tree(distance, frame->columns, linkage, &tree);
    if (!status)
        status = ws_tree_frame(tree, c->names, &c->merges);
    if (!status && clusters) {
        c->cut = ws_tree_cut_height(tree, clusters);
        status = ws_correlation_groups(frame, distance, tree, clusters, &c->groups);
    }
    free(distance);
    ws_tree_destroy(tree);
    return status ? ws_fail_context(status, "%s", name) : WS_OK;
}

void ws_column_analysis_fini(ws_column_analysis *c)
{
    ws_frame_destroy(c->names);
    ws_frame_destroy(c->merges);
    ws_frame_destroy(c->groups);
    *c = (ws_column_analysis){.cut = NAN};
}
