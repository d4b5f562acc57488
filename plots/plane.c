/* plane.c - where names of points stand, and how they are written into a script. */
#include "plots/plane.h"

#include "plots/placement.h"

static const double point_px = 3.8, ring_px = 6.5, label_px = 10, label_gap_px = 5;

/* The points that have names. */
typedef struct names {
    const ws_frame *data;
    const ws_plane *plane;
    const double *x, *y;
    const char *ringed;
    const size_t *row;
    size_t n;
} names;

static double to_px_x(const ws_plane *p, double x)
{
    return p->canvas->left + (x - p->x.low) / (p->x.high - p->x.low) * (p->canvas->right - p->canvas->left);
}

static double to_px_y(const ws_plane *p, double y)
{
    return p->canvas->bottom - (y - p->y.low) / (p->y.high - p->y.low) * (p->canvas->bottom - p->canvas->top);
}

static double from_px_x(const ws_plane *p, double px)
{
    return p->x.low + (px - p->canvas->left) / (p->canvas->right - p->canvas->left) * (p->x.high - p->x.low);
}

static double from_px_y(const ws_plane *p, double px)
{
    return p->y.low + (p->canvas->bottom - px) / (p->canvas->bottom - p->canvas->top) * (p->y.high - p->y.low);
}

static size_t row_of(const names *s, size_t i)
{
    return s->row ? s->row[i] : i;
}

/* Places the names, cut to width_px where they are longer; the number of faults left, or -1. */
static long place_names(const names *s, double width_px, ws_label *label)
{
    const ws_canvas *c = s->plane->canvas;
    const ws_box area = {c->left + 2, c->top + 2, c->right - 2, c->bottom - 2};
    char name[WS_NAME_BYTES];
    for (size_t i = 0; i < s->n; i++) {
        const size_t r = row_of(s, i);
        ws_plot_row_name(s->data, r, name);
        ws_text_fit(name, label_px, width_px);
        label[i] = (ws_label){.x = to_px_x(s->plane, s->x[r]),
                              .y = to_px_y(s->plane, s->y[r]),
                              .radius = s->ringed[r] ? ring_px : point_px,
                              .width = ws_text_width(name, label_px) + label_gap_px,
                              .height = label_px * 1.15};
    }
    return ws_labels_place(label, s->n, &area);
}

/* Text right of its point begins at its left edge, text left of it ends at its right one: the viewer's font may be
 * narrower than the estimate, and the gap should be at the far end. */
static int alignment(const ws_label *l)
{
    const double inner = l->width / 2 - 1;
    return l->cx - inner >= l->x ? 1 : l->cx + inner <= l->x ? -1 : 0;
}

static void write_label(const ws_plane *p, const ws_label *l, const char *name, FILE *script)
{
    const int side = alignment(l);
    fprintf(script, "%.7g %.7g ", from_px_x(p, l->cx - side * (l->width - label_gap_px) / 2), from_px_y(p, l->cy));
    ws_script_text(script, name);
    fprintf(script, " %d\n", side);
}

static void write_leaders(const names *s, const ws_label *label, FILE *script)
{
    fputs("EOD\n$leaders << EOD\n", script);
    for (size_t i = 0; i < s->n; i++)
        if (label[i].leader)
            fprintf(script, "%.7g %.7g\n%.7g %.7g\n\n", s->x[row_of(s, i)], s->y[row_of(s, i)],
                    from_px_x(s->plane, label[i].lx), from_px_y(s->plane, label[i].ly));
    fputs("EOD\n", script);
}

int ws_plane_write_names(const ws_frame *data, const ws_plane *plane, const double *x, const double *y,
                         const char *ringed, size_t n, const size_t *row, FILE *script)
{
    static const double widths_px[] = {320, 160, 120, 90, 70, 55};
    const names s = {data, plane, x, y, ringed, row, n};
    ws_label *label = calloc(n + 1, sizeof *label);
    if (!label)
        return ws_fail(WS_EMEM, "out of memory");
    long faults = 1;
    double width_px = 0;
    for (size_t w = 0; faults > 0 && w < sizeof widths_px / sizeof widths_px[0]; w++) {
        width_px = widths_px[w];
        faults = place_names(&s, width_px, label);
    }
    if (faults < 0) {
        free(label);
        return ws_fail(WS_EMEM, "out of memory");
    }
    fputs("$labels << EOD\n", script);
    for (size_t i = 0; i < n; i++) {
        char name[WS_NAME_BYTES];
        ws_plot_row_name(data, row_of(&s, i), name);
        ws_text_fit(name, label_px, width_px);
        write_label(plane, &label[i], name, script);
    }
    write_leaders(&s, label, script);
    ws_script_number(script, "ws_labels", (double)n);
    free(label);
    return WS_OK;
}
