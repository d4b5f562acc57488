/* figure_network.c - which workloads load the network, how long do packets take, and who waits?
 *
 * data: what `warpscape sim` prints, or several such frames below one another: columns cycles and
 * noc_{request,reply}_{load_max,latency,latency_max,stalls}. Of a workload with several launches the row of all of them
 * is shown. Rows stand in falling order of the maximum channel load (N. Goswami, "Power Performance Co-Optimization of
 * Throughput Architecture Using Emerging Technologies" (2013), section 3.2). */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <stdbool.h>
#include <string.h>

static const double row_px = 17, label_px = 10, usual_px = 215, least_px = 75, gap_px = 30;
static const double head_px = 42, foot_px = 46, edge_px = 18;
enum { LOAD, LATENCY, LATENCY_MAX, STALLS, MEASURES, DIRECTIONS = 2, PANELS = 3 };
static const char *const directions[DIRECTIONS] = {"request", "reply"};
static const char *const measures[MEASURES] = {"load_max", "latency", "latency_max", "stalls"};

typedef struct one {
    char name[WS_NAME_BYTES];
    double value[DIRECTIONS][MEASURES]; /* stalls: nodes that wait, mean */
} one;

typedef struct network {
    const ws_frame *data;
    one *row; /* [rows] */
    size_t rows;
} network;

/* Launches of a workload whose sum is there, too, are not shown. */
static bool is_shown(const ws_frame *f, size_t row)
{
    const long launch = ws_frame_find_label(f, "launch");
    if (launch < 0 || !*f->label[row * f->labels + (size_t)launch])
        return true;
    for (size_t i = 0; i < f->rows; i++)
        if (!*f->label[i * f->labels + (size_t)launch] && !strcmp(f->label[i * f->labels], f->label[row * f->labels]))
            return false;
    return true;
}

static int read_row(const ws_frame *f, size_t row, one *to)
{
    const long cycles = ws_frame_find_column(f, "cycles");
    if (cycles < 0)
        return ws_fail(WS_EINPUT, "there is no column 'cycles'; this figure shows what `warpscape sim' prints");
    const double length = f->value[row * f->columns + (size_t)cycles];
    if (!(length > 0))
        return ws_fail(WS_EINPUT, "row %zu: the number of cycles is missing or 0", row + 1);
    snprintf(to->name, sizeof to->name, "%s", f->label[row * f->labels]);
    for (size_t d = 0; d < DIRECTIONS; d++) {
        for (size_t m = 0; m < MEASURES; m++) {
            char name[64];
            snprintf(name, sizeof name, "noc_%s_%s", directions[d], measures[m]);
            const long column = ws_frame_find_column(f, name);
            if (column < 0)
                return ws_fail(WS_EINPUT, "there is no column '%s'; this figure shows what `warpscape sim' prints",
                               name);
            const double value = f->value[row * f->columns + (size_t)column];
            to->value[d][m] = m == STALLS ? value / length : value;
        }
    }
    return WS_OK;
}

static double load_of(const one *r)
{
    return fmax(r->value[0][LOAD], r->value[1][LOAD]);
}

static int by_load(const void *a, const void *b)
{
    const double x = load_of(a), y = load_of(b);
    return x != y ? (x < y) - (x > y) : strcmp(((const one *)a)->name, ((const one *)b)->name);
}

static int read_rows(network *n)
{
    int status = WS_OK;
    for (size_t i = 0; i < n->data->rows && !status; i++)
        if (is_shown(n->data, i))
            status = read_row(n->data, i, &n->row[n->rows++]);
    if (!status && !n->rows)
        status = ws_fail(WS_EINPUT, "there are no workloads to show");
    qsort(n->row, n->rows, sizeof *n->row, by_load);
    return status;
}

/* Whole powers of ten around what is shown on an axis of powers. */
static void write_range(const network *n, int first, int last, const char *what, FILE *script)
{
    double low = INFINITY, high = 1;
    for (size_t i = 0; i < n->rows; i++)
        for (size_t d = 0; d < DIRECTIONS; d++)
            for (int m = first; m <= last; m++)
                if (n->row[i].value[d][m] > 0) {
                    low = fmin(low, n->row[i].value[d][m]);
                    high = fmax(high, n->row[i].value[d][m]);
                }
    char name[32];
    const double decade = isfinite(low) ? floor(log10(low)) : 0;
    snprintf(name, sizeof name, "ws_%s_low", what);
    ws_script_number(script, name, pow(10, decade));
    snprintf(name, sizeof name, "ws_%s_high", what);
    ws_script_number(script, name, pow(10, fmax(ceil(log10(high)), decade + 1)));
}

static void write_rows(const network *n, double names_px, FILE *script)
{
    double most = 0;
    fputs("$rows << EOD\n", script);
    for (size_t i = 0; i < n->rows; i++) {
        fprintf(script, "%zu ", i);
        char name[WS_NAME_BYTES] = "";
        if (names_px > 0)
            ws_shown(name, sizeof name, n->row[i].name);
        ws_text_fit(name, label_px, names_px);
        ws_script_text(script, name);
        for (size_t d = 0; d < DIRECTIONS; d++) {
            most = fmax(most, n->row[i].value[d][STALLS]);
            for (size_t m = 0; m < MEASURES; m++) /* without packets there is no latency */
                fprintf(script, n->row[i].value[d][m] > 0 || m == STALLS ? " %.5g" : " NaN", n->row[i].value[d][m]);
        }
        fputc('\n', script);
    }
    fputs("EOD\n", script);
    write_range(n, LOAD, LOAD, "load", script);
    write_range(n, LATENCY, LATENCY_MAX, "latency", script);
    const double step = ws_nice_step(most > 0 ? most : 1, 4);
    ws_script_number(script, "ws_stall_step", step);
    ws_script_number(script, "ws_stall_high", ceil((most > 0 ? most : 1) / step) * step);
    ws_script_number(script, "ws_rows", (double)n->rows);
}

static double names_width(const network *n)
{
    double widest = 0;
    for (size_t i = 0; i < n->rows; i++)
        widest = fmax(widest, ws_text_width(n->row[i].name, label_px));
    return fmin(widest, 200);
}

static int lay_out(const ws_plot_request *request, const network *n, double *names, double *panel_px, ws_canvas *canvas)
{
    const double ends = head_px + foot_px;
    *names = ws_plot_rows_names(request, n->rows, row_px, ends, names_width(n), 0.3);
    const double fixed = *names + 16 + (PANELS - 1) * gap_px + edge_px;
    int status = ws_plot_width(request, fixed + PANELS * least_px, fixed + PANELS * usual_px, canvas);
    if (!status)
        status = ws_plot_rows_height(request, n->rows, row_px, ends, *names, canvas);
    *panel_px = (canvas->width - fixed) / PANELS;
    canvas->left = *names + 16;
    canvas->right = canvas->width - edge_px;
    canvas->top = head_px;
    canvas->bottom = canvas->height - foot_px;
    return status;
}

int ws_figure_network(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    network n = {.data = request->data, .row = calloc(request->data->rows + 1, sizeof *n.row)};
    if (!n.row)
        return ws_fail(WS_EMEM, "out of memory");
    int status = read_rows(&n);
    if (!status) {
        double names, panel_px;
        status = lay_out(request, &n, &names, &panel_px, canvas);
        if (!status) {
            write_rows(&n, names, script);
            ws_script_number(script, "ws_panel", panel_px);
            ws_script_number(script, "ws_gap", gap_px);
        }
    }
    free(n.row);
    return status;
}
