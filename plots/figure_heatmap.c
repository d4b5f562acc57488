/* figure_heatmap.c - how does every workload stand in every characteristic?
 *
 * data: standardised characteristics (units of standard deviations); missing values stay grey. tree: the merges, which
 * give the rows their order and stand at the left. groups: colours of the tree. column_tree: merges of the columns,
 * which give these their order and stand above; a strip below it has the colour of each column's group. Without it
 * columns of one group stand together as they do in the frame, with the group's name above. labels: names of which rows
 * are shown; of none, neither those of columns. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <string.h>

static const double row_px = 15, label_px = 10, group_px = 10, tree_px = 90, least_tree_px = 40, head_px = 26,
                    foot_px = 46, column_tree_px = 60, strip_px = 7, key_line_px = 16;
static const double most_names_px = 220, most_feet_px = 170, least_letters_px = 6;
enum { MOST_LINES = 8000, MOST_VALUES = 1000000 }; /* a pixel each; a picture that programs open */
enum { SCALE_END = 3, LEAST_MATRIX_PX = 60 };      /* the scale ends there at both sides, in standard deviations */

typedef struct map {
    size_t *order;                    /* [columns] from the left */
    size_t *kind, kinds;              /* [columns] of the groups that columns have */
    double key_right;                 /* pixels: where the key of groups ends */
    double head, foot;                /* pixels above and below the matrix, but for names of columns */
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

static beyond write_cells(const ws_frame *data, const ws_tree_layout *l, const size_t *order, FILE *script)
{
    beyond b = {0};
    fputs("$cells << EOD\n", script);
    for (size_t i = 0; i < l->leaves; i++) {
        const double *row = data->value + l->order[i] * data->columns;
        for (size_t j = 0; j < data->columns; j++) {
            const double value = row[order[j]];
            if (!isfinite(value))
                continue;
            b.below += value < -SCALE_END;
            b.above += value > SCALE_END;
            b.farthest = fabs(value) > fabs(b.farthest) ? value : b.farthest;
            fprintf(script, "%zu %zu %.4g\n", j, i, value);
        }
    }
    fputs("EOD\n", script);
    return b;
}

/* Names are as long as there is room for; without room there are none. */
static void write_names(const ws_frame *data, const ws_tree_layout *l, const map *m, const char *representative,
                        const ws_canvas *canvas, FILE *script)
{
    char name[WS_NAME_BYTES];
    double free_px = 0;
    fputs("$rows << EOD\n", script);
    for (size_t i = 0; i < l->leaves; i++) {
        *name = '\0';
        if (m->names > 0 && ws_plot_row_named(canvas, i, representative[l->order[i]], &free_px))
            ws_plot_row_name(data, l->order[i], name);
        ws_text_fit(name, label_px, m->names);
        fprintf(script, "%zu ", i);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n$columns << EOD\n", script);
    for (size_t j = 0; j < data->columns; j++) {
        ws_shown(name, m->feet > 0 ? sizeof name : 1, data->column[m->order[j]].name);
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

/* Columns of one group have one kind, 0, 1, ... by their first columns in the frame: a colour of ws_kind_color. */
static int find_kinds(const ws_frame *data, map *m)
{
    size_t *const first = calloc(data->columns, sizeof *first); /* column of each kind */
    m->kind = calloc(data->columns, sizeof *m->kind);
    if (!m->kind || !first) {
        free(first);
        return ws_fail(WS_EMEM, "out of memory");
    }
    for (size_t j = 0, k; j < data->columns; j++) {
        for (k = 0; k < m->kinds && strcmp(data->column[first[k]].group, data->column[j].group) != 0;)
            k++;
        if (k == m->kinds)
            first[m->kinds++] = j;
        m->kind[j] = k;
    }
    free(first);
    return WS_OK;
}

/* The key of groups below the matrix: place, colour, name; nothing is written where script is NULL.
 * Returns its height. */
static double write_key(const ws_frame *data, const map *m, FILE *script)
{
    static const double mark_px = 14, next_px = 14, left_px = 16;
    const double right_px = m->key_right;
    double x = left_px, y = 0;
    for (size_t j = 0, kinds = 0; m->kinds > 1 && j < data->columns; j++) {
        if (m->kind[j] < kinds) /* its group has an entry */
            continue;
        kinds++;
        char name[WS_NAME_BYTES];
        ws_shown(name, sizeof name, *data->column[j].group ? data->column[j].group : "no group");
        ws_text_fit(name, group_px, right_px - left_px - mark_px);
        const double width_px = mark_px + ws_text_width(name, group_px);
        if (x > left_px && x + width_px > right_px) {
            x = left_px;
            y += key_line_px;
        }
        if (script) {
            fprintf(script, "%.7g %.7g %u ", x, y, ws_kind_color(m->kind[j]));
            ws_script_text(script, name);
            fputc('\n', script);
        }
        x += width_px + next_px;
    }
    return m->kinds > 1 ? y + key_line_px : 0;
}

/* Elbows of the column tree, the strip below it, and its key. */
static void write_column_tree(const ws_frame *data, const ws_tree_layout *columns, const map *m, FILE *script)
{
    ws_tree_layout_write(columns, "column_branches", script);
    const double root = columns->height[2 * columns->leaves - 2];
    ws_script_number(script, "ws_column_root", root > 0 ? root : 1);
    fputs("$strip << EOD\n", script);
    for (size_t j = 0; m->kinds > 1 && j < data->columns; j++)
        fprintf(script, "%zu %u\n", j, ws_kind_color(m->kind[m->order[j]]));
    fputs("EOD\n$group_key << EOD\n", script);
    write_key(data, m, script);
    fputs("EOD\n", script);
}

/* Where the key of groups ends, before the width of the picture is known: as wide as matrix and names will be. */
static double key_right(const ws_plot_request *request, const map *m)
{
    return request->width_px ? request->width_px
                             : fmax(m->tree + 32 + m->column * (double)request->data->columns, m->tree + 274);
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
    if (request->labels == WS_LABELS_NONE)
        m->feet = 0;
    m->head = request->column_tree ? 8 + column_tree_px + strip_px : head_px;
    m->key_right = key_right(request, m) - 8;
    m->foot = foot_px + (request->column_tree ? write_key(data, m, NULL) : 0);
    const double ends = m->head + m->feet + 8 + m->foot;
    m->names = ws_plot_rows_names(request, leaves, row_px, ends, wanted, 0.3);
    int status = ws_plot_width(request, (least + LEAST_MATRIX_PX) / 0.55,
                               fmax(fixed + m->column * columns + m->names, m->tree + 274), canvas);
    if (!status && request->width_px)
        m->column = (canvas->width - fixed - m->names) / columns;
    if (!status && !(m->feet > 0) && request->labels != WS_LABELS_NONE)
        ws_plot_note(canvas, "Names of columns are left out: %zu columns.", data->columns);
    if (!status)
        status = ws_plot_rows_height(request, leaves, row_px, ends, m->names, canvas);
    canvas->left = m->tree + 14;
    canvas->right = canvas->left + m->column * columns;
    canvas->top = m->head;
    canvas->bottom = canvas->height - m->feet - 8 - m->foot;
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

/* The columns from the left: in the order of their tree, else of the frame. */
static int order_columns(const ws_plot_request *request, ws_tree_layout *columns, map *m)
{
    const size_t n = request->data->columns;
    m->order = calloc(n, sizeof *m->order);
    if (!m->order)
        return ws_fail(WS_EMEM, "out of memory");
    const int status = request->column_tree ? ws_tree_layout_of(request->column_tree, n, columns) : WS_OK;
    for (size_t j = 0; !status && j < n; j++)
        m->order[j] = request->column_tree ? columns->order[j] : j;
    return status;
}

static void write_numbers(const ws_plot_request *request, const ws_tree_layout *rows, const map *m, const beyond *b,
                          const ws_canvas *canvas, FILE *script)
{
    const double root = rows->height[2 * rows->leaves - 2];
    ws_script_number(script, "ws_rows", (double)rows->leaves);
    ws_script_number(script, "ws_columns", (double)request->data->columns);
    ws_script_number(script, "ws_column_font", m->font);
    ws_script_number(script, "ws_row_px", (canvas->bottom - canvas->top) / (double)rows->leaves);
    ws_script_number(script, "ws_tree_px", m->tree);
    ws_script_number(script, "ws_root", root > 0 ? root : 1);
    ws_script_number(script, "ws_feet", m->feet);
    ws_script_number(script, "ws_scale_end", SCALE_END);
    ws_script_number(script, "ws_columns_in_tree_order", request->column_tree != NULL);
    ws_script_number(script, "ws_column_tree_px", column_tree_px);
    ws_script_number(script, "ws_strip_px", strip_px);
    fprintf(script, "ws_low_mark = '%s'\nws_high_mark = '%s'\n", b->below ? "≤ " : "", b->above ? "≥ " : "");
}

static int draw(const ws_plot_request *request, const ws_tree_layout *rows, const ws_tree_layout *columns, map *m,
                const char *representative, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    const beyond b = write_cells(data, rows, m->order, script);
    if (b.below + b.above)
        ws_plot_note(canvas,
                     "%zu of %zu values lie beyond the scale and have the colours of its ends; the farthest is %.3g.",
                     b.below + b.above, data->rows * data->columns, b.farthest);
    if (request->column_tree)
        ws_plot_note(canvas, "Rows: %s. Columns: 1 - |correlation|.",
                     request->tree_axis ? request->tree_axis : "distance");
    const int status = lay_out(request, rows->leaves, m, canvas);
    if (status)
        return status;
    write_names(data, rows, m, representative, canvas, script);
    if (request->column_tree)
        write_column_tree(data, columns, m, script);
    else
        write_groups(data, m, script);
    ws_tree_layout_write(rows, "branches", script);
    write_numbers(request, rows, m, &b, canvas, script);
    return WS_OK;
}

int ws_figure_heatmap(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    ws_tree_layout rows = {0}, columns = {0};
    map m = {0};
    if (data->rows && !data->columns)
        return ws_fail(WS_EINPUT, "there are no characteristics to show");
    int status = ws_plot_check_heatmap(data->rows, data->columns);
    if (!status)
        status = ws_tree_layout_create(request, &rows);
    if (!status)
        status = order_columns(request, &columns, &m);
    if (!status)
        status = find_kinds(data, &m);
    long *const cluster = calloc(data->rows + 1, sizeof *cluster);
    char *const representative = calloc(data->rows + 1, 1);
    if (!status)
        status = cluster && representative ? ws_plot_groups(request, cluster, representative)
                                           : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = draw(request, &rows, &columns, &m, representative, canvas, script);
    free(cluster);
    free(representative);
    free(m.order);
    free(m.kind);
    ws_tree_layout_free(&rows);
    ws_tree_layout_free(&columns);
    return status;
}
