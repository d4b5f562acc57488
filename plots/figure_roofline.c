/* figure_roofline.c - under which roof of a machine do kernels stand?
 *
 * data: the frame of `warpscape model roofline': a row a kernel with its reach and an intensity at each level of
 * memory, roofs in notes. Both axes are logarithms: places are computed here as powers of ten, and tics are named. A
 * kernel is a point for each level that it uses, all at one height. */
#include "plots/plane.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LABELS = 40, WORD_BYTES = 48 };

/* Slopes, with the column of their intensities; and flat roofs. */
static const struct {
    const char *name, *column; /* NULL: flat */
    uint32_t color;
} shown[] = {{"dram", "dram_intensity", WS_BLUE},
             {"l2", "l2_intensity", 0x009E73u},
             {"l1", "l1_intensity", WS_VERMILLION},
             {"shared", "shared_intensity", 0xCC79A7u},
             {"single", NULL, WS_INK},
             {"twice", NULL, WS_INK},
             {"matrix", NULL, WS_INK}};
enum { ROOFS = sizeof shown / sizeof *shown, LEVELS = 4, TOP = LEVELS, PRODUCTS = TOP + 2 };

static const double giga = 1e9, foot_px = 50, roof_px = 10; /* below the plane; letters of the names of roofs */
enum { NAME_MARKS = 16 }; /* that stand for one of these among what names keep clear of */

typedef struct roofline {
    const ws_frame *data;
    double rate[ROOFS]; /* 1e9 a second; NaN: not told */
    char word[ROOFS][WORD_BYTES], unit[ROOFS][WORD_BYTES];
    double *x[LEVELS], *y; /* [rows] powers of ten; NaN: no such point */
    double *name_x;        /* [rows] the leftmost of them */
    size_t *row, named;
} roofline;

/* "roof: dram bytes 870.4 DRAM" */
static void read_roof(roofline *r, const char *note)
{
    char name[WORD_BYTES], unit[WORD_BYTES], word[WORD_BYTES];
    double rate;
    if (sscanf(note, "roof: %47s %47s %lf %47[^\n]", name, unit, &rate, word) != 4 || !(rate > 0) || !isfinite(rate))
        return;
    for (size_t i = 0; i < ROOFS; i++)
        if (!strcmp(shown[i].name, name)) {
            r->rate[i] = rate;
            snprintf(r->word[i], WORD_BYTES, "%s", word);
            snprintf(r->unit[i], WORD_BYTES, "%s", unit);
        }
}

static int read_roofs(roofline *r)
{
    for (size_t i = 0; i < ROOFS; i++)
        r->rate[i] = NAN;
    for (size_t i = 0; i < r->data->notes; i++)
        read_roof(r, r->data->note[i]);
    return isfinite(r->rate[0]) && isfinite(r->rate[TOP])
               ? WS_OK
               : ws_fail(WS_EINPUT, "a roofline needs the notes `roof: ...' of `warpscape model roofline', with dram "
                                    "and single among them");
}

static double power(double value)
{
    return value > 0 && isfinite(value) ? log10(value) : NAN;
}

/* The roof of products of matrices is far above the others: it is there where a kernel stands above that of floats. */
static void leave_products(roofline *r)
{
    bool above = false;
    for (size_t i = 0; i < r->data->rows; i++)
        above |= r->y[i] > power(r->rate[TOP]);
    if (!above)
        r->rate[PRODUCTS] = NAN;
}

/* The highest roof. */
static double top(const roofline *r)
{
    return fmax(r->rate[TOP], r->rate[PRODUCTS]);
}

static int read_points(roofline *r)
{
    const size_t n = r->data->rows;
    const long reach = ws_frame_find_column(r->data, "reach");
    if (reach < 0)
        return ws_fail(WS_EINPUT, "a roofline needs a column `reach', as `warpscape model roofline' has it");
    for (size_t i = 0; i < n; i++)
        r->y[i] = power(r->data->value[i * r->data->columns + (size_t)reach]), r->name_x[i] = NAN;
    for (size_t level = 0; level < LEVELS; level++) {
        const long column = ws_frame_find_column(r->data, shown[level].column);
        for (size_t i = 0; i < n; i++) {
            r->x[level][i] =
                column < 0 || isnan(r->y[i]) ? NAN : power(r->data->value[i * r->data->columns + (size_t)column]);
            r->name_x[i] = fmin(r->name_x[i], r->x[level][i]);
        }
    }
    leave_products(r);
    for (size_t i = 0; i < n; i++)
        if (isfinite(r->name_x[i]))
            r->row[r->named++] = i;
    return r->named ? WS_OK : ws_fail(WS_EINPUT, "no row has both a reach and an intensity above 0");
}

