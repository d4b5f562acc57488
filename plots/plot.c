/* plot.c - how does a figure become a gnuplot script? */
#include "plots/figure_internal.h"

#include <string.h>

/* The drawing commands, one .gp file a figure, are part of the program. */
#define EMBED(symbol, file) \
    __asm__(".pushsection .rodata\n.global " #symbol "\n" #symbol ":\n.incbin \"" file "\"\n.byte 0\n.popsection\n"); \
    extern const char symbol[];
#define FIGURE(name, summary, uses, rows) EMBED(ws_plot_script_##name, "plots/" #name ".gp")
#include "plots/plots.def"
#undef FIGURE
EMBED(ws_plot_script_common, "plots/common.gp")

struct ws_figure {
    const char *name, *summary;
    unsigned uses;
    size_t rows;
    int (*data)(const ws_plot_request *request, ws_canvas *canvas, FILE *script);
    const char *drawing;
};

enum {
#define USE(word) word = WS_USE_##word,
#include "plots/uses.def"
#undef USE
};

static const ws_figure figures[] = {
#define FIGURE(name, summary, uses, rows) {#name, summary, uses, rows, ws_figure_##name, ws_plot_script_##name},
#include "plots/plots.def"
#undef FIGURE
};

static const ws_plot_preset presets[] = {
#define PRESET(name, width_in, height_in, font_pt, what, source) {#name, width_in, height_in, font_pt, what, source},
#include "plots/presets.def"
#undef PRESET
};

static const struct {
    const char *extension;
} formats[] = {
#define FORMAT(name, extension, tail) {extension},
#include "plots/formats.def"
#undef FORMAT
};

const ws_figure *ws_figure_at(size_t index)
{
    return index < sizeof figures / sizeof figures[0] ? &figures[index] : NULL;
}

const ws_figure *ws_figure_find(const char *name)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (!strcmp(figures[i].name, name))
            return &figures[i];
    }
    return NULL;
}

const char *ws_figure_name(const ws_figure *figure)
{
    return figure->name;
}

const char *ws_figure_summary(const ws_figure *figure)
{
    return figure->summary;
}

unsigned ws_figure_uses(const ws_figure *figure)
{
    return figure->uses | (figure->uses & REDUCE ? SUBSPACE : 0);
}

bool ws_figure_draws_tree(const ws_figure *figure)
{
    const unsigned uses = ws_figure_uses(figure);
    return uses & WS_USE_TREE && !(uses & (WS_USE_PLANE | WS_USE_ROWS));
}

size_t ws_figure_rows(const ws_figure *figure)
{
    return figure->rows;
}

const ws_plot_preset *ws_plot_preset_at(size_t index)
{
    return index < sizeof presets / sizeof presets[0] ? &presets[index] : NULL;
}

int ws_plot_format_of(const char *path, ws_plot_format *format)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < WS_PLOT_FORMATS; i++) {
        if (!strcasecmp(dot, formats[i].extension)) {
            *format = (ws_plot_format)i;
            return WS_OK;
        }
    }
    return ws_fail(WS_EINPUT, "%s: a figure's name ends in .svg, .png, .pdf or .gp (the gnuplot script)", path);
}

/* Fonts are given in pixels of an SVG; the factors make the other terminals agree (a cairo terminal's point is 4/3
 * pixels, and its fontscale 1.5 and 0.5625 undo that at twice and at three quarters of the size). The scale makes
 * letters, lines and marks of all sizes larger or smaller; everything else is placed in fractions of the picture. */
static void write_terminal(ws_plot_format format, const ws_canvas *canvas, FILE *script)
{
    const double s = canvas->scale;
    const double w = canvas->asked_width ? canvas->asked_width : round(canvas->width * s);
    const double h = canvas->asked_height ? canvas->asked_height : round(canvas->height * s);
    static const char font[] = "font \"Helvetica,Arial,sans-serif,11\"", cairo_font[] = "font \"Helvetica,11\"";
    double marks = 1; /* the terminal of SVG cannot scale them */
    switch (format) {
    case WS_PLOT_PNG:
        fprintf(script,
                "set terminal pngcairo size %.0f,%.0f %s fontscale %.5g linewidth %.5g pointscale %.5g noenhanced\n",
                2 * w, 2 * h, cairo_font, 1.5 * s, 2 * s, 2 * s);
        break;
    case WS_PLOT_PDF:
        fprintf(
            script,
            "set terminal pdfcairo size %.4fin,%.4fin %s fontscale %.5g linewidth %.5g pointscale %.5g noenhanced\n",
            w / WS_PX_PER_INCH, h / WS_PX_PER_INCH, cairo_font, 0.5625 * s, s, 0.9 * s);
        break;
    default:
        fprintf(script,
                "set terminal svg size %.0f,%.0f fixed %s fontscale %.5g linewidth %.5g noenhanced background "
                "\"#ffffff\"\n",
                w, h, font, s, s);
        marks = s;
    }
    ws_script_number(script, "mark", marks);
}

/* A line of the note after another, for labels of their own. */
static void write_note(const ws_canvas *canvas, FILE *script)
{
    char wrapped[WS_NOTE_BYTES], *rest = wrapped;
    const size_t lines = ws_plot_note_lines(canvas);
    ws_plot_note_wrap(canvas, wrapped);
    ws_script_number(script, "ws_note_top", canvas->height - ws_plot_note_px(canvas));
    fprintf(script, "ws_notes = %zu\narray ws_note[%zu]\n", lines, lines + !lines);
    for (size_t i = 0; i < lines; i++) {
        fprintf(script, "ws_note[%zu] = ", i + 1);
        ws_script_string(script, strsep(&rest, "\n"));
        fputc('\n', script);
    }
}

