/* frame.c - a labelled matrix in memory: making it, filling it, picking from it. */
#include "base/frame.h"

#include "base/c_locale.h"
#include "base/guess.h"
#include "base/grow.h"
#include "base/status.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void free_strings(char **text, size_t n)
{
    for (size_t i = 0; text && i < n; i++)
        free(text[i]);
    free(text);
}

/* n copies of "", or NULL. */
static char **empty_strings(size_t n)
{
    char **text = calloc(n ? n : 1, sizeof *text);
    for (size_t i = 0; text && i < n; i++) {
        text[i] = strdup("");
        if (!text[i]) {
            free_strings(text, n);
            return NULL;
        }
    }
    return text;
}

static int replace(char **place, const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        return ws_fail(WS_EMEM, "no memory for a name");
    free(*place);
    *place = copy;
    return WS_OK;
}

static ws_column *empty_columns(size_t n)
{
    ws_column *column = calloc(n ? n : 1, sizeof *column);
    for (size_t i = 0; column && i < n; i++) {
        column[i] = (ws_column){strdup(""), strdup(""), strdup("")};
        if (!column[i].name || !column[i].unit || !column[i].group) {
            for (size_t j = 0; j <= i; j++) {
                free(column[j].name);
                free(column[j].unit);
                free(column[j].group);
            }
            free(column);
            return NULL;
        }
    }
    return column;
}

ws_frame *ws_frame_create(size_t rows, size_t columns, size_t labels, const char *const *label_names)
{
    labels = labels ? labels : 1;
    size_t values, cells;
    if (__builtin_mul_overflow(rows, columns, &values) || __builtin_mul_overflow(rows, labels, &cells) ||
        values > SIZE_MAX / sizeof(double))
        return NULL;
    ws_frame *frame = calloc(1, sizeof *frame);
    if (!frame)
        return NULL;
    *frame = (ws_frame){
        .rows = rows,
        .columns = columns,
        .labels = labels,
        .label_names = empty_strings(labels),
        .label = empty_strings(cells),
        .column = empty_columns(columns),
        .value = malloc((values ? values : 1) * sizeof(double)),
    };
    int rc = frame->label_names && frame->label && frame->column && frame->value ? WS_OK : WS_EMEM;
    for (size_t i = 0; rc == WS_OK && i < labels; i++)
        rc = replace(&frame->label_names[i], label_names ? label_names[i] : "row");
    if (rc != WS_OK) {
        ws_frame_destroy(frame);
        return NULL;
    }
    for (size_t i = 0; i < values; i++)
        frame->value[i] = NAN;
    return frame;
}

void ws_frame_destroy(ws_frame *frame)
{
    if (!frame)
        return;
    free_strings(frame->label_names, frame->labels);
    free_strings(frame->label, frame->rows * frame->labels);
    for (size_t i = 0; frame->column && i < frame->columns; i++) {
        free(frame->column[i].name);
        free(frame->column[i].unit);
        free(frame->column[i].group);
    }
    free(frame->column);
    free(frame->value);
    free_strings(frame->note, frame->notes);
    free(frame);
}

int ws_frame_give(int status, ws_frame *frame, ws_frame **out)
{
    if (status == WS_OK)
        *out = frame;
    else
        ws_frame_destroy(frame);
    return status;
}

int ws_frame_set_label(ws_frame *frame, size_t row, size_t label, const char *text)
{
    assert(row < frame->rows && label < frame->labels);
    return replace(&frame->label[row * frame->labels + label], text);
}

int ws_frame_set_column(ws_frame *frame, size_t column, const char *name, const char *unit, const char *group)
{
    assert(column < frame->columns);
    ws_column *c = &frame->column[column];
    int rc = replace(&c->name, name);
    if (rc == WS_OK)
        rc = replace(&c->unit, unit ? unit : "");
    return rc == WS_OK ? replace(&c->group, group ? group : "") : rc;
}

/* A note that looks like one of the format's own lines must not be read as one later. */
static bool looks_like_format(const char *note)
{
    static const char *const own[] = {"warpscape frame", "column ", "labels:"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strncmp(note, own[i], strlen(own[i])) == 0)
            return true;
    return false;
}

int ws_frame_note(ws_frame *frame, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    const locale_t before = ws_c_locale_enter(); /* a note is data: its numbers have points, whatever the locale */
    const int length = vasprintf(&text, format, args);
    ws_c_locale_leave(before);
    va_end(args);
    if (length < 0)
        return ws_fail(WS_EMEM, "no memory for a note");
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' '; /* a note is one line */
    if (looks_like_format(text)) {
        char *marked = NULL;
        if (asprintf(&marked, "note: %s", text) < 0)
            marked = NULL;
        free(text);
        text = marked;
    }
    if (!text || WS_GROW(frame->note, frame->note_room, frame->notes, 1)) {
        free(text);
        return ws_fail(WS_EMEM, "no memory for a note");
    }
    frame->note[frame->notes++] = text;
    return WS_OK;
}

int ws_frame_note_points(ws_frame *frame, const char *plan, size_t done, size_t points)
{
    return ws_frame_note(frame, "plan: %s, %zu of %zu points", plan, done, points);
}

bool ws_frame_points(const ws_frame *frame, size_t *done, size_t *points)
{
    for (size_t i = 0; i < frame->notes; i++)
        if (sscanf(frame->note[i], "plan: %*[^,], %zu of %zu points", done, points) == 2)
            return true;
    return false;
}

