/* figure_loadings.c - which characteristics make up each component?
 *
 * data: a row a characteristic, a column a component. Shown are the first components, up to PANELS, each with its
 * strongest characteristics (most: how many, 10). variance: shares for the panels' titles. */
#include "plots/figure_internal.h"

enum { PANELS = 6, BARS = 10 };

static const double bar_px = 15, panel_head_px = 24, panel_foot_px = 30, label_px = 9.5;

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

static void write_panel(const ws_plot_request *request, size_t bars, const ranked *order, FILE *script)
{
    char name[WS_NAME_BYTES];
    for (size_t i = 0; i < bars; i++) {
        ws_frame_row_name(request->data, order[i].row, name, sizeof name);
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

int ws_figure_loadings(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const ws_frame *data = request->data;
    const size_t panels = data->columns < PANELS ? data->columns : PANELS, most = request->most ? request->most : BARS;
    const size_t bars = data->rows < most ? data->rows : most, across = panels < 3 ? panels : panels == 4 ? 2 : 3;
    if (!data->rows || !data->columns)
        return ws_fail(WS_EINPUT, "there are no loadings to show");
    ranked *order = calloc(data->rows, sizeof *order);
    if (!order)
        return ws_fail(WS_EMEM, "out of memory");
    int status = WS_OK;
    double strongest = 0;
    fputs("$bars << EOD\n", script);
    for (size_t p = 0; p < panels && !status; p++) {
        status = rank_rows(data, p, order);
        strongest = fmax(strongest, fabs(order[0].value));
        if (!status)
            write_panel(request, bars, order, script);
    }
    fputs("EOD\n", script);
    free(order);
    const size_t down = (panels + across - 1) / across;
    const double names = fmin(ws_rows_width(data, label_px), 190), least = (double)across * (names + 130);
    const double width = request->width_px ? request->width_px : fmax(least, 480),
                 panel = panel_head_px + panel_foot_px + bar_px * (double)bars;
    *canvas = (ws_canvas){width, panel * (double)down + 6, 0, width, 4, panel * (double)down + 4};
    write_titles(request, panels, script);
    ws_script_number(script, "ws_panels", (double)panels);
    ws_script_number(script, "ws_across", (double)across);
    ws_script_number(script, "ws_bars", (double)bars);
    ws_script_number(script, "ws_names", names);
    ws_script_number(script, "ws_panel_px", panel);
    ws_script_number(script, "ws_head_px", panel_head_px);
    ws_script_number(script, "ws_foot_px", panel_foot_px);
    ws_script_number(script, "ws_strongest", strongest > 0 ? strongest : 1);
    return status;
}
