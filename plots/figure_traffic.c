/* figure_traffic.c - which nodes of the networks carry how much, and when?
 *
 * data: what `warpscape sim --traffic` writes, of one run: labels node, kind, direction; columns begin, cycles,
 * bytes_per_cycle. Rows of kind "all" are shown if there are any, else the sum of the others. A panel for each
 * direction, nodes from top to bottom in the order of the frame, time to the right, the rate as colour. After the
 * contour figures of N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using Emerging
 * Technologies" (2013), section 3.2. */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <stdbool.h>
#include <string.h>

static const double label_px = 10, usual_px = 330, least_px = 60, gap_px = 26;
static const double head_px = 26, foot_px = 46, scale_px = 70, most_px = 15;
enum { LABEL_NODE, LABEL_KIND, LABEL_DIRECTION, LABELS };
enum { COLUMN_BEGIN, COLUMN_CYCLES, COLUMN_RATE, COLUMNS };
enum { DIRECTIONS = 2, LEAST_ROWS_PX = 40 };
static const char *const directions[DIRECTIONS] = {"request", "reply"};

typedef struct traffic {
    const ws_frame *data;
    size_t label[LABELS], column[COLUMNS];
    const char **node; /* [nodes] borrowed names, in their order */
    size_t nodes, frames;
    double frame_cycles, end; /* length of a frame; of the last one the end */
    double *rate;             /* [direction][frame][node] */
    double most;
} traffic;

static const char *label_of(const traffic *t, size_t row, int which)
{
    return t->data->label[row * t->data->labels + t->label[which]];
}

static double value_of(const traffic *t, size_t row, int which)
{
    return t->data->value[row * t->data->columns + t->column[which]];
}

static int find_columns(traffic *t)
{
#define NOT_TRAFFIC "there is no %s '%s'; this figure shows what `warpscape sim --traffic' writes"
    static const char *const labels[LABELS] = {"node", "kind", "direction"};
    static const char *const columns[COLUMNS] = {"begin", "cycles", "bytes_per_cycle"};
    for (size_t i = 0; i < LABELS; i++) {
        size_t at = 0;
        while (at < t->data->labels && strcmp(t->data->label_names[at], labels[i]))
            at++;
        if (at == t->data->labels)
            return ws_fail(WS_EINPUT, NOT_TRAFFIC, "label", labels[i]);
        t->label[i] = at;
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        const long at = ws_frame_find_column(t->data, columns[i]);
        if (at < 0)
            return ws_fail(WS_EINPUT, NOT_TRAFFIC, "column", columns[i]);
        t->column[i] = (size_t)at;
    }
    return WS_OK;
}

/* The place of a name; a new one goes behind the others. */
static size_t find_node(traffic *t, const char *name)
{
    size_t at = t->nodes;
    while (at && strcmp(t->node[at - 1], name)) /* rows of a node stand together */
        at--;
    if (at)
        return at - 1;
    t->node[t->nodes] = name;
    return t->nodes++;
}

static bool is_shown(const traffic *t, size_t row, bool all)
{
    return !all || strcmp(label_of(t, row, LABEL_KIND), "all") == 0;
}

/* Names, the length of frames, and their number. */
static int measure(traffic *t, bool *all)
{
    *all = false;
    for (size_t i = 0; i < t->data->rows; i++) {
        const double begin = value_of(t, i, COLUMN_BEGIN), cycles = value_of(t, i, COLUMN_CYCLES);
        if (!(begin >= 0) || !(cycles > 0) || !(value_of(t, i, COLUMN_RATE) >= 0))
            return ws_fail(WS_EINPUT, "row %zu: begin, cycles and bytes_per_cycle are not those of a frame of time",
                           i + 1);
        const char *const direction = label_of(t, i, LABEL_DIRECTION);
        if (strcmp(direction, directions[0]) && strcmp(direction, directions[1]))
            return ws_fail(WS_EINPUT, "row %zu: direction '%s' is neither request nor reply", i + 1, direction);
        *all = *all || strcmp(label_of(t, i, LABEL_KIND), "all") == 0;
        find_node(t, label_of(t, i, LABEL_NODE));
        t->frame_cycles = fmax(t->frame_cycles, cycles);
        t->end = fmax(t->end, begin + cycles);
    }
    enum { MOST_FRAMES = 1 << 16 };
    const double frames = ceil(t->end / (t->frame_cycles > 0 ? t->frame_cycles : 1));
    if (!t->nodes || frames > MOST_FRAMES)
        return ws_fail(WS_EINPUT, t->nodes ? "frames of time of different lengths; this figure shows one run"
                                           : "there is no traffic to show");
    t->frames = (size_t)frames;
    return WS_OK;
}

static void fill(traffic *t, bool all)
{
    for (size_t i = 0; i < t->data->rows; i++) {
        if (!is_shown(t, i, all))
            continue;
        const size_t reply = strcmp(label_of(t, i, LABEL_DIRECTION), directions[1]) == 0;
        const size_t frame = (size_t)(value_of(t, i, COLUMN_BEGIN) / t->frame_cycles);
        double *const to = t->rate + (reply * t->frames + frame) * t->nodes + find_node(t, label_of(t, i, LABEL_NODE));
        *to += value_of(t, i, COLUMN_RATE);
        t->most = fmax(t->most, *to);
    }
}

