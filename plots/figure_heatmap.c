/* figure_heatmap.c - how does every workload stand in every characteristic?
 *
 * data: standardised characteristics (units of standard deviations); missing values stay grey. tree: the merges, which
 * give the rows their order and stand at the left. groups: colours of the tree. Columns of one group stand together as
 * they do in the frame, with the group's name above. */
#include "plots/figure_internal.h"

#include <string.h>

static const double row_px = 15, label_px = 10, tree_px = 90, head_px = 26, foot_px = 46;

/* Many columns are narrow columns; the letters follow. */
static double column_px(size_t columns)
{
    return columns <= 24 ? 20 : columns <= 60 ? 12 : 8.5;
}

static double column_font(size_t columns)
{
    return columns <= 60 ? 9.5 : 7.5;
}

static double columns_width(const ws_frame *data, double font_px)
{
    double widest = 0;
    for (size_t j = 0; j < data->columns; j++)
        widest = fmax(widest, ws_text_width(data->column[j].name, font_px));
    return fmin(widest, 170);
}

static void write_cells(const ws_frame *data, const ws_tree_layout *l, FILE *script)
{
    fputs("$cells << EOD\n", script);
    for (size_t i = 0; i < l->leaves; i++) {
        const double *row = data->value + l->order[i] * data->columns;
        for (size_t j = 0; j < data->columns; j++) {
            if (isfinite(row[j]))
                fprintf(script, "%zu %zu %.4g\n", j, i, row[j]);
        }
    }
    fputs("EOD\n$rows << EOD\n", script);
    char name[WS_NAME_BYTES];
    const int named = ws_plot_pitch(l->leaves, row_px) >= WS_LEAST_NAME_PX;
    for (size_t i = 0; i < l->leaves; i++) {
        ws_frame_row_name(data, l->order[i], name, named ? sizeof name : 1);
        fprintf(script, "%zu ", i);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n$columns << EOD\n", script);
    for (size_t j = 0; j < data->columns; j++) {
        fprintf(script, "%zu ", j);
        ws_script_text(script, data->column[j].name);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

/* Runs of columns of one group: first, last, name. */
static size_t write_groups(const ws_frame *data, FILE *script)
{
    size_t runs = 0;
    fputs("$groups << EOD\n", script);
    for (size_t j = 0, k; j < data->columns; j = k, runs++) {
        const char *group = data->column[j].group;
        for (k = j + 1; k < data->columns && !strcmp(data->column[k].group, group);)
            k++;
        fprintf(script, "%.7g %.7g ", (double)j - 0.5, (double)k - 0.5);
        ws_script_text(script, group);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
    return runs;
}

int ws_figure_heatmap(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    ws_tree_layout layout;
    int status = ws_tree_layout_create(request, &layout);
    if (status)
        return status;
    if (!data->columns) {
        ws_tree_layout_free(&layout);
        return ws_fail(WS_EINPUT, "there are no characteristics to show");
    }
    const double cell = column_px(data->columns), font = column_font(data->columns);
    const double names = fmin(ws_rows_width(data, label_px), 220), feet = columns_width(data, font) + 8;
    const double left = tree_px + 14, matrix = fmax(cell * (double)data->columns, 160);
    const double pitch = ws_plot_pitch(layout.leaves, row_px), bottom = head_px + pitch * (double)layout.leaves;
    const double width = fmax(left + matrix + names + 18, left + 260);
    *canvas = (ws_canvas){width, bottom + feet + foot_px, left, left + matrix, head_px, bottom};
    write_cells(data, &layout, script);
    const size_t groups = write_groups(data, script);
    ws_tree_layout_write(&layout, "branches", script);
    const double root = layout.height[2 * layout.leaves - 2];
    ws_script_number(script, "ws_rows", (double)layout.leaves);
    ws_script_number(script, "ws_columns", (double)data->columns);
    ws_script_number(script, "ws_groups", (double)groups);
    ws_script_number(script, "ws_column_font", font);
    ws_script_number(script, "ws_row_px", pitch);
    ws_script_number(script, "ws_tree_px", tree_px);
    ws_script_number(script, "ws_root", root > 0 ? root : 1);
    ws_script_number(script, "ws_feet", feet);
    ws_tree_layout_free(&layout);
    return WS_OK;
}
