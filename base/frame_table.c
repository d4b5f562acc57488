/* frame_table.c - how does a frame fit a terminal?
 *
 * Names of columns are longer than their numbers, so they are broken at their '_' into several lines
 * over each other. */
#include "base/frame_print.h"

#include "base/shown.h"
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 12, GAP = 2 }; /* letters of a line of a name, unless a word is longer */

/* Letters of a text; of one that is shown each takes a cell. */
static size_t letters(const char *text, size_t bytes)
{
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

/* Bytes of the next line of a name: as many words as fit, and one at least. */
static size_t line_bytes(const char *name)
{
    size_t taken = 0;
    while (name[taken]) {
        const size_t word = strcspn(name + taken, "_"), next = taken + word + (name[taken + word] == '_');
        if (taken && next > NAME_WIDTH)
            break;
        taken = next;
    }
    return taken;
}

static size_t lines_of(const char *name)
{
    size_t n = 0;
    for (; *name; name += line_bytes(name))
        n++;
    return n;
}

static size_t width_of(const char *name)
{
    size_t width = 0;
    for (size_t bytes; *name; name += bytes) {
        bytes = line_bytes(name);
        width = letters(name, bytes) > width ? letters(name, bytes) : width;
    }
    return width;
}

/* ------------------------------------------------------------------------------------------------ the table */

typedef struct table {
    const ws_frame *frame;
    FILE *out;
    char **label;  /* [rows * labels] as they are shown */
    size_t *width; /* [labels + columns] */
    size_t lines;  /* of the longest name */
    size_t blanks; /* that come before what is printed next in the line; none stand at its end */
} table;

static void widen(size_t *width, size_t least)
{
    *width = *width > least ? *width : least;
}

static int measure_labels(table *t)
{
    const ws_frame *const f = t->frame;
    for (size_t i = 0; i < f->rows * f->labels; i++) {
        t->label[i] = ws_shown_copy(f->label[i]);
        if (!t->label[i])
            return ws_fail(WS_EMEM, "no memory for a table");
        widen(&t->width[i % f->labels], letters(t->label[i], strlen(t->label[i])));
    }
    return WS_OK;
}

static void measure(table *t)
{
    const ws_frame *const f = t->frame;
    t->lines = 1;
    for (size_t l = 0; l < f->labels; l++)
        widen(&t->width[l], letters(f->label_names[l], strlen(f->label_names[l])));
    for (size_t j = 0; j < f->columns; j++) {
        widen(&t->width[f->labels + j], width_of(f->column[j].name));
        widen(&t->lines, lines_of(f->column[j].name));
        for (size_t i = 0; i < f->rows; i++) {
            char text[WS_CELL_BYTES];
            ws_frame_cell(f->value[i * f->columns + j], text);
            widen(&t->width[f->labels + j], strlen(text));
        }
    }
}

static void put(table *t, const char *text, size_t bytes)
{
    if (!bytes)
        return;
    fprintf(t->out, "%*s%.*s", (int)t->blanks, "", (int)bytes, text);
    t->blanks = 0;
}

static void end_line(table *t)
{
    fputc('\n', t->out);
    t->blanks = 0;
}

/* The labels of a line; NULL: none yet, the names of columns are longer. */
static void print_labels(table *t, char *const *label)
{
    bool first = true;
    for (size_t l = 0; l < t->frame->labels; l++) {
        if (!ws_frame_label_names(t->frame, l))
            continue;
        const char *const text = label ? label[l] : "";
        t->blanks += first ? 0 : GAP;
        put(t, text, strlen(text));
        t->blanks += t->width[l] - letters(text, strlen(text));
        first = false;
    }
}

static void print_right(table *t, size_t column, const char *text, size_t bytes)
{
    t->blanks += GAP + t->width[t->frame->labels + column] - letters(text, bytes);
    put(t, text, bytes);
}

/* Names stand at the bottom of their lines. */
static void print_names(table *t)
{
    for (size_t line = 0; line < t->lines; line++) {
        print_labels(t, line + 1 == t->lines ? t->frame->label_names : NULL);
        for (size_t j = 0; j < t->frame->columns; j++) {
            const char *part = t->frame->column[j].name;
            const size_t blank = t->lines - lines_of(part);
            for (size_t k = blank; k < line; k++)
                part += line_bytes(part);
            print_right(t, j, part, line < blank ? 0 : line_bytes(part));
        }
        end_line(t);
    }
}

static void print_rows(table *t)
{
    const ws_frame *const f = t->frame;
    for (size_t i = 0; i < f->rows && !ferror(t->out); i++) {
        print_labels(t, t->label + i * f->labels);
        for (size_t j = 0; j < f->columns; j++) {
            char text[WS_CELL_BYTES];
            ws_frame_cell(f->value[i * f->columns + j], text);
            print_right(t, j, text, strlen(text));
        }
        end_line(t);
    }
}

int ws_frame_print_table(const ws_frame *frame, bool definitions, FILE *out)
{
    (void)definitions;
    table t = {.frame = frame,
               .out = out,
               .label = calloc(frame->rows * frame->labels + 1, sizeof *t.label),
               .width = calloc(frame->labels + frame->columns, sizeof *t.width)};
    int status = t.label && t.width ? measure_labels(&t) : ws_fail(WS_EMEM, "no memory for a table");
    if (!status) {
        measure(&t);
        print_names(&t);
        print_rows(&t);
    }
    for (size_t i = 0; t.label && i < frame->rows * frame->labels; i++)
        free(t.label[i]);
    free(t.label);
    free(t.width);
    return status || !ferror(out) ? status : ws_fail(WS_EIO, "cannot write the frame: %s", strerror(errno));
}
