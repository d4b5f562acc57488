/* figure_biplot.c - which characteristics set workloads apart, and in which direction?
 *
 * data: a row a workload, columns are components; x, y: those to show. arrows: their loadings, a row a characteristic;
 * most: how many of the longest are shown (10). groups, variance, labels as for scores.
 *
 * K. R. Gabriel, The biplot graphic display of matrices with application to principal component analysis, Biometrika
 * 58, 1971: a matrix of rank two is a product G H' of marks of rows and of columns, and each of its numbers is the
 * inner product of two marks. Of the factorings he gives this is the one that keeps the distances of rows (his J K'):
 * rows stand at their scores, characteristics at their unit eigenvectors. So a score along an arrow, times the arrow's
 * length, is the standardised characteristic as far as these two components tell it. All arrows are stretched by one
 * factor, to be as far as the points; a note says it. */
#include "plots/plane.h"

#include <stdbool.h>

enum { ARROWS = 10 };
enum { ARROW_COLOR = 0x7A3500 };   /* dark brown, apart from the colours of clusters */
static const double margin = 0.09; /* around points and arrows, a fraction of their extent */

typedef struct arrow {
    double x, y; /* loadings */
    size_t row;
} arrow;

static double length(const arrow *a)
{
    return hypot(a->x, a->y);
}

/* Of equally long ones the earlier row first. */
static int by_length(const void *a, const void *b)
{
    const arrow *const p = a, *const q = b;
    const double d = length(q) - length(p);
    return d > 0 ? 1 : d < 0 ? -1 : (p->row > q->row) - (p->row < q->row);
}

static int read_arrows(const ws_plot_request *request, arrow *all)
{
    const ws_frame *const loadings = request->arrows;
    if (loadings->columns <= request->x || loadings->columns <= request->y)
        return ws_fail(WS_EINPUT, "biplot: loadings of %zu components, where the plane is of components %zu and %zu",
                       loadings->columns, request->x + 1, request->y + 1);
    for (size_t i = 0; i < loadings->rows; i++) {
        const double *const row = loadings->value + i * loadings->columns;
        all[i] = (arrow){row[request->x], row[request->y], i};
        if (!isfinite(all[i].x) || !isfinite(all[i].y))
            return ws_fail(WS_EINPUT, "biplot: row %zu of the loadings has no number", i + 1);
    }
    qsort(all, loadings->rows, sizeof *all, by_length);
    return WS_OK;
}

static double farthest(const double *value, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(value[i]));
    return most;
}

/* As far as arrows reach where the points do, in the direction that has less room; of three digits, which the note
 * says. */
static double find_stretch(const ws_plane_rows *rows, const arrow *shown, size_t n)
{
    double x = 0, y = 0;
    for (size_t i = 0; i < n; i++) {
        x = fmax(x, fabs(shown[i].x));
        y = fmax(y, fabs(shown[i].y));
    }
    const double wide = farthest(rows->x, rows->n), high = farthest(rows->y, rows->n);
    const double stretch = fmin(x > 0 && wide > 0 ? wide / x : INFINITY, y > 0 && high > 0 ? high / y : INFINITY);
    char digits[32];
    snprintf(digits, sizeof digits, "%.3g", isfinite(stretch) ? stretch : 1);
    return strtod(digits, NULL);
}

static ws_limits with_ends(const double *value, size_t rows, const arrow *shown, size_t n, double stretch,
                           bool vertical)
{
    ws_limits l = {0, 0};
    for (size_t i = 0; i < rows; i++)
        l = (ws_limits){fmin(l.low, value[i]), fmax(l.high, value[i])};
    for (size_t i = 0; i < n; i++) {
        const double end = stretch * (vertical ? shown[i].y : shown[i].x);
        l = (ws_limits){fmin(l.low, end), fmax(l.high, end)};
    }
    return ws_plot_limits((const double[]){l.low, l.high}, 2, margin);
}

static void write_arrows(const arrow *shown, size_t n, double stretch, FILE *script)
{
    fputs("$arrows << EOD\n", script);
    for (size_t i = 0; i < n; i++)
        fprintf(script, "%.7g %.7g\n", stretch * shown[i].x, stretch * shown[i].y);
    fputs("EOD\n", script);
    fprintf(script, "ws_arrow_color = %u\n", (unsigned)ARROW_COLOR);
}

static int draw(const ws_plane_rows *rows, const ws_plot_request *request, const arrow *shown, size_t arrows,
                ws_canvas *canvas, ws_plane_names *names, FILE *script)
{
    int status = ws_plot_width(request, 200, 640, canvas);
    if (status)
        return status;
    canvas->left = 62;
    canvas->right = canvas->width - 16;
    canvas->top = 14;
    const double stretch = find_stretch(rows, shown, arrows);
    const ws_plane plane = {with_ends(rows->x, rows->n, shown, arrows, stretch, false),
                            with_ends(rows->y, rows->n, shown, arrows, stretch, true), canvas};
    ws_plot_note(canvas, "Arrows: loadings times %g, the %zu longest of %zu.", stretch, arrows, request->arrows->rows);
    ws_plane_rows_name(rows, request, names, canvas);
    const int last = 2; /* to be left out: an arrow without a name says nothing */
    for (size_t i = 0; i < arrows; i++) {
        ws_plane_names_add(names, stretch * shown[i].x, stretch * shown[i].y, WS_TIP_PX,
                           request->labels == WS_LABELS_NONE ? NULL : request->arrows, shown[i].row, last, ARROW_COLOR);
        ws_plane_names_shaft(names, 0, 0);
    }
    const ws_plane_height height = {.least_px = 150, .usual_px = 0.72 * canvas->width + 16, .foot_px = 50};
    status = ws_plane_settle(request, &height, names, &plane, canvas);
    if (status)
        return status;
    ws_plane_rows_write(rows, request, &plane, script);
    write_arrows(shown, arrows, stretch, script);
    ws_plane_names_write(names, &plane, script);
    return WS_OK;
}

int ws_figure_biplot(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    if (!request->arrows || !request->arrows->rows)
        return ws_fail(WS_EINPUT, "a biplot needs loadings");
    const size_t most = request->most ? request->most : ARROWS, all = request->arrows->rows,
                 shown = all < most ? all : most;
    ws_plane_rows rows;
    ws_plane_names names = {0};
    arrow *const arrows = calloc(all, sizeof *arrows);
    int status = ws_plane_rows_init(&rows, request, "biplot");
    if (!status && !arrows)
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = read_arrows(request, arrows);
    if (!status)
        status = ws_plane_names_init(&names, rows.n + shown);
    if (!status)
        status = draw(&rows, request, arrows, shown, canvas, &names, script);
    ws_plane_names_fini(&names);
    ws_plane_rows_fini(&rows);
    free(arrows);
    return status;
}
