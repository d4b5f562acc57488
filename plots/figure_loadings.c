/* figure_loadings.c - which characteristics make up each component?
 *
 * data: a row a characteristic, a column a component. Shown are the first components, up to PANELS, each with its
 * strongest characteristics (most: how many, 10). variance: shares for the panels' titles. */
#include "plots/figure_internal.h"

enum { PANELS = 6, BARS = 10 };

static const double bar_px = 15, least_bar_px = 8, panel_head_px = 24, panel_foot_px = 44, label_px = 9.5, edge_px = 6;
static const double usual_px = 480, usual_bars_px = 130, least_panel_px = 130;

typedef struct ranked {
    double value;
    size_t row;
} ranked;

static int by_strength(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    const double d = fabs(y->value) - fabs(x->value);
    return d > 0 ? 1 : d < 0 ? -1 : (x->row > y->row) - (x->row < y->row);
}

/* The rows by falling strength in a component. */
static int rank_rows(const ws_frame *data, size_t column, ranked *order)
{
    for (size_t i = 0; i < data->rows; i++) {
        order[i] = (ranked){data->value[i * data->columns + column], i};
        if (!isfinite(order[i].value))
            return ws_fail(WS_EINPUT, "loadings: row %zu has no number in column '%s'", i + 1,
                           data->column[column].name);
    }
    qsort(order, data->rows, sizeof *order, by_strength);
    return WS_OK;
}

static void write_panel(const ws_plot_request *request, size_t bars, const ranked *order, double names_px, FILE *script)
{
    char name[WS_NAME_BYTES];
    for (size_t i = 0; i < bars; i++) {
        ws_plot_row_name(request->data, order[i].row, name);
        ws_text_fit(name, label_px, names_px);
        fprintf(script, "%zu %.7g %u ", i, order[i].value, order[i].value < 0 ? WS_VERMILLION : WS_BLUE);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fprintf(script, "\n\n");
}

static void write_titles(const ws_plot_request *request, size_t panels, FILE *script)
{
    fprintf(script, "array ws_panel[%zu]\n", panels);
    for (size_t p = 0; p < panels; p++) {
        char title[WS_NAME_BYTES + 16];
        const char *name = request->data->column[p].name;
        const double share = ws_plot_share(request, p);
        if (isfinite(share))
            snprintf(title, sizeof title, "%.*s (%.1f %%)", WS_NAME_BYTES, name, 100 * share);
        else
            snprintf(title, sizeof title, "%.*s", WS_NAME_BYTES, name);
        fprintf(script, "ws_panel[%zu] = ", p + 1);
        ws_script_string(script, title);
        fputc('\n', script);
    }
}

typedef struct layout {
    size_t panels, across, down, bars; /* bars: of a panel */
    double names_px, panel_px;         /* room for names; height of a panel */
} layout;

/* Where a width is asked for, panels stand in as many columns as it has room for. */
static int lay_out(const ws_plot_request *request, layout *l, ws_canvas *canvas)
{
    const ws_frame *data = request->data;
    const size_t most = request->most ? request->most : BARS;
    l->panels = data->columns < PANELS ? data->columns : PANELS;
    l->bars = data->rows < most ? data->rows : most;
    l->across = l->panels < 3 ? l->panels : l->panels == 4 ? 2 : 3;
    while (l->across > 1 && request->width_px && request->width_px / (double)l->across < least_panel_px)
        l->across--;
    l->down = (l->panels + l->across - 1) / l->across;
    const double names_px = fmin(ws_rows_width(data, label_px), 190), across = (double)l->across;
    l->names_px = ws_plot_names_room(request, names_px, 0.45 / across);
    int status = ws_plot_width(request, least_panel_px, fmax(across * (names_px + usual_bars_px), usual_px), canvas);
    if (!status && l->panels < data->columns)
        ws_plot_note(canvas, "The first %zu of %zu components.", l->panels, data->columns);
    if (!status && l->bars < data->rows)
        ws_plot_note(canvas, "Of each the %zu strongest of %zu characteristics.", l->bars, data->rows);
    const double bars = (double)l->bars, fixed_px = panel_head_px + panel_foot_px, down = (double)l->down;
    if (!status)
        status = ws_plot_height(request, down * (fixed_px + bars * least_bar_px) + edge_px,
                                down * (fixed_px + bars * bar_px) + edge_px, canvas);
    l->panel_px = (canvas->height - edge_px) / down;
    canvas->right = canvas->width;
    canvas->top = 4;
    canvas->bottom = canvas->height - 2;
    return status;
}

int ws_figure_loadings(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    if (!data->rows || !data->columns)
        return ws_fail(WS_EINPUT, "there are no loadings to show");
    layout l;
    int status = lay_out(request, &l, canvas);
    if (status)
        return status;
    ranked *order = calloc(data->rows, sizeof *order);
    if (!order)
        return ws_fail(WS_EMEM, "out of memory");
    double strongest = 0;
    fputs("$bars << EOD\n", script);
    for (size_t p = 0; p < l.panels && !status; p++) {
        status = rank_rows(data, p, order);
        strongest = fmax(strongest, fabs(order[0].value));
        if (!status)
            write_panel(request, l.bars, order, l.names_px, script);
    }
    fputs("EOD\n", script);
    free(order);
    write_titles(request, l.panels, script);
    ws_script_number(script, "ws_panels", (double)l.panels);
    ws_script_number(script, "ws_across", (double)l.across);
    ws_script_number(script, "ws_bars", (double)l.bars);
    ws_script_number(script, "ws_names", l.names_px);
    ws_script_number(script, "ws_panel_px", l.panel_px);
    ws_script_number(script, "ws_head_px", panel_head_px);
    ws_script_number(script, "ws_foot_px", panel_foot_px);
    ws_script_number(script, "ws_strongest", strongest > 0 ? strongest : 1);
    return status;
}
