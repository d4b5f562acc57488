/* figure_scree.c - how much variance does each principal component explain?
 *
 * data: a row a component with columns eigenvalue and share; the optional column kept (0 or 1) says which ones
 * are in use, else those with an eigenvalue above 1 (Kaiser's rule) are. most: how many to show (20). */
#include "plots/figure_internal.h"

#include <stdbool.h>

enum { SHOWN = 20 };

/* All components are counted, those that are shown are drawn. */
static void write_bars(const ws_plot_request *request, size_t shown, const double *eigenvalue, const double *share,
                       FILE *script)
{
    const ws_frame *data = request->data;
    const long kept = ws_frame_find_column(data, "kept");
    double cumulative = 0;
    size_t in_use = 0;
    fputs("$bars << EOD\n", script);
    for (size_t i = 0; i < data->rows; i++) {
        cumulative += share[i];
        const bool use = kept >= 0 ? data->value[i * data->columns + (size_t)kept] != 0 : eigenvalue[i] > 1;
        in_use += use;
        if (i < shown)
            fprintf(script, "%zu %.7g %.7g %u\n", i + 1, 100 * share[i], 100 * cumulative,
                    use ? WS_BLUE : WS_LIGHT_GREY);
    }
    fputs("EOD\n", script);
    ws_script_number(script, "ws_shown", (double)shown);
    ws_script_number(script, "ws_step", fmax(ws_nice_step((double)shown, 24), 1));
    ws_script_number(script, "ws_kept", (double)in_use);
    ws_script_number(script, "ws_left_out", (double)(data->rows - in_use));
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
    const size_t shown = n < most ? n : most;
    if (!status)
        status = ws_plot_width(request, 200, 560, canvas);
    if (!status && shown < n)
        ws_plot_note(canvas, "The first %zu of %zu components.", shown, n);
    if (!status)
        status = ws_plot_height(request, 160, 340, canvas);
    if (!status) {
        canvas->left = 62;
        canvas->right = canvas->width - 20;
        canvas->top = 18;
        canvas->bottom = canvas->height - 50;
        write_bars(request, shown, value, value + n, script);
    }
    free(value);
    return status;
}
