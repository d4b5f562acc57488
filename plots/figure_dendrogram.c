/* figure_dendrogram.c - which workloads are alike, and how much? And which characteristics say the same (columns)?
 *
 * data: names of the rows; for columns, a row a characteristic. tree: the merges. groups: colours, numbered brackets, a
 * dot at each representative. cut: the height at which the tree was cut. tree_axis: what distances are. labels: whose
 * names are shown. */
#include "plots/figure_internal.h"

static const double leaf_px = 15.5, label_px = 10.5, tree_px = 400, least_tree_px = 60, margin_px = 14, foot_px = 44;
static const double most_names_px = 260, dots_px = 22, brackets_px = 26;

/* Names are as long as there is room for; without room there are none. */
static void write_leaves(const ws_plot_request *request, const ws_tree_layout *l, const char *representative,
                         double names_px, const ws_canvas *canvas, FILE *script)
{
    double free_px = 0;
    fputs("$leaves << EOD\n", script);
    for (size_t i = 0; i < l->leaves; i++) {
        const size_t row = l->order[i];
        char name[WS_NAME_BYTES] = "";
        if (names_px > 0 && ws_plot_row_named(canvas, i, representative[row], &free_px))
            ws_plot_row_name(request->data, row, name);
        ws_text_fit(name, label_px, names_px);
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

/* Room for names, and for all that stands beside the tree. */
static int lay_out(const ws_plot_request *request, size_t leaves, double *names, double *aside, ws_canvas *canvas)
{
    const double fixed = dots_px + (request->groups ? brackets_px : 0);
    canvas->left = margin_px;
    canvas->top = isfinite(request->cut) ? 26 : 10;
    const double ends = canvas->top + foot_px, wanted = fmin(ws_rows_width(request->data, label_px), most_names_px);
    *names = ws_plot_rows_names(request, leaves, leaf_px, ends, wanted, 0.4);
    int status =
        ws_plot_width(request, (least_tree_px + fixed + margin_px) / 0.6, tree_px + *names + fixed + margin_px, canvas);
    if (!status)
        status = ws_plot_rows_height(request, leaves, leaf_px, ends, *names, canvas);
    *aside = *names + fixed;
    canvas->right = canvas->width;
    canvas->bottom = canvas->height - foot_px;
    return status;
}

static void write_axis(const ws_plot_request *request, const ws_canvas *canvas, FILE *script)
{
    char title[WS_NAME_BYTES];
    snprintf(title, sizeof title, "%s", request->tree_axis ? request->tree_axis : "distance");
    ws_text_fit(title, WS_FONT_PX, canvas->width - 2 * margin_px);
    fputs("ws_axis = ", script);
    ws_script_string(script, title);
    /* Under the tree, as far as it has room there. */
    fprintf(script, "\nws_axis_half = %.7g\n", ws_text_width(title, WS_FONT_PX) / 2);
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
    double names, aside;
    if (!status)
        status = lay_out(request, layout.leaves, &names, &aside, canvas);
    if (!status) {
        write_leaves(request, &layout, representative, names, canvas, script);
        write_brackets(&layout, script);
        ws_tree_layout_write(&layout, "branches", script);
        const double root = layout.height[2 * layout.leaves - 2], end = root > 0 ? 1.03 * root : 1;
        ws_script_number(script, "ws_leaves", (double)layout.leaves);
        ws_script_number(script, "ws_end", end);
        ws_script_number(script, "ws_step", ws_nice_step(end, 6));
        ws_script_number(script, "ws_per_px", end / (canvas->width - aside - margin_px));
        ws_script_number(script, "ws_aside", aside);
        ws_script_number(script, "ws_names", names);
        ws_script_number(script, "ws_clusters", (double)count_clusters(&layout));
        ws_script_number(script, "ws_cut", isfinite(request->cut) ? request->cut : -1);
        write_axis(request, canvas, script);
    }
    free(representative);
    free(cluster);
    ws_tree_layout_free(&layout);
    return status;
}

int ws_figure_columns(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    return ws_figure_dendrogram(request, canvas, script);
}
