/* palette.c - which colour, which marker, how much room for a text? And how does a script say it? */
#include "plots/figure_internal.h"

#include "base/shown.h"

#include <ctype.h>
#include <string.h>

/* M. Okabe, K. Ito, Color Universal Design (2002/2008); yellow, too pale for lines on white, comes last. */
static const uint32_t colors[] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x000000, 0xC8B400};
/* Behind those of clusters the same number of others that differ from them and from one another by lightness: one mode,
 * one colour. */
static const uint32_t more_colors[] = {0x7FB8D8, 0x7A3500, 0x7FCEB9, 0x6E2A54, 0xF5D08A, 0x1B4F72, 0x666666, 0x7A6E00};
/* gnuplot's filled markers, the same in all terminals: disc, square, triangle up, triangle down, diamond, pentagon. */
static const int markers[] = {7, 5, 9, 11, 13, 15};

uint32_t ws_cluster_color(long cluster)
{
    return cluster < 1 ? WS_INK : colors[(size_t)(cluster - 1) % (sizeof colors / sizeof colors[0])];
}

uint32_t ws_kind_color(size_t kind)
{
    enum { FIRST = sizeof colors / sizeof colors[0] };
    _Static_assert(FIRST + sizeof more_colors / sizeof more_colors[0] == WS_KINDS, "a colour for each kind");
    return kind < FIRST ? colors[kind] : kind < WS_KINDS ? more_colors[kind - FIRST] : WS_GREY;
}

int ws_cluster_marker(long cluster)
{
    return cluster < 1 ? markers[0] : markers[(size_t)(cluster - 1) % (sizeof markers / sizeof markers[0])];
}

double ws_text_width(const char *text, double font_px)
{
    double em = 0;
    for (const char *c = text; *c; c++) {
        if (((unsigned char)*c & 0xC0) == 0x80) /* not the first byte of a letter */
            continue;
        if (strchr("ijltfrI.,:;|!'()[]/ ", *c))
            em += 0.38;
        else if (strchr("mwMWG@%", *c))
            em += 0.86;
        else if (*c >= 'A' && *c <= 'Z')
            em += 0.70;
        else
            em += 0.58;
    }
    return em * font_px;
}

static int continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80; /* not the first byte of a letter */
}

void ws_text_fit(char *text, double font_px, double width_px)
{
    static const char mark[] = "\u2026";
    char whole[WS_NAME_BYTES];
    if (ws_text_width(text, font_px) <= width_px)
        return;
    snprintf(whole, sizeof whole, "%s", text);
    size_t head = strlen(whole) / 2, tail = head;
    while (head > 1 || tail + 1 < strlen(whole)) {
        while (continues(whole[head]))
            head--;
        while (continues(whole[tail]))
            tail++;
        snprintf(text, WS_NAME_BYTES, "%.*s%s%s", (int)head, whole, mark, whole + tail);
        if (ws_text_width(text, font_px) <= width_px)
            return;
        if (head > 1 && head + tail >= strlen(whole)) /* the end tells apart as much as the beginning does */
            head--;
        else if (tail + 1 < strlen(whole))
            tail++;
        else
            head--;
    }
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '>';
}

/* The end of the parameters that begin there; NULL: they do not end. */
static const char *end_of_parameters(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (!depth)
            return at + 1;
    }
    return NULL;
}

void ws_text_brief(char *text)
{
    static const char call[] = "operator"; /* whose parentheses are its name */
    char *to = text;
    int depth = 0; /* of arguments of templates */
    for (const char *at = text; *at;) {
        const size_t before = (size_t)(to - text), n = sizeof call - 1;
        const bool is_call = before >= n && !memcmp(to - n, call, n);
        const char *const end = *at == '(' && !depth && before && !is_call && (is_of_name(to[-1]) || to[-1] == ')')
                                    ? end_of_parameters(at)
                                    : NULL;
        if (end) {
            at = end;
            continue;
        }
        depth += (*at == '<') - (*at == '>');
        *to++ = *at++;
    }
    *to = '\0';
}

void ws_plot_row_name(const ws_frame *frame, size_t row, char name[WS_NAME_BYTES])
{
    char whole[2 * WS_NAME_BYTES];
    ws_frame_row_name(frame, row, whole, sizeof whole);
    ws_shown(name, WS_NAME_BYTES, whole);
}