/* Those with traffic; a panel without any has one empty cell, as gnuplot wants a point. */
static void write_cells(const traffic *t, FILE *script)
{
    fputs("$cells << EOD\n", script);
    for (size_t panel = 0; panel < DIRECTIONS; panel++) {
        fputs(panel ? "\n\n0 0 0 0\n" : "0 0 0 0\n", script);
        for (size_t cell = 0; cell < t->frames * t->nodes; cell++) {
            const double rate = t->rate[panel * t->frames * t->nodes + cell];
            const double begin = (double)(cell / t->nodes) * t->frame_cycles;
            if (rate > 0)
                fprintf(script, "%.7g %.7g %zu %.4g\n", begin, fmin(begin + t->frame_cycles, t->end), cell % t->nodes,
                        rate);
        }
    }
    fputs("EOD\n", script);
}

/* A name without the digits at its end: nodes of one kind. */
static size_t stem(const char *name)
{
    size_t n = strlen(name);
    while (n && strchr("0123456789", name[n - 1]))
        n--;
    return n;
}

static bool same_kind(const char *a, const char *b)
{
    return stem(a) == stem(b) && strncmp(a, b, stem(a)) == 0;
}

/* Names beside their rows, fewer when there is no room: of every kind the first, then each so many. */
static void write_nodes(const traffic *t, double pitch, double names_px, FILE *script)
{
    const size_t every = (size_t)ceil(11 / pitch);
    size_t since = 0;
    fputs("$nodes << EOD\n", script);
    for (size_t i = 0; i < t->nodes; i++) {
        const bool first = !i || !same_kind(t->node[i - 1], t->node[i]);
        since = first ? 0 : since + 1;
        if (since % every || !(names_px > 0))
            continue;
        char name[WS_NAME_BYTES];
        ws_shown(name, sizeof name, t->node[i]);
        ws_text_fit(name, label_px, names_px);
        fprintf(script, "%zu ", i);
        ws_script_text(script, name);
        fputc('\n', script);
    }
    fputs("EOD\n$borders << EOD\n-1\n", script); /* the first lies on the frame */
    for (size_t i = 1; i < t->nodes; i++)
        if (!same_kind(t->node[i - 1], t->node[i]))
            fprintf(script, "%zu\n", i);
    fputs("EOD\n", script);
}

static double names_width(const traffic *t)
{
    double widest = 0;
    for (size_t i = 0; i < t->nodes; i++)
        widest = fmax(widest, ws_text_width(t->node[i], label_px));
    return fmin(widest, 120);
}

static void write_all(const traffic *t, double pitch, double names, double left, double panel_px, FILE *script)
{
    write_cells(t, script);
    write_nodes(t, pitch, names, script);
    const bool thousands = t->end >= 20000;
    ws_script_number(script, "ws_nodes", (double)t->nodes);
    ws_script_number(script, "ws_end", t->end);
    ws_script_number(script, "ws_unit", thousands ? 1000 : 1);
    fprintf(script, "ws_x_title = '%snetwork cycles'\n", thousands ? "thousand " : "");
    const double step = ws_nice_step(t->end / (thousands ? 1000 : 1), 5);
    ws_script_number(script, "ws_x_step", step);
    const double rate_step = ws_nice_step(t->most > 0 ? t->most : 1, 5);
    ws_script_number(script, "ws_rate_step", rate_step);
    ws_script_number(script, "ws_most", ceil((t->most > 0 ? t->most : 1) / rate_step) * rate_step);
    ws_script_number(script, "ws_panel", panel_px);
    ws_script_number(script, "ws_gap", gap_px);
    ws_script_number(script, "ws_first", left);
}

static int lay_out(const ws_plot_request *request, traffic *t, ws_canvas *canvas, FILE *script)
{
    bool all;
    int status = find_columns(t);
    if (!status)
        status = measure(t, &all);
    if (status)
        return status;
    t->rate = calloc(DIRECTIONS * t->frames * t->nodes, sizeof *t->rate);
    if (!t->rate)
        return ws_fail(WS_EMEM, "out of memory");
    fill(t, all);
    const double usual_pitch = fmax(ws_plot_pitch(t->nodes, t->nodes > 48 ? 500.0 / (double)t->nodes : most_px), 1);
    const double names = request->labels == WS_LABELS_NONE ? 0 : ws_plot_names_room(request, names_width(t), 0.25);
    const double fixed = names + 16 + gap_px + scale_px, ends = head_px + foot_px;
    status = ws_plot_width(request, fixed + DIRECTIONS * least_px, fixed + DIRECTIONS * usual_px, canvas);
    if (!status)
        status = ws_plot_height(request, ends + LEAST_ROWS_PX, ends + usual_pitch * (double)t->nodes, canvas);
    if (status)
        return status;
    canvas->left = names + 16;
    canvas->right = canvas->width - scale_px;
    canvas->top = head_px;
    canvas->bottom = canvas->height - foot_px;
    const double panel_px = (canvas->width - fixed) / DIRECTIONS;
    write_all(t, (canvas->bottom - canvas->top) / (double)t->nodes, names, canvas->left, panel_px, script);
    return WS_OK;
}

int ws_figure_traffic(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    traffic t = {.data = request->data, .node = calloc(request->data->rows + 1, sizeof *t.node)};
    const int status = t.node ? lay_out(request, &t, canvas, script) : ws_fail(WS_EMEM, "out of memory");
    free(t.node);
    free(t.rate);
    return status;
}
