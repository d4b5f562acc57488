/* figure_scree.c - how much variance does each principal component explain?
 *
 * data: a row a component with columns eigenvalue and share; the optional column kept (0 or 1) says which ones
 * are in use, else those with an eigenvalue above 1 (Kaiser's rule) are. most: how many to show (20). */
#include "plots/figure_internal.h"

enum { SHOWN = 20 };

static int write_bars(const ws_plot_request *request, size_t shown, const double *eigenvalue, const double *share,
                      FILE *script)
{
    const ws_frame *data = request->data;
    const long kept = ws_frame_find_column(data, "kept");
    double cumulative = 0;
    size_t in_use = 0;
    fputs("$bars << EOD\n", script);
    for (size_t i = 0; i < shown; i++) {
        cumulative += share[i];
        const int use = kept >= 0 ? data->value[i * data->columns + (size_t)kept] != 0 : eigenvalue[i] > 1;
        in_use += (size_t)use;
        fprintf(script, "%zu %.7g %.7g %u\n", i + 1, 100 * share[i], 100 * cumulative, use ? WS_BLUE : WS_LIGHT_GREY);
    }
    fputs("EOD\n", script);
    ws_script_number(script, "ws_shown", (double)shown);
    ws_script_number(script, "ws_kept", (double)in_use);
    return WS_OK;
}

int ws_figure_scree(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const size_t n = request->data->rows, most = request->most ? request->most : SHOWN;
    if (!n)
        return ws_fail(WS_EINPUT, "there are no components to show");
    double *value = calloc(2 * n, sizeof *value);
    if (!value)
        return ws_fail(WS_EMEM, "out of memory");
    int status = ws_plot_column(request->data, "eigenvalues", "eigenvalue", n, value);
    if (!status)
        status = ws_plot_column(request->data, "eigenvalues", "share", n, value + n);
    const double width = request->width_px ? request->width_px : 560;
    *canvas = (ws_canvas){width, 340, 62, width - 20, 18, 290};
    if (!status)
        status = write_bars(request, n < most ? n : most, value, value + n, script);
    free(value);
    return status;
}
