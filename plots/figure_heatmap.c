/* figure_heatmap.c - how does every workload stand in every characteristic?
 *
 * data: standardised characteristics (units of standard deviations); missing values stay grey. tree: the merges, which
 * give the rows their order and stand at the left. groups: colours of the tree. Columns of one group stand together as
 * they do in the frame, with the group's name above. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <string.h>

static const double row_px = 15, label_px = 10, group_px = 10, tree_px = 90, least_tree_px = 40, head_px = 26,
                    foot_px = 46;
static const double most_names_px = 220, most_feet_px = 170, least_letters_px = 6;
enum { MOST_LINES = 8000, MOST_VALUES = 1000000 }; /* a pixel each; a picture that programs open */
enum { SCALE_END = 3, LEAST_MATRIX_PX = 60 };      /* the scale ends there at both sides, in standard deviations */

typedef struct map {
    double tree, matrix, names, feet; /* pixels: of tree and matrix, room for names of rows and columns */
    double column, font;              /* width of a column, size of its name's letters */
} map;

/* Many columns are narrow columns; the letters follow. */
static double column_px(size_t columns)
{
    return ws_plot_pitch(columns, columns <= 24 ? 20 : columns <= 60 ? 12 : 8.5);
}

static double columns_width(const ws_frame *data, double font_px)
{
    char name[WS_NAME_BYTES];
    double widest = 0;
    for (size_t j = 0; j < data->columns; j++) {
        ws_shown(name, sizeof name, data->column[j].name);
        widest = fmax(widest, ws_text_width(name, font_px));
    }
    return fmin(widest, most_feet_px);
}

/* What the scale does not reach: gnuplot gives it the scale's last colours. */
typedef struct beyond {
    size_t below, above;
    double farthest;
} beyond;

static beyond write_cells(const ws_frame *data, const ws_tree_layout *l, FILE *script)
{
    beyond b = {0};
    fputs("$cells << EOD\n", script);
    for (size_t i = 0; i < l->leaves; i++) {
        const double *row = data->value + l->order[i] * data->columns;
        for (size_t j = 0; j < data->columns; j++) {
            if (!isfinite(row[j]))
                continue;
            b.below += row[j] < -SCALE_END;
            b.above += row[j] > SCALE_END;
            b.farthest = fabs(row[j]) > fabs(b.farthest) ? row[j] : b.farthest;
            fprintf(script, "%zu %zu %.4g\n", j, i, row[j]);
        }
    }
    fputs("EOD\n", script);
    return b;
}