/* A title that is wider than the picture has smaller letters, and where that does not do, a gap. */
static void write_title(const char *title, double width, FILE *script)
{
    static const double usual_px = 13, least_px = 8, edge_px = 8;
    char text[WS_NAME_BYTES];
    snprintf(text, sizeof text, "%s", title);
    const double wide = ws_text_width(text, usual_px), room = width - 2 * edge_px;
    const double size = wide > room ? fmax(floor(10 * usual_px * room / wide) / 10, least_px) : usual_px;
    ws_text_fit(text, size, room);
    fputs("ws_title = ", script);
    ws_script_string(script, text);
    fputc('\n', script);
    ws_script_number(script, "ws_title_size", size);
}

static void write_canvas(const ws_plot_request *request, const ws_canvas *canvas, FILE *script)
{
    ws_script_number(script, "ws_width", canvas->width);
    ws_script_number(script, "ws_height", canvas->height);
    ws_script_number(script, "ws_left", canvas->left);
    ws_script_number(script, "ws_right", canvas->right);
    ws_script_number(script, "ws_top", canvas->top);
    ws_script_number(script, "ws_bottom", canvas->bottom);
    write_title(request->title ? request->title : "", canvas->width, script);
    write_note(canvas, script);
}

/* Texts of data blocks, which figures have marked, go into an array in front. */
static void write_texts(const char *body, FILE *script)
{
    size_t marks = 0, number = 0;
    for (const char *c = body; *c; c++)
        marks += *c == WS_TEXT_MARK;
    fprintf(script, "array ws_text[%zu]\n", marks ? marks / 2 : 1); /* gnuplot knows no array without an element */
    for (const char *open = body, *close; (open = strchr(open, WS_TEXT_MARK)); open = close + 1) {
        close = strchr(open + 1, WS_TEXT_MARK);
        fprintf(script, "ws_text[%zu] = ", ++number);
        ws_script_quote(script, open + 1, (size_t)(close - open - 1));
        fputc('\n', script);
    }
}

/* The figure's own lines, with numbers in place of those texts. */
static void write_body(const char *body, FILE *script)
{
    size_t number = 0;
    for (const char *mark; (mark = strchr(body, WS_TEXT_MARK)); body = strchr(mark + 1, WS_TEXT_MARK) + 1)
        fprintf(script, "%.*s%zu", (int)(mark - body), body, ++number);
    fputs(body, script);
}

/* Pixels of the picture in those of the layout; what is asked for stays so. */
static unsigned to_layout(unsigned asked_px, double scale)
{
    const unsigned px = (unsigned)lround(asked_px / scale);
    return asked_px && !px ? 1 : px;
}

int ws_plot_script(const ws_figure *figure, const ws_plot_request *request, ws_plot_format format, const char *output,
                   char **text)
{
    *text = NULL;
    if (request->variance && ws_frame_find_column(request->variance, "share") < 0)
        return ws_frame_refuse_column(request->variance, "shares of components", "share", "");
    ws_plot_request scaled = *request;
    ws_canvas canvas = {.scale = request->font_pt > 0 ? request->font_pt / WS_FONT_PT : 1,
                        .asked_width = request->width_px,
                        .asked_height = request->height_px};
    scaled.width_px = to_layout(request->width_px, canvas.scale);
    scaled.height_px = to_layout(request->height_px, canvas.scale);
    if (request->note && *request->note)
        ws_plot_note(&canvas, "%s", request->note);
    char *body = NULL, *whole = NULL;
    size_t body_bytes, whole_bytes;
    FILE *body_stream = open_memstream(&body, &body_bytes), *script = NULL;
    if (!body_stream)
        return ws_fail(WS_EMEM, "out of memory");
    int status = figure->data(&scaled, &canvas, body_stream);
    if (fclose(body_stream) && !status)
        status = ws_fail(WS_EMEM, "out of memory");
    if (status)
        goto done;
    canvas.height += ws_plot_note_px(&canvas);
    if (request->title && *request->title) {
        canvas.height += WS_TITLE_PX;
        canvas.top += WS_TITLE_PX;
        canvas.bottom += WS_TITLE_PX;
    }
    script = open_memstream(&whole, &whole_bytes);
    if (!script) {
        status = ws_fail(WS_EMEM, "out of memory");
        goto done;
    }
    fprintf(script, "# %s: %s.\n", figure->name, figure->summary);
    if (format == WS_PLOT_SCRIPT)
        fputs("# Everything is in this file: gnuplot FIGURE.gp > FIGURE.svg\n", script);
    fputs("set encoding utf8\n", script);
    write_terminal(format, &canvas, script);
    if (output) {
        fputs("set output ", script);
        ws_script_string(script, output);
        fputc('\n', script);
    }
    write_canvas(request, &canvas, script);
    write_texts(body, script);
    write_body(body, script);
    fputs(ws_plot_script_common, script);
    fputs(figure->drawing, script);
    fputs("unset output\n", script);
    if (fclose(script))
        status = ws_fail(WS_EMEM, "out of memory");
done:
    free(body);
    if (status)
        free(whole);
    else
        *text = whole;
    return status;
}