/* ------------------------------------------------------------------------------------------------ layout */

static void widen(ws_limits *limits, double value)
{
    if (!isfinite(value))
        return;
    limits->low = fmin(limits->low, value);
    limits->high = fmax(limits->high, value);
}

/* Where the plane ends below when it ends above at `high' and the key, a quarter of its height, is to lie under the
 * flat roofs. */
static double below_flat(const roofline *r, double high)
{
    static const double key = 0.25;
    double lowest = power(top(r));
    for (size_t roof = TOP; roof < ROOFS; roof++)
        if (isfinite(r->rate[roof]))
            lowest = fmin(lowest, power(r->rate[roof]));
    return (lowest - key * high) / (1 - key);
}

/* All points, where slopes meet the highest roof, some room, and the key. */
static ws_plane find_plane(const roofline *r, const ws_canvas *canvas)
{
    static const double room = 0.3;
    ws_plane p = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, canvas};
    for (size_t i = 0; i < r->data->rows; i++) {
        widen(&p.y, r->y[i]);
        for (size_t level = 0; level < LEVELS; level++)
            widen(&p.x, r->x[level][i]);
    }
    widen(&p.x, power(top(r) / r->rate[0]) + 2 * room);
    widen(&p.y, power(top(r)));
    p.y.low = fmin(p.y.low, below_flat(r, p.y.high + room) + room);
    return (ws_plane){{p.x.low - room, p.x.high + room}, {p.y.low - room, p.y.high + room}, canvas};
}

/* Where the slope meets the highest roof. */
static double ridge(const roofline *r, size_t roof)
{
    return power(top(r) / r->rate[roof]);
}

static void write_line(FILE *script, double x0, double y0, double x1, double y1, uint32_t color)
{
    fprintf(script, "%.7g %.7g %u\n%.7g %.7g %u\n\n", x0, y0, color, x1, y1, color);
}

static bool is_used(const roofline *r, size_t level)
{
    for (size_t i = 0; i < r->data->rows; i++)
        if (isfinite(r->x[level][i]))
            return true;
    return false;
}

/* Flat roofs begin where the steepest slope that is used meets them. */
static double flat_from(const roofline *r, const ws_plane *p, size_t roof)
{
    double from = p->x.high;
    for (size_t level = 0; level < LEVELS; level++)
        if (is_used(r, level) && isfinite(r->rate[level]))
            from = fmin(from, power(r->rate[roof] / r->rate[level]));
    return fmax(from, p->x.low);
}

static bool is_drawn(const roofline *r, size_t roof)
{
    return isfinite(r->rate[roof]) && (roof >= LEVELS || is_used(r, roof));
}

/* Where a roof that is drawn begins and ends; false where none of it is in the plane. */
static bool roof_line(const roofline *r, const ws_plane *p, size_t roof, double end[4])
{
    const double rate = power(r->rate[roof]);
    if (roof < LEVELS) { /* a slope begins at the left or the lower edge, whichever comes first */
        end[0] = fmax(p->x.low, p->y.low - rate);
        end[2] = fmin(ridge(r, roof), p->x.high);
        end[1] = end[0] + rate;
        end[3] = end[2] + rate;
    } else {
        end[0] = flat_from(r, p, roof);
        end[2] = p->x.high;
        end[1] = end[3] = rate;
    }
    return is_drawn(r, roof) && end[2] > end[0];
}

static void write_roofs(const roofline *r, const ws_plane *p, FILE *script)
{
    double end[4];
    fputs("$roofs << EOD\n", script);
    for (size_t roof = 0; roof < ROOFS; roof++)
        if (roof_line(r, p, roof, end))
            write_line(script, end[0], end[1], end[2], end[3], shown[roof].color);
    fputs("EOD\n", script);
}