/* Names are as long as there is room for; without room there are none. */
static void write_names(const ws_frame *data, const ws_tree_layout *l, const map *m, FILE *script)
{
    char name[WS_NAME_BYTES] = "";
    fputs("$rows << EOD\n", script);
    for (size_t i = 0; i < l->leaves; i++) {
        if (m->names > 0)
            ws_plot_row_name(data, l->order[i], name);
        ws_text_fit(name, label_px, m->names);
        fprintf(script, "%zu ", i);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n$columns << EOD\n", script);
    for (size_t j = 0; j < data->columns; j++) {
        ws_shown(name, m->feet > 0 ? sizeof name : 1, data->column[j].name);
        ws_text_fit(name, m->font, m->feet);
        fprintf(script, "%zu ", j);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

/* Runs of columns of one group: first, last, name. */
static size_t write_groups(const ws_frame *data, const map *m, FILE *script)
{
    char name[WS_NAME_BYTES];
    size_t runs = 0;
    fputs("$groups << EOD\n", script);
    for (size_t j = 0, k; j < data->columns; j = k, runs++) {
        const char *group = data->column[j].group;
        for (k = j + 1; k < data->columns && !strcmp(data->column[k].group, group);)
            k++;
        fprintf(script, "%.7g %.7g ", (double)j - 0.5, (double)k - 0.5);
        ws_shown(name, sizeof name, group);
        ws_text_fit(name, group_px, (double)(k - j) * m->column);
        ws_script_text(script, (double)(k - j) * m->column < 2 * group_px ? "" : name);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
    return runs;
}

/* Where tree, matrix and names stand. */
static int lay_out(const ws_plot_request *request, size_t leaves, map *m, ws_canvas *canvas)
{
    const ws_frame *data = request->data;
    const double usual = column_px(data->columns), wanted = fmin(ws_rows_width(data, label_px), most_names_px);
    const double columns = (double)data->columns, least = least_tree_px + 14 + 18;
    /* Names of columns need their height before the names of rows know whether there is room. */
    m->tree = request->width_px ? fmin(fmax(request->width_px * 0.15, least_tree_px), tree_px) : tree_px;
    double fixed = m->tree + 14 + 18, names = ws_plot_names_room(request, wanted, 0.3);
    m->column = request->width_px ? fmax(request->width_px - fixed - names, 1) / columns : fmax(usual, 160 / columns);
    m->font = floor(fmin(9.5, m->column * 0.9) * 2) / 2;
    m->feet = m->font < least_letters_px ? 0 : columns_width(data, m->font);
    if (request->height_px)
        m->feet = fmin(m->feet, floor(0.3 * request->height_px));
    const double ends = head_px + m->feet + 8 + foot_px;
    m->names = ws_plot_rows_names(request, leaves, row_px, ends, wanted, 0.3);
    int status = ws_plot_width(request, (least + LEAST_MATRIX_PX) / 0.55,
                               fmax(fixed + m->column * columns + m->names, m->tree + 274), canvas);
    if (!status && request->width_px)
        m->column = (canvas->width - fixed - m->names) / columns;
    if (!status && !(m->feet > 0))
        ws_plot_note(canvas, "Names of columns are left out: %zu columns.", data->columns);
    if (!status)
        status = ws_plot_rows_height(request, leaves, row_px, ends, m->names, canvas);
    canvas->left = m->tree + 14;
    canvas->right = canvas->left + m->column * columns;
    canvas->top = head_px;
    canvas->bottom = canvas->height - m->feet - 8 - foot_px;
    return status;
}

int ws_plot_check_heatmap(size_t rows, size_t columns)
{
    if (rows <= MOST_LINES && columns <= MOST_LINES && columns <= MOST_VALUES / (rows ? rows : 1))
        return WS_OK;
    return ws_fail(WS_ELIMIT,
                   "a heatmap has room for %d rows, %d columns and %d values, not for %zu rows of %zu columns; choose "
                   "columns with "
                   "--columns, or draw their components (scores, profile)",
                   MOST_LINES, MOST_LINES, MOST_VALUES, rows, columns);
}

int ws_figure_heatmap(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    ws_tree_layout layout;
    map m;
    if (data->rows && !data->columns)
        return ws_fail(WS_EINPUT, "there are no characteristics to show");
    int status = ws_plot_check_heatmap(data->rows, data->columns);
    if (!status)
        status = ws_tree_layout_create(request, &layout);
    if (status)
        return status;
    const beyond b = write_cells(data, &layout, script);
    if (b.below + b.above)
        ws_plot_note(canvas,
                     "%zu of %zu values lie beyond the scale and have the colours of its ends; the farthest is %.3g.",
                     b.below + b.above, data->rows * data->columns, b.farthest);
    status = lay_out(request, layout.leaves, &m, canvas);
    if (!status) {
        write_names(data, &layout, &m, script);
        const size_t groups = write_groups(data, &m, script);
        ws_tree_layout_write(&layout, "branches", script);
        const double root = layout.height[2 * layout.leaves - 2];
        ws_script_number(script, "ws_rows", (double)layout.leaves);
        ws_script_number(script, "ws_columns", (double)data->columns);
        ws_script_number(script, "ws_groups", (double)groups);
        ws_script_number(script, "ws_column_font", m.font);
        ws_script_number(script, "ws_row_px", (canvas->bottom - canvas->top) / (double)layout.leaves);
        ws_script_number(script, "ws_tree_px", m.tree);
        ws_script_number(script, "ws_root", root > 0 ? root : 1);
        ws_script_number(script, "ws_feet", m.feet);
        ws_script_number(script, "ws_scale_end", SCALE_END);
        fprintf(script, "ws_low_mark = '%s'\nws_high_mark = '%s'\n", b.below ? "≤ " : "", b.above ? "≥ " : "");
    }
    ws_tree_layout_free(&layout);
    return status;
}
