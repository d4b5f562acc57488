/* figure_dendrogram.c - which workloads are alike, and how much?
 *
 * data: names of the rows. tree: the merges. groups: colours, numbered brackets, a dot at each representative. cut: the
 * height at which the tree was cut. */
#include "plots/figure_internal.h"

static const double leaf_px = 15.5, label_px = 10.5, tree_px = 400, margin_px = 14;

static void write_leaves(const ws_plot_request *request, const ws_tree_layout *l, const char *representative,
                         FILE *script)
{
    char name[WS_NAME_BYTES];
    fputs("$leaves << EOD\n", script);
    const int named = ws_plot_pitch(l->leaves, leaf_px) >= WS_LEAST_NAME_PX;
    for (size_t i = 0; i < l->leaves; i++) {
        const size_t row = l->order[i];
        ws_frame_row_name(request->data, row, name, named ? sizeof name : 1);
        fprintf(script, "%zu %u %d ", i, l->cluster[row] ? ws_cluster_color(l->cluster[row]) : WS_INK,
                representative[row]);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

/* A bracket for each run of leaves of one cluster: first, last, colour, number. */
static void write_brackets(const ws_tree_layout *l, FILE *script)
{
    fputs("$brackets << EOD\n", script);
    for (size_t i = 0, j; i < l->leaves; i = j) {
        const long cluster = l->cluster[l->order[i]];
        for (j = i + 1; j < l->leaves && l->cluster[l->order[j]] == cluster;)
            j++;
        if (cluster)
            fprintf(script, "%.7g %.7g %u %ld\n", (double)i - 0.32, (double)j - 0.68, ws_cluster_color(cluster),
                    cluster);
    }
    fputs("EOD\n", script);
}

static size_t count_clusters(const ws_tree_layout *l)
{
    long most = 0;
    for (size_t i = 0; i < l->leaves; i++)
        most = l->cluster[i] > most ? l->cluster[i] : most;
    return (size_t)most;
}

int ws_figure_dendrogram(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    ws_tree_layout layout;
    int status = ws_tree_layout_create(request, &layout);
    if (status)
        return status;
    char *representative = calloc(layout.leaves, 1);
    long *cluster = calloc(layout.leaves, sizeof *cluster);
    if (representative && cluster)
        status = ws_plot_groups(request, cluster, representative);
    else
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status) {
        const double names = fmin(ws_rows_width(request->data, label_px), 260),
                     aside = names + 22 + (request->groups ? 26 : 0);
        const double width = request->width_px ? request->width_px : tree_px + aside + margin_px;
        const double top = isfinite(request->cut) ? 26 : 10;
        const double bottom = top + ws_plot_pitch(layout.leaves, leaf_px) * (double)layout.leaves;
        *canvas = (ws_canvas){width, bottom + 44, margin_px, width, top, bottom};
        write_leaves(request, &layout, representative, script);
        write_brackets(&layout, script);
        ws_tree_layout_write(&layout, "branches", script);
        const double root = layout.height[2 * layout.leaves - 2], end = root > 0 ? 1.03 * root : 1;
        ws_script_number(script, "ws_leaves", (double)layout.leaves);
        ws_script_number(script, "ws_end", end);
        ws_script_number(script, "ws_step", ws_nice_step(end, 6));
        ws_script_number(script, "ws_per_px", end / (width - aside - margin_px));
        ws_script_number(script, "ws_aside", aside);
        ws_script_number(script, "ws_names", names);
        ws_script_number(script, "ws_clusters", (double)count_clusters(&layout));
        ws_script_number(script, "ws_cut", isfinite(request->cut) ? request->cut : -1);
    }
    free(representative);
    free(cluster);
    ws_tree_layout_free(&layout);
    return status;
}
