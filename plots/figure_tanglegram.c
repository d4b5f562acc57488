/* figure_tanglegram.c - two cluster trees of the same rows face to face, with a line from each leaf to its twin.
 *
 * data: names of the rows. tree, other_tree: merges of the left and of the right tree, both of these rows; the first
 * part of a merge is above the second. groups: colours of lines and branches, a dot at each representative. cut: height
 * of the cut of the left tree. tree_name, other_name: titles of the trees; tree_axis, other_axis: titles of their axes.
 * labels: rows whose names are shown. */
#include "plots/figure_internal.h"

static const double leaf_px = 15.5, label_px = 10.5, tree_px = 210, least_tree_px = 40, links_px = 150;
static const double margin_px = 14, head_px = 26, foot_px = 44, line_px = 14, gap_px = 6, most_names_px = 200,
                    names_share = 0.18;
enum { STEPS = 4, SIDES = 2 };

/* A tree of the figure, in pixels of the picture. */
typedef struct side {
    ws_tree_layout layout;
    const char *block, *name, *axis;
    double end;            /* height at its outer edge */
    double leaf, outwards; /* x of its leaves; -1: its root is left of them, 1: right */
} side;

typedef struct picture {
    side side[SIDES];
    char *representative;
    double names, tree, pitch; /* width of names, of a tree; distance of leaves */
    bool stacked;              /* the titles of the axes need a line each */
} picture;

static double at_height(const picture *p, const side *s, double height)
{
    return s->leaf + s->outwards * p->tree * height / s->end;
}

static double at_place(const picture *p, double place)
{
    return (place + 0.5) * p->pitch;
}

static uint32_t color_of(const side *s, size_t node)
{
    return s->layout.cluster[node] > 0 ? ws_cluster_color(s->layout.cluster[node]) : WS_GREY;
}

/* Elbows: the part's branch out to the height of its merge, and there to the merge's place. */
static void write_branches(const picture *p, const side *s, FILE *script)
{
    const ws_tree_layout *const l = &s->layout;
    fprintf(script, "$%s << EOD\n", s->block);
    for (size_t m = 0; m + 1 < l->leaves; m++) {
        const size_t node = l->leaves + m, part[] = {l->left[m], l->right[m]};
        const double x = at_height(p, s, l->height[node]), y = at_place(p, l->position[node]);
        for (size_t i = 0; i < 2; i++) {
            const double from = at_height(p, s, l->height[part[i]]), at = at_place(p, l->position[part[i]]);
            fprintf(script, "%.7g %.7g %u\n%.7g %.7g %u\n\n", from, at, color_of(s, part[i]), x, at,
                    color_of(s, part[i]));
            fprintf(script, "%.7g %.7g %u\n%.7g %.7g %u\n\n", x, at, color_of(s, node), x, y, color_of(s, node));
        }
    }
    fputs("EOD\n", script);
}

