/* figure_strata.c - which launches of a program are alike, and which of them stand for the others?
 *
 * data: a row a launch with columns launch (its number, rising), warp_instructions, stratum (1, 2, ...) and weight: how
 * many launches it stands for, 0 for those that are not chosen. */
#include "plots/figure_internal.h"

#include <stdbool.h>

enum { LAUNCH, COST, STRATUM, WEIGHT, COLUMNS, LABELLED = 24 };
static const double wide = 20; /* greatest over least: beyond it, a logarithmic axis */

static size_t count_chosen(const double *weight, size_t n)
{
    size_t chosen = 0;
    for (size_t i = 0; i < n; i++)
        chosen += weight[i] > 0;
    return chosen;
}

static void write_points(const double *const column[COLUMNS], size_t n, bool log_axis, bool labelled, FILE *script)
{
    fputs("$launches << EOD\n", script);
    for (size_t i = 0; i < n; i++) {
        const long stratum = (long)column[STRATUM][i];
        if (!log_axis || column[COST][i] > 0)
            fprintf(script, "%.9g %.9g %d %u %.7g\n", column[LAUNCH][i], column[COST][i], ws_cluster_marker(stratum),
                    ws_cluster_color(stratum), column[WEIGHT][i]);
    }
    /* The first row has no text: gnuplot wants one that it can place. */
    fprintf(script, "EOD\n$weights << EOD\n%.9g %.9g 0\n", column[LAUNCH][0], fmax(column[COST][0], 1));
    for (size_t i = 0; i < n && labelled; i++)
        if (column[WEIGHT][i] > 0)
            fprintf(script, "%.9g %.9g %.7g\n", column[LAUNCH][i], column[COST][i], column[WEIGHT][i]);
    fputs("EOD\n", script);
}

static int check(const double *const column[COLUMNS], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (column[STRATUM][i] < 1 || column[WEIGHT][i] < 0 || column[COST][i] < 0)
            return ws_fail(WS_EINPUT,
                           "row %zu of launches: a stratum is 1 or more, weight and warp_instructions are not negative",
                           i + 1);
    return WS_OK;
}

/* Launches without instructions have no place on a logarithmic axis. */
static void write_axes(const double *const column[COLUMNS], size_t n, ws_canvas *canvas, FILE *script)
{
    double least = INFINITY, most = 0;
    size_t none = 0;
    for (size_t i = 0; i < n; i++) {
        none += !(column[COST][i] > 0);
        least = column[COST][i] > 0 ? fmin(least, column[COST][i]) : least;
        most = fmax(most, column[COST][i]);
    }
    const bool log_axis = most > wide * least;
    const size_t chosen = count_chosen(column[WEIGHT], n);
    const double first = column[LAUNCH][0], last = column[LAUNCH][n - 1], room = fmax((last - first) * 0.03, 0.5);
    ws_script_number(script, "ws_log", log_axis);
    ws_script_number(script, "ws_x_low", first - room);
    ws_script_number(script, "ws_x_high", last + room);
    ws_script_number(script, "ws_x_step", fmax(ws_nice_step(last - first + 1, 10), 1));
    ws_script_number(script, "ws_y_low", log_axis ? least / 2 : 0);
    ws_script_number(script, "ws_y_high", log_axis ? most * 3 : most > 0 ? most * 1.2 : 1);
    write_points(column, n, log_axis, chosen <= LABELLED, script);
    if (log_axis && none)
        ws_plot_note(canvas, "%zu launches without instructions are not shown.", none);
    if (chosen > LABELLED)
        ws_plot_note(canvas, "Rings: the %zu launches that are chosen; so many weights are not written.", chosen);
    else
        ws_plot_note(canvas,
                     "Rings: launches that are chosen, with how many each stands for. Colours and forms: strata.");
}

int ws_figure_strata(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    static const char *const name[COLUMNS] = {"launch", "warp_instructions", "stratum", "weight"};
    const size_t n = request->data->rows;
    if (!n)
        return ws_fail(WS_EINPUT, "there are no launches to show");
    double *const value = calloc(COLUMNS * n, sizeof *value);
    const double *column[COLUMNS];
    int status = value ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t c = 0; c < COLUMNS && !status; c++) {
        column[c] = value + c * n;
        status = ws_plot_column(request->data, "launches", name[c], n, value + c * n);
    }
    if (!status)
        status = check(column, n);
    if (!status)
        status = ws_plot_width(request, 260, 720, canvas);
    if (!status) {
        write_axes(column, n, canvas, script);
        status = ws_plot_height(request, 180, 340, canvas);
    }
    if (!status) {
        canvas->left = 76;
        canvas->right = canvas->width - 20;
        canvas->top = 18;
        canvas->bottom = canvas->height - 50;
    }
    free(value);
    return status;
}
