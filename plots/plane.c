/* plane.c - where names of points stand, and how they are written into a script. */
#include "plots/plane.h"

#include <string.h>

static const double label_px = 10, label_gap_px = 5;
static const double widths_px[] = {320, 160, 120,
                                   90,  70,  55}; /* of the longest names, tried in turn until all have room */
enum { THINNED = 1 }; /* where none helps, names of this width of them are left out: shorter ones say nothing */

struct ws_plane_name {
    double x, y, mark_px;
    const ws_frame *frame; /* NULL: no name */
    size_t row;
    int keep;
    uint32_t color;
    int shaft;
    double from_x, from_y;
};

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

int ws_plane_names_init(ws_plane_names *s, size_t room)
{
    *s = (ws_plane_names){
        .room = room, .name = calloc(room + 1, sizeof *s->name), .label = calloc(room + 1, sizeof *s->label)};
    return s->name && s->label ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

void ws_plane_names_fini(ws_plane_names *s)
{
    free(s->name);
    free(s->label);
    *s = (ws_plane_names){0};
}

void ws_plane_names_add(ws_plane_names *s, double x, double y, double mark_px, const ws_frame *frame, size_t row,
                        int keep, uint32_t color)
{
    s->name[s->n++] = (struct ws_plane_name){
        .x = x, .y = y, .mark_px = mark_px, .frame = frame, .row = row, .keep = keep, .color = color};
    s->named += frame != NULL;
}

void ws_plane_names_shaft(ws_plane_names *s, double x, double y)
{
    struct ws_plane_name *const last = &s->name[s->n - 1];
    last->shaft = 1;
    last->from_x = x;
    last->from_y = y;
}

void ws_plane_names_line(ws_plane_names *s, double x0, double y0, double x1, double y1)
{
    ws_plane_names_add(s, x1, y1, 0, NULL, 0, 0, WS_INK);
    ws_plane_names_shaft(s, x0, y0);
}

static bool is_only_one(const ws_plane_names *s, const struct ws_plane_name *name, const char *brief)
{
    char other[WS_NAME_BYTES];
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->name[i].frame == name->frame && s->name[i].row != name->row) {
            ws_plot_row_name(s->name[i].frame, s->name[i].row, other);
            ws_text_brief(other);
            n += !strcmp(brief, other);
        }
    return !n;
}

/* A name that is too long goes without the parameters of its function, where these do not tell it from others; then
 * without its middle. */
static void text_of(const ws_plane_names *s, const struct ws_plane_name *name, double width_px,
                    char text[WS_NAME_BYTES])
{
    char brief[WS_NAME_BYTES];
    ws_plot_row_name(name->frame, name->row, text);
    if (ws_text_width(text, label_px) <= width_px)
        return;
    memcpy(brief, text, WS_NAME_BYTES);
    ws_text_brief(brief);
    if (is_only_one(s, name, brief))
        memcpy(text, brief, WS_NAME_BYTES);
    ws_text_fit(text, label_px, width_px);
}

static ws_box area_of(const ws_plane *p)
{
    const ws_canvas *c = p->canvas;
    return (ws_box){c->left + 2, c->top + 2, c->right - 2, c->bottom - 2};
}

/* Places the names, cut to width_px where they are longer; the number of faults left, or -1. */
static long place(ws_plane_names *s, const ws_plane *plane, double width_px)
{
    const ws_box area = area_of(plane);
    for (size_t i = 0; i < s->n; i++) {
        const struct ws_plane_name *const name = &s->name[i];
        char text[WS_NAME_BYTES] = "";
        if (name->frame)
            text_of(s, name, width_px, text);
        s->label[i] = (ws_label){.x = to_px_x(plane, name->x),
                                 .y = to_px_y(plane, name->y),
                                 .radius = name->mark_px,
                                 .shaft = name->shaft,
                                 .sx = to_px_x(plane, name->from_x),
                                 .sy = to_px_y(plane, name->from_y),
                                 .keep = name->keep,
                                 .hidden = !name->frame,
                                 .width = ws_text_width(text, label_px) + label_gap_px,
                                 .height = label_px * 1.15};
    }
    return ws_labels_place(s->label, s->n, &area);
}