double ws_rows_width(const ws_frame *frame, double font_px)
{
    double widest = 0;
    char name[WS_NAME_BYTES];
    for (size_t i = 0; i < frame->rows; i++) {
        ws_plot_row_name(frame, i, name);
        widest = fmax(widest, ws_text_width(name, font_px));
    }
    return widest;
}

void ws_script_text(FILE *script, const char *text)
{
    char shown[4096];
    ws_shown(shown, sizeof shown, text);
    fputc(WS_TEXT_MARK, script);
    for (const char *c = shown; *c;
         c++) { /* labels of plots end at a quote and read a backslash as C does, those of `set label` do not */
        if (*c == '\\' || *c == '"')
            fprintf(script, "\\%03o", *c);
        else
            fputc(*c, script);
    }
    fputc(WS_TEXT_MARK, script);
}

void ws_script_quote(FILE *script, const char *text, size_t length)
{
    fputc('\'', script);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'') /* gnuplot 5.4 loses count of doubled ones that follow one another */
            fputs("'.\"'\".'", script);
        else
            fputc(text[i], script);
    }
    fputc('\'', script);
}

void ws_script_string(FILE *script, const char *text)
{
    char shown[4096];
    ws_shown(shown, sizeof shown, text);
    ws_script_quote(script, shown, strlen(shown));
}

void ws_script_number(FILE *script, const char *name, double value)
{
    /* gnuplot divides whole numbers as C does; a point keeps it from that. */
    char text[32];
    snprintf(text, sizeof text, "%.7g", value);
    fprintf(script, "%s = %s%s\n", name, text, strpbrk(text, ".en") ? "" : ".0");
}

int ws_plot_column(const ws_frame *frame, const char *what, const char *name, size_t rows, double *value)
{
    const long column = ws_frame_find_column(frame, name);
    if (column < 0)
        return ws_frame_refuse_column(frame, what, name, "");
    if (frame->rows != rows)
        return ws_fail(WS_EINPUT, "%s: %zu rows where the figure needs %zu", what, frame->rows, rows);
    for (size_t i = 0; i < rows; i++) {
        value[i] = frame->value[i * frame->columns + (size_t)column];
        if (!isfinite(value[i]))
            return ws_fail(WS_EINPUT, "%s: row %zu has no number in column '%s'", what, i + 1, name);
    }
    return WS_OK;
}

double ws_plot_share(const ws_plot_request *request, size_t column)
{
    const ws_frame *variance = request->variance;
    const long share = variance ? ws_frame_find_column(variance, "share") : -1;
    return share >= 0 && column < variance->rows ? variance->value[column * variance->columns + (size_t)share] : NAN;
}

int ws_plot_groups(const ws_plot_request *request, long *cluster, char *representative)
{
    const size_t rows = request->data->rows;
    memset(cluster, 0, rows * sizeof *cluster);
    memset(representative, 0, rows);
    if (!request->groups || !rows)
        return WS_OK;
    double *value = malloc(rows * sizeof *value);
    if (!value)
        return ws_fail(WS_EMEM, "out of memory");
    int status = ws_plot_column(request->groups, "clusters", "cluster", rows, value);
    for (size_t i = 0; !status && i < rows; i++)
        cluster[i] = (long)value[i];
    if (!status && ws_frame_find_column(request->groups, "representative") >= 0) {
        status = ws_plot_column(request->groups, "clusters", "representative", rows, value);
        for (size_t i = 0; !status && i < rows; i++)
            representative[i] = value[i] != 0;
    }
    free(value);
    return status;
}

ws_limits ws_plot_limits(const double *value, size_t n, double margin)
{
    ws_limits l = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        if (isfinite(value[i])) {
            l.low = fmin(l.low, value[i]);
            l.high = fmax(l.high, value[i]);
        }
    }
    if (l.low > l.high)
        l = (ws_limits){0, 0};
    double span = l.high - l.low;
    if (span <= 1e-12 * fmax(fabs(l.low), fabs(l.high)))
        span = fmax(fabs(l.high), 1);
    return (ws_limits){l.low - margin * span, l.high + margin * span};
}

double ws_nice_step(double span, int steps)
{
    const double rough = span / steps, power = pow(10, floor(log10(rough > 0 ? rough : 1)));
    const double lead = rough / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

double ws_plot_pitch(size_t leaves, double full_px)
{
    enum { MOST_PX = 8000 };
    return fmin(full_px, MOST_PX / (double)(leaves ? leaves : 1));
}