/* Names at the leaves of a tree, and in end[row] where the line of that row begins. */
static void write_names(const ws_plot_request *request, const ws_canvas *canvas, const picture *p, const side *s,
                        double *end, FILE *script)
{
    double free_px = 0;
    fprintf(script, "$%s_names << EOD\n", s->block);
    for (size_t i = 0; i < s->layout.leaves; i++) {
        const size_t row = s->layout.order[i];
        char name[WS_NAME_BYTES] = "";
        if (p->names > 0 && ws_plot_row_named(canvas, i, p->representative[row], &free_px))
            ws_plot_row_name(request->data, row, name);
        ws_text_fit(name, label_px, p->names);
        const double inwards = *name ? 2 * gap_px + fmin(ws_text_width(name, label_px), p->names) : gap_px;
        end[row] = s->leaf - s->outwards * inwards;
        fprintf(script, "%.7g %.7g %u %d ", s->leaf - s->outwards * gap_px, at_place(p, (double)i),
                s->layout.cluster[row] ? ws_cluster_color(s->layout.cluster[row]) : WS_INK, p->representative[row]);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

/* From the end of a name to the edge of the names, across, and to the name on the other side. */
static void write_links(const picture *p, double *const end[SIDES], FILE *script)
{
    const double room = p->names > 0 ? p->names + 2 * gap_px : gap_px;
    fputs("$links << EOD\n", script);
    for (size_t i = 0; i < p->side[0].layout.leaves; i++) {
        const size_t row = p->side[0].layout.order[i];
        const uint32_t color = p->side[0].layout.cluster[row] ? color_of(&p->side[0], row) : WS_LIGHT_GREY;
        for (size_t s = 0; s < SIDES; s++) {
            const side *const own = &p->side[s];
            const double y = at_place(p, own->layout.position[row]), edge = own->leaf - own->outwards * room;
            const double x[] = {s ? edge : end[s][row], s ? end[s][row] : edge};
            fprintf(script, "%.7g %.7g %u\n%.7g %.7g %u\n", x[0], y, color, x[1], y, color);
        }
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

/* Places and numbers of the ticks of both axes. */
static void write_ticks(const picture *p, FILE *script)
{
    fputs("$ticks << EOD\n", script);
    for (size_t i = 0; i < SIDES; i++) {
        const double step = ws_nice_step(p->side[i].end, STEPS);
        for (size_t t = 0; (double)t * step <= p->side[i].end; t++)
            fprintf(script, "%.7g %.7g\n", at_height(p, &p->side[i], (double)t * step), (double)t * step);
    }
    fputs("EOD\n", script);
}

static const char *axis_of(const side *s)
{
    return s->axis ? s->axis : "distance";
}

static void write_fitted(const char *what, const side *s, const char *text, double width_px, FILE *script)
{
    char fitted[WS_NAME_BYTES];
    snprintf(fitted, sizeof fitted, "%s", text);
    ws_text_fit(fitted, WS_FONT_PX, width_px);
    fprintf(script, "ws_%s_%s = ", s->block, what);
    ws_script_string(script, fitted);
    fputc('\n', script);
}

static double half_of(const ws_canvas *canvas)
{
    return canvas->width / 2 - 2 * margin_px;
}

/* Name of a tree, and title of its axis. */
static void write_titles(const ws_canvas *canvas, const picture *p, FILE *script)
{
    for (size_t i = 0; i < SIDES; i++) {
        const side *const s = &p->side[i];
        write_fitted("name", s, s->name ? s->name : "", half_of(canvas), script);
        write_fitted("axis", s, axis_of(s), p->stacked ? canvas->width - 2 * margin_px : half_of(canvas), script);
    }
    ws_script_number(script, "ws_stacked", p->stacked ? line_px : 0);
}

static bool needs_lines(const picture *p, const ws_canvas *canvas)
{
    bool needs = false;
    for (size_t i = 0; i < SIDES; i++)
        needs |= ws_text_width(axis_of(&p->side[i]), WS_FONT_PX) > half_of(canvas);
    return needs;
}

static int lay_out(const ws_plot_request *request, picture *p, ws_canvas *canvas)
{
    const size_t leaves = p->side[0].layout.leaves;
    const double wanted = fmin(ws_rows_width(request->data, label_px), most_names_px);
    double ends = head_px + foot_px;
    p->names = ws_plot_rows_names(request, leaves, leaf_px, ends, wanted, names_share);
    const double names = p->names > 0 ? p->names + 2 * gap_px : gap_px, fixed = 2 * (margin_px + names);
    int status = ws_plot_width(request, (2 * (margin_px + 2 * gap_px) + 4 * least_tree_px) / (1 - 2 * names_share),
                               2 * tree_px + links_px + fixed, canvas);
    if (status)
        return status;
    p->stacked = needs_lines(p, canvas);
    ends += p->stacked ? line_px : 0;
    status = ws_plot_rows_height(request, leaves, leaf_px, ends, p->names, canvas);
    canvas->left = 0;
    canvas->right = canvas->width;
    canvas->top = head_px;
    canvas->bottom = canvas->height - (ends - head_px);
    p->tree = (canvas->width - fixed) * tree_px / (2 * tree_px + links_px);
    p->pitch = (canvas->bottom - canvas->top) / (double)leaves;
    for (size_t i = 0; i < SIDES; i++) {
        side *const s = &p->side[i];
        const double root = s->layout.height[2 * leaves - 2], inset = margin_px + p->tree;
        s->end = root > 0 ? 1.03 * root : 1;
        s->outwards = i ? 1 : -1;
        s->leaf = i ? canvas->width - inset : inset;
    }
    return status;
}

static void write_all(const ws_plot_request *request, const ws_canvas *canvas, const picture *p,
                      double *const end[SIDES], FILE *script)
{
    for (size_t i = 0; i < SIDES; i++) {
        write_branches(p, &p->side[i], script);
        write_names(request, canvas, p, &p->side[i], end[i], script);
    }
    write_links(p, end, script);
    write_ticks(p, script);
    write_titles(canvas, p, script);
    ws_script_number(script, "ws_span", canvas->bottom - canvas->top);
    ws_script_number(script, "ws_margin", margin_px);
    ws_script_number(script, "ws_tree", p->tree);
    ws_script_number(script, "ws_cut_at", isfinite(request->cut) ? at_height(p, &p->side[0], request->cut) : -1);
}

int ws_figure_tanglegram(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const size_t rows = request->data->rows;
    picture p = {.side = {{.block = "left", .name = request->tree_name, .axis = request->tree_axis},
                          {.block = "right", .name = request->other_name, .axis = request->other_axis}}};
    ws_plot_request other = *request;
    other.tree = request->other_tree;
    int status = request->tree && request->other_tree ? ws_tree_layout_create(request, &p.side[0].layout)
                                                      : ws_fail(WS_EINPUT, "the figure needs two cluster trees");
    if (!status)
        status = ws_tree_layout_create(&other, &p.side[1].layout);
    p.representative = calloc(rows + 1, 1);
    long *const cluster = calloc(rows + 1, sizeof *cluster);
    double *const end[SIDES] = {calloc(rows + 1, sizeof(double)), calloc(rows + 1, sizeof(double))};
    if (!status && (!p.representative || !cluster || !end[0] || !end[1]))
        status = ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_plot_groups(request, cluster, p.representative);
    if (!status)
        status = lay_out(request, &p, canvas);
    if (!status)
        write_all(request, canvas, &p, end, script);
    free(p.representative);
    free(cluster);
    for (size_t i = 0; i < SIDES; i++) {
        free(end[i]);
        ws_tree_layout_free(&p.side[i].layout);
    }
    return status;
}