/* "DRAM  870 GB/s", "FP32  11.6 Tflop/s" */
static void name_roof(const roofline *r, size_t roof, char *text, size_t size)
{
    char unit[WORD_BYTES + 8], rate[WORD_BYTES + 32];
    snprintf(unit, sizeof unit, "%s/s", strcmp(r->unit[roof], "bytes") ? r->unit[roof] : "B");
    ws_text_count(rate, sizeof rate, r->rate[roof] * giga, unit);
    snprintf(text, size, "%s  %s", r->word[roof], rate);
}

/* A roof's name stands at its right end; that of a slope in the key below, with its colour, for slopes lie close
 * together. */
static void write_flat_names(const roofline *r, const ws_plane *p, FILE *script)
{
    for (size_t roof = TOP; roof < ROOFS; roof++) {
        char text[2 * WORD_BYTES + 32];
        if (!is_drawn(r, roof))
            continue;
        name_roof(r, roof, text, sizeof text);
        fputs("set label ", script);
        ws_script_string(script, text);
        fprintf(script, " at first %.7g, first %.7g right offset character -0.5,0.5 font ',10' textcolor rgb %u\n",
                p->x.high, power(r->rate[roof]), WS_INK);
    }
}

static void write_key(const roofline *r, FILE *script)
{
    fputs("$key << EOD\n", script);
    for (size_t roof = 0; roof < LEVELS; roof++) {
        char text[2 * WORD_BYTES + 32];
        if (!is_drawn(r, roof))
            continue;
        name_roof(r, roof, text, sizeof text);
        fprintf(script, "%u ", shown[roof].color);
        ws_script_text(script, text);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

/* Of the points of a row; -INFINITY: it has none. */
static double rightmost(const roofline *r, size_t row)
{
    double last = -INFINITY;
    for (size_t level = 0; level < LEVELS; level++)
        if (isfinite(r->x[level][row]))
            last = fmax(last, r->x[level][row]);
    return last;
}

static void write_points(const roofline *r, FILE *script)
{
    fputs("$points << EOD\n", script);
    for (size_t level = 0; level < LEVELS; level++)
        for (size_t i = 0; i < r->data->rows; i++)
            if (isfinite(r->x[level][i]))
                fprintf(script, "%.7g %.7g %u\n", r->x[level][i], r->y[i], shown[level].color);
    fputs("EOD\n$ties << EOD\n", script);
    for (size_t i = 0; i < r->data->rows; i++) {
        const double last = rightmost(r, i);
        if (last > r->name_x[i])
            write_line(script, r->name_x[i], r->y[i], last, r->y[i], WS_LIGHT_GREY);
    }
    fputs("EOD\n", script);
}

/* 0.1, 1, 10 ... at powers of ten, and small tics at 2 ... 9 of them. */
static void write_tics(const char *axis, ws_limits limits, FILE *script)
{
    const char *comma = "";
    fprintf(script, "set %stics (", axis);
    for (int e = (int)floor(limits.low); e <= (int)ceil(limits.high); e++)
        for (int digit = 1; digit < 10; digit++, comma = ", ") {
            if (digit == 1)
                fprintf(script, "%s'%g' %d", comma, pow(10, e), e);
            else
                fprintf(script, "%s'' %.7g 1", comma, e + log10(digit));
        }
    fputs(")\n", script);
    fprintf(script, "ws_%s_low = %.7g\nws_%s_high = %.7g\n", axis, limits.low, axis, limits.high);
}

static double usual_height(const ws_canvas *canvas)
{
    return 0.68 * canvas->width + 16;
}

/* The names of flat roofs, as write_flat_names puts them: marks side by side. The height of the picture is not settled
 * yet. */
static void add_flat_names(const roofline *r, const ws_plane *plane, ws_plane_names *names)
{
    const ws_canvas *const c = plane->canvas;
    const double x_px = (plane->x.high - plane->x.low) / (c->right - c->left),
                 y_px = (plane->y.high - plane->y.low) / (usual_height(c) - foot_px - c->top);
    for (size_t roof = TOP; roof < ROOFS; roof++) {
        char text[2 * WORD_BYTES + 32];
        if (!is_drawn(r, roof))
            continue;
        name_roof(r, roof, text, sizeof text);
        const double width = ws_text_width(text, roof_px);
        for (size_t i = 0; i < NAME_MARKS; i++)
            ws_plane_names_add(names, plane->x.high - x_px * width * (double)i / (NAME_MARKS - 1),
                               power(r->rate[roof]) + y_px * roof_px, roof_px / 2, NULL, 0, 0, WS_INK);
    }
}

/* What names keep clear of: roofs and their names, and the other points of rows with the line between them. */
static void add_obstacles(const roofline *r, const ws_plane *plane, ws_plane_names *names)
{
    double end[4];
    add_flat_names(r, plane, names);
    for (size_t roof = 0; roof < ROOFS; roof++)
        if (roof_line(r, plane, roof, end))
            ws_plane_names_line(names, end[0], end[1], end[2], end[3]);
    for (size_t i = 0; i < r->data->rows; i++) {
        for (size_t level = 0; level < LEVELS; level++)
            if (isfinite(r->x[level][i]) && r->x[level][i] > r->name_x[i])
                ws_plane_names_add(names, r->x[level][i], r->y[i], WS_POINT_PX, NULL, i, 0, WS_INK);
        if (rightmost(r, i) > r->name_x[i])
            ws_plane_names_line(names, r->name_x[i], r->y[i], rightmost(r, i), r->y[i]);
    }
}

static void add_names(const roofline *r, const ws_plot_request *request, const ws_plane *plane, ws_plane_names *names,
                      ws_canvas *canvas)
{
    const bool named = request->labels != WS_LABELS_NONE && r->named <= MOST_LABELS;
    if (!named && request->labels != WS_LABELS_NONE)
        ws_plot_note(canvas, "Names are left out: %zu rows, more than %d.", r->named, MOST_LABELS);
    for (size_t i = 0; i < r->named; i++)
        ws_plane_names_add(names, r->name_x[r->row[i]], r->y[r->row[i]], WS_POINT_PX, named ? r->data : NULL, r->row[i],
                           0, WS_INK);
    if (named)
        add_obstacles(r, plane, names);
}

static int draw(roofline *r, const ws_plot_request *request, ws_canvas *canvas, ws_plane_names *names, FILE *script)
{
    const ws_plane plane = find_plane(r, canvas);
    int status = ws_plane_names_init(names, r->named + ROOFS * (1 + NAME_MARKS) + (LEVELS + 1) * r->data->rows);
    if (status)
        return status;
    add_names(r, request, &plane, names, canvas);
    if (r->named < r->data->rows)
        ws_plot_note(canvas, "Not shown: %zu rows that compute nothing or touch no memory.", r->data->rows - r->named);
    const ws_plane_height height = {.least_px = 200, .usual_px = usual_height(canvas), .foot_px = foot_px};
    status = ws_plane_settle(request, &height, names, &plane, canvas);
    if (status)
        return status;
    write_roofs(r, &plane, script);
    write_points(r, script);
    write_key(r, script);
    write_tics("x", plane.x, script);
    write_tics("y", plane.y, script);
    write_flat_names(r, &plane, script);
    ws_plane_names_write(names, &plane, script);
    return WS_OK;
}

int ws_figure_roofline(const ws_plot_request *request, ws_canvas *canvas, FILE *script)
{
    const size_t n = request->data->rows;
    roofline r = {.data = request->data};
    int status = n ? read_roofs(&r) : ws_fail(WS_EINPUT, "a roofline needs rows");
    if (!status)
        status = ws_plot_width(request, 300, 720, canvas);
    if (status)
        return status;
    canvas->left = 76;
    canvas->right = canvas->width - 16;
    canvas->top = 14;
    double *const room = calloc((LEVELS + 2) * n, sizeof *room);
    r.row = calloc(n, sizeof *r.row);
    for (size_t level = 0; level < LEVELS; level++)
        r.x[level] = room + level * n;
    r.y = room + LEVELS * n;
    r.name_x = room + (LEVELS + 1) * n;
    ws_plane_names names = {0};
    status = room && r.row ? read_points(&r) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = draw(&r, request, canvas, &names, script);
    ws_plane_names_fini(&names);
    free(room);
    free(r.row);
    return status;
}