int ws_plane_names_place(ws_plane_names *s, const ws_plane *plane)
{
    const ws_box area = area_of(plane);
    long faults = 1;
    for (size_t w = 0; faults > 0 && w < sizeof widths_px / sizeof widths_px[0]; w++)
        faults = place(s, plane, widths_px[w]);
    if (faults > 0) {
        faults = place(s, plane, widths_px[THINNED]);
        faults = faults < 0 ? faults : ws_labels_thin(s->label, s->n, &area);
    }
    if (faults < 0)
        return ws_fail(WS_EMEM, "out of memory");
    s->left_out = (size_t)faults;
    return WS_OK;
}

/* Text right of its point begins at its left edge, text left of it ends at its right one: the viewer's font may be
 * narrower than the estimate, and the gap should be at the far end. */
static int alignment(const ws_label *l)
{
    const double inner = l->width / 2 - 1;
    return l->cx - inner >= l->x ? 1 : l->cx + inner <= l->x ? -1 : 0;
}

/* The name as it was placed: as wide as its label. */
static void write_label(const ws_plane *p, const ws_plane_names *s, const ws_label *l, const struct ws_plane_name *name,
                        FILE *script)
{
    const int side = alignment(l);
    char text[WS_NAME_BYTES];
    text_of(s, name, l->width - label_gap_px + 1e-6, text);
    fprintf(script, "%.7g %.7g ", from_px_x(p, l->cx - side * (l->width - label_gap_px) / 2), from_px_y(p, l->cy));
    ws_script_text(script, text);
    fprintf(script, " %d %u\n", side, name->color);
}

void ws_plane_names_write(const ws_plane_names *s, const ws_plane *plane, FILE *script)
{
    size_t shown = 0;
    fputs("$labels << EOD\n", script);
    for (int side = -1; side <= 1; side++) { /* gnuplot 5.4 dies of a plot of labels of which none has a place */
        fprintf(script, "%.7g %.7g ", plane->x.low, plane->y.low);
        ws_script_text(script, "");
        fprintf(script, " %d %u\n", side, WS_INK);
    }
    for (size_t i = 0; i < s->n; i++) {
        shown += !s->label[i].hidden;
        if (!s->label[i].hidden)
            write_label(plane, s, &s->label[i], &s->name[i], script);
    }
    fputs("EOD\n$leaders << EOD\n", script);
    for (size_t i = 0; i < s->n; i++)
        if (s->label[i].leader && !s->label[i].hidden)
            fprintf(script, "%.7g %.7g\n%.7g %.7g\n\n", s->name[i].x, s->name[i].y, from_px_x(plane, s->label[i].lx),
                    from_px_y(plane, s->label[i].ly));
    fputs("EOD\n", script);
    ws_script_number(script, "ws_labels", (double)shown);
}

/* A note needs a line, and then the names less height. */
int ws_plane_settle(const ws_plot_request *request, const ws_plane_height *height, ws_plane_names *names,
                    const ws_plane *plane, ws_canvas *canvas)
{
    enum { TRIES = 3 };
    char note[WS_NOTE_BYTES];
    snprintf(note, sizeof note, "%s", canvas->note);
    size_t said = 0;
    for (int i = 0; i < TRIES; i++) {
        int status = ws_plot_height(request, height->least_px, height->usual_px, canvas);
        canvas->bottom = canvas->height - height->foot_px;
        if (!status)
            status = ws_plane_names_place(names, plane);
        if (status || names->left_out == said)
            return status;
        said = names->left_out;
        snprintf(canvas->note, sizeof canvas->note, "%s", note);
        if (said)
            ws_plot_note(canvas, "%zu of %zu names are left out, which have no room.", said, names->named);
        if (!request->height_px)
            return WS_OK;
    }
    return WS_OK;
}