/* A frame of that shape with the names, units, groups and notes of another one; column NULL takes them all. */
static ws_frame *create_like(const ws_frame *frame, size_t rows, const size_t *column, size_t columns)
{
    ws_frame *fresh = ws_frame_create(rows, columns, frame->labels, (const char *const *)frame->label_names);
    int rc = fresh ? WS_OK : WS_EMEM;
    for (size_t j = 0; rc == WS_OK && j < columns; j++) {
        const ws_column *from = &frame->column[column ? column[j] : j];
        rc = ws_frame_set_column(fresh, j, from->name, from->unit, from->group);
    }
    for (size_t i = 0; rc == WS_OK && i < frame->notes; i++)
        rc = ws_frame_note(fresh, "%s", frame->note[i]);
    if (rc == WS_OK)
        return fresh;
    ws_frame_destroy(fresh);
    return NULL;
}

/* Rows and columns picked at once; NULL lists take all of them. */
static int pick(const ws_frame *frame, const size_t *row, size_t rows, const size_t *column, size_t columns,
                ws_frame **out)
{
    ws_frame *fresh = create_like(frame, rows, column, columns);
    if (!fresh)
        return ws_fail(WS_EMEM, "no memory for a frame of %zu x %zu", rows, columns);
    for (size_t i = 0; i < rows; i++) {
        const size_t source = row ? row[i] : i;
        assert(source < frame->rows);
        for (size_t l = 0; l < frame->labels; l++)
            if (ws_frame_set_label(fresh, i, l, frame->label[source * frame->labels + l]) != WS_OK) {
                ws_frame_destroy(fresh);
                return WS_EMEM;
            }
        for (size_t j = 0; j < columns; j++) {
            assert(!column || column[j] < frame->columns);
            fresh->value[i * columns + j] = frame->value[source * frame->columns + (column ? column[j] : j)];
        }
    }
    *out = fresh;
    return WS_OK;
}

int ws_frame_pick_rows(const ws_frame *frame, const size_t *row, size_t n, ws_frame **out)
{
    return pick(frame, row, n, NULL, frame->columns, out);
}

int ws_frame_pick_columns(const ws_frame *frame, const size_t *column, size_t n, ws_frame **out)
{
    return pick(frame, NULL, frame->rows, column, n, out);
}

long ws_frame_find_column(const ws_frame *frame, const char *name)
{
    for (size_t j = 0; j < frame->columns; j++)
        if (strcmp(frame->column[j].name, name) == 0)
            return (long)j;
    return -1;
}

/* Is there a column of that stem, so many bytes, with that ending? */
static bool has_column(const ws_frame *frame, const char *stem, size_t bytes, const char *ending)
{
    for (size_t j = 0; j < frame->columns; j++) {
        const char *const name = frame->column[j].name;
        if (strncmp(name, stem, bytes) == 0 && strcmp(name + bytes, ending) == 0)
            return true;
    }
    return false;
}

long ws_frame_find_label(const ws_frame *frame, const char *name)
{
    for (size_t l = 0; l < frame->labels; l++)
        if (!strcmp(frame->label_names[l], name))
            return (long)l;
    return -1;
}

int ws_frame_refuse_column(const ws_frame *frame, const char *name, const char *column, const char *behind)
{
    ws_guess guess = ws_guess_of(column);
    for (size_t c = 0; c < frame->columns; c++)
        ws_guess_see(&guess, frame->column[c].name);
    return ws_fail(WS_EINPUT, "%s: there is no column '%s'%s%s%s%s", name, column, behind,
                   guess.best ? "; did you mean '" : "", guess.best ? guess.best : "", guess.best ? "'?" : "");
}

bool ws_frame_is_limit(const ws_frame *frame, size_t column)
{
    static const char *const endings[] = {"_low", "_high"};
    const char *const name = frame->column[column].name;
    for (size_t e = 0; e < 2; e++) {
        const size_t bytes = strlen(name), tail = strlen(endings[e]);
        if (bytes > tail && strcmp(name + bytes - tail, endings[e]) == 0)
            return has_column(frame, name, bytes - tail, "") && has_column(frame, name, bytes - tail, endings[!e]);
    }
    return false;
}

bool ws_frame_label_names(const ws_frame *frame, size_t label)
{
    return !label || strcmp(frame->label_names[label], WS_FRAME_MANGLED) != 0;
}

void ws_frame_row_name(const ws_frame *frame, size_t row, char *text, size_t size)
{
    size_t used = 0;
    if (size)
        text[0] = '\0';
    for (size_t l = 0; l < frame->labels && used < size; l++) {
        const char *const label = frame->label[row * frame->labels + l];
        if (!ws_frame_label_names(frame, l) || !*label)
            continue;
        const int n = snprintf(text + used, size - used, "%s%s", used ? "/" : "", label);
        used += n > 0 ? (size_t)n : 0;
    }
}

int ws_frame_require_finite(const ws_frame *frame, const char *name)
{
    for (size_t i = 0; i < frame->rows; i++)
        for (size_t j = 0; j < frame->columns; j++) {
            const double value = frame->value[i * frame->columns + j];
            if (isfinite(value))
                continue;
            char row[200];
            ws_frame_row_name(frame, i, row, sizeof row);
            return ws_fail(WS_EINPUT,
                           "%s: row %zu (%s), column '%s': expected a finite number, found %s; "
                           "remove that row or column, or fill the value in",
                           name, i + 1, row, frame->column[j].name, isnan(value) ? "a missing value" : "an infinity");
        }
    return WS_OK;
}
