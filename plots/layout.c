/* layout.c - how large is a picture, and what does it say below about what it leaves out? */
#include "plots/figure_internal.h"

#include <stdarg.h>
#include <string.h>

static const double note_font_px = 9, note_edge_px = 8;
enum { LEAST_ROWS_PX = 40 };

bool ws_plot_together(const ws_column *a, const ws_column *b)
{
    return !strcmp(a->group, b->group) && !strcmp(a->unit, b->unit);
}

const char *ws_plot_panel_name(const ws_column *first, size_t columns)
{
    return *first->group ? first->group : columns == 1 ? first->name : "";
}

static double title_height(const ws_plot_request *request)
{
    return request->title && *request->title ? WS_TITLE_PX : 0;
}

/* asked_px: of the layout; aside_px: what stands around the figure. */
static int find_span(const char *option, unsigned asked_px, unsigned picture_px, double aside_px, double least_px,
                     double usual_px, const ws_canvas *canvas, double *span_px)
{
    *span_px = asked_px ? asked_px - aside_px : usual_px;
    if (asked_px && *span_px < ceil(least_px) - 0.5)
        return ws_fail(WS_EINPUT, "--%s %u: this figure needs at least %.0f pixels%s", option, picture_px,
                       ceil(ceil(least_px + aside_px) * canvas->scale),
                       canvas->scale == 1 ? "" : " with letters of this size");
    return WS_OK;
}

int ws_plot_width(const ws_plot_request *request, double least_px, double usual_px, ws_canvas *canvas)
{
    return find_span("width", request->width_px, canvas->asked_width, 0, least_px, round(usual_px), canvas,
                     &canvas->width);
}

int ws_plot_height(const ws_plot_request *request, double least_px, double usual_px, ws_canvas *canvas)
{
    return find_span("height", request->height_px, canvas->asked_height,
                     title_height(request) + ws_plot_note_px(canvas), least_px, usual_px, canvas, &canvas->height);
}

double ws_plot_names_room(const ws_plot_request *request, double wanted_px, double share)
{
    return request->width_px ? fmin(wanted_px, floor(share * request->width_px)) : wanted_px;
}

/* How far rows lie apart. */
static double rows_pitch(const ws_plot_request *request, size_t rows, double full_px, double ends_px)
{
    const double given_px = request->height_px - ends_px - title_height(request);
    return request->height_px ? given_px / (double)rows : ws_plot_pitch(rows, full_px);
}

/* Where not all names have room, those of the rows that stand for others have. */
static bool names_some(const ws_plot_request *request, double pitch_px)
{
    return request->labels == WS_LABELS_REPRESENTATIVES || (request->groups && pitch_px < WS_LEAST_NAME_PX);
}

double ws_plot_rows_names(const ws_plot_request *request, size_t rows, double full_px, double ends_px, double wanted_px,
                          double share)
{
    const double pitch_px = rows_pitch(request, rows, full_px, ends_px);
    const bool shown = pitch_px >= WS_LEAST_NAME_PX || names_some(request, pitch_px);
    return shown && request->labels != WS_LABELS_NONE ? ws_plot_names_room(request, wanted_px, share) : 0;
}

int ws_plot_rows_height(const ws_plot_request *request, size_t rows, double full_px, double ends_px, double names_px,
                        ws_canvas *canvas)
{
    const double least_px = fmin((double)rows * WS_LEAST_NAME_PX, LEAST_ROWS_PX);
    const double pitch_px = rows_pitch(request, rows, full_px, ends_px);
    canvas->some_names = names_some(request, pitch_px);
    if (!(names_px > 0) && request->labels != WS_LABELS_NONE)
        ws_plot_note(canvas, "Names are left out: %zu rows.", rows);
    else if (names_px > 0 && canvas->some_names && request->labels == WS_LABELS_ALL)
        ws_plot_note(canvas, "Names of representatives only: %zu rows.", rows);
    const int status =
        ws_plot_height(request, ends_px + least_px, ends_px + ws_plot_pitch(rows, full_px) * (double)rows, canvas);
    canvas->names_pitch = (canvas->height - ends_px) / (double)(rows ? rows : 1);
    return status;
}

bool ws_plot_row_named(const ws_canvas *canvas, size_t place, bool stands_in, double *free_px)
{
    if (!canvas->some_names)
        return true;
    const double at_px = (double)place * canvas->names_pitch;
    if (!stands_in || at_px < *free_px)
        return false;
    *free_px = at_px + WS_LEAST_NAME_PX;
    return true;
}

void ws_plot_note(ws_canvas *canvas, const char *format, ...)
{
    const size_t used = strlen(canvas->note);
    char sentence[WS_NOTE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    snprintf(canvas->note + used, sizeof canvas->note - used, "%s%s", used ? " " : "", sentence);
}

/* Where the line that begins at `text` ends: behind the last word that fits. */
static size_t line_end(const char *text, double width_px)
{
    char line[WS_NOTE_BYTES];
    size_t end = 0;
    while (text[end]) {
        const size_t next = end + 1 + strcspn(text + end + 1, " ");
        snprintf(line, sizeof line, "%.*s", (int)next, text);
        if (end && ws_text_width(line, note_font_px) > width_px)
            break;
        end = next;
    }
    return end;
}

void ws_plot_note_wrap(const ws_canvas *canvas, char wrapped[WS_NOTE_BYTES])
{
    memcpy(wrapped, canvas->note, WS_NOTE_BYTES);
    for (char *at = wrapped; *at;) {
        at += line_end(at, canvas->width - 2 * note_edge_px);
        if (*at)
            *at++ = '\n'; /* in place of the blank */
    }
}

size_t ws_plot_note_lines(const ws_canvas *canvas)
{
    char wrapped[WS_NOTE_BYTES];
    ws_plot_note_wrap(canvas, wrapped);
    size_t lines = *wrapped != '\0';
    for (const char *c = wrapped; *c; c++)
        lines += *c == '\n';
    return lines;
}

double ws_plot_note_px(const ws_canvas *canvas)
{
    const size_t lines = ws_plot_note_lines(canvas);
    return lines ? WS_NOTE_PX + WS_NOTE_LINE_PX * (double)lines : 0;
}
