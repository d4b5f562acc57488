/* study_draw.c - the figures of the study. */
#include "base/status.h"
#include "cli/study/study.h"

#include <math.h>
#include <string.h>

enum { COMPLETE = 1 };

static ws_plot_request request_for(const ws_analysis *a, const ws_frame *data)
{
    return (ws_plot_request){
        .data = data, .tree = a->merges, .groups = a->groups, .variance = a->variance, .cut = a->cut, .x = 0, .y = 1};
}

static int draw_plane(ws_study *s, const ws_analysis *a, size_t x, const char *section, const char *file,
                      const char *caption)
{
    if (x + 1 >= a->points->columns)
        return WS_OK;
    ws_plot_request request = request_for(a, a->points);
    request.x = x;
    request.y = x + 1;
    return ws_album_draw(&s->album, "scores", section, file, false, caption, &request);
}

static int draw_tree(ws_study *s, const ws_analysis *a, const char *section, const char *file, const char *caption)
{
    const ws_plot_request request = request_for(a, a->points);
    return ws_album_draw(&s->album, "dendrogram", section, file, false, caption, &request);
}

static int draw_map(ws_study *s)
{
    ws_analysis *a = &s->map[WS_STUDY_90][COMPLETE];
    int status = draw_plane(s, a, 0, "map", "scores-1-2",
                            "Components 1 and 2. Colour and marker: cluster; ring: the workload that stands for it.");
    if (!status)
        status = draw_plane(s, a, 2, "map", "scores-3-4", "Components 3 and 4, clusters as before.");
    ws_plot_request request = request_for(a, a->pca.eigenvalues);
    enum { BEHIND = 4 }; /* a few of those that are left out are shown too */
    const size_t all = a->pca.eigenvalues->rows;
    request.most = a->pca.kept + BEHIND < all ? a->pca.kept + BEHIND : all;
    if (!status)
        status = ws_album_draw(&s->album, "scree", "map", "scree", false,
                               "Variance that each component explains; blue: those kept for 90 %.", &request);
    request = request_for(a, a->pca.loadings);
    return status ? status
                  : ws_album_draw(&s->album, "loadings", "map", "loadings", true,
                                  "The dimensions with the largest factor loadings of the first components.", &request);
}

static int draw_trees(ws_study *s)
{
    int status = WS_OK;
    for (size_t keep = WS_STUDY_KAISER; !status && keep-- > 0;) {
        for (size_t l = WS_STUDY_LINKAGES; !status && l-- > 0;) {
            char file[40], caption[200];
            const char *const linkage = ws_linkage_name(ws_study_linkages[l]), *const kept = ws_study_keep_names[keep];
            snprintf(file, sizeof file, "dendrogram-%s-%s", linkage, kept);
            snprintf(caption, sizeof caption,
                     "%c%s linkage over the %zu components with %s %% of the variance. A dot marks the workload that "
                     "stands for its cluster.",
                     linkage[0] - 'a' + 'A', linkage + 1, s->map[keep][l].points->columns, kept);
            status = draw_tree(s, &s->map[keep][l], "trees", file, caption);
        }
    }
    for (size_t i = 0; !status && i < WS_STUDY_SUBSPACES; i++) {
        char file[40], caption[200];
        if (!s->subspace[i].points)
            continue;
        snprintf(file, sizeof file, "dendrogram-%s", ws_study_subspaces[i].group);
        snprintf(caption, sizeof caption,
                 "By %s alone (%s): %zu dimensions, %zu components with 90 %% of the variance.",
                 ws_study_subspaces[i].word, ws_study_subspaces[i].group, s->subspace[i].pca.loadings->rows,
                 s->subspace[i].points->columns);
        status = draw_tree(s, &s->subspace[i], "subspaces", file, caption);
    }
    return status;
}

/* Two columns of a frame of curves, the first the horizontal axis. */
static int draw_curves(ws_study *s, const ws_frame *frame, const char *x, const char *y, const char *title,
                       const char *section, const char *file, const char *caption)
{
    const long a = ws_frame_find_column(frame, x), b = ws_frame_find_column(frame, y);
    if (a < 0 || b < 0)
        return WS_OK;
    const size_t column[] = {(size_t)a, (size_t)b};
    ws_frame *curves = NULL;
    int status = ws_frame_pick_columns(frame, column, 2, &curves);
    if (!status)
        status = ws_frame_set_column(curves, 1, title, "", "");
    const ws_plot_request request = {.data = curves, .cut = NAN};
    if (!status)
        status = ws_album_draw(&s->album, "curves", section, file, false, caption, &request);
    ws_frame_destroy(curves);
    return status;
}

static int draw_subsets(ws_study *s)
{
    ws_frame *first = NULL;
    if (s->sizes.sizes < 2) /* a curve of one point */
        return WS_OK;
    int status = ws_analysis_sizes_first(s->subsets[WS_STUDY_90], &first);
    if (!status && first)
        status = draw_curves(s, first, "size", "speedup_instructions", "speedup", "subsets", "speedup",
                             "Speedup by size of the subset; cost: thread instructions.");
    ws_frame_destroy(first);
    first = NULL;
    if (!status)
        status = ws_analysis_sizes_first(s->errors, &first);
    if (!status && first)
        status = draw_curves(s, first, "size", "average", "error", "subsets", "errors",
                             "Error by size, mean of activity factor and SIMD parallelism.");
    ws_frame_destroy(first);
    return status;
}

static int draw_beyond(ws_study *s)
{
    int status = draw_curves(s, s->quality, "clusters", "silhouette", "silhouette", "linkages", "silhouette",
                             "Mean silhouette of cuts into 2, 3, ... clusters.");
    if (!status)
        status = draw_curves(s, s->quality, "clusters", "gap", "gap", "linkages", "gap",
                             "Gap statistic of the same cuts: how much tighter than points spread evenly.");
    if (!status)
        status =
            draw_plane(s, &s->newer, 0, "modern", "scores-modern", "The map of the modern set, components 1 and 2.");
    return status ? status
                  : draw_tree(s, &s->newer, "modern", "dendrogram-modern",
                              "Complete linkage over the modern set's components with 90 % of the variance.");
}

int ws_study_draw(ws_study *s)
{
    static int (*const steps[])(ws_study *) = {draw_map, draw_trees, draw_subsets, draw_beyond};
    int status = WS_OK;
    for (size_t i = 0; !status && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](s);
    return status;
}
