/* frame_json.c - how does a frame become JSON that every parser takes (RFC 8259)? */
#include "base/frame_print.h"

#include "base/shown.h"
#include "base/status.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void write_letter(const char *at, size_t bytes, FILE *out)
{
    if (!bytes)
        fputs("\\ufffd", out);
    else if (*at == '"' || *at == '\\')
        fprintf(out, "\\%c", *at);
    else if ((unsigned char)*at < ' ')
        fprintf(out, "\\u%04x", (unsigned)*at);
    else
        fwrite(at, 1, bytes, out);
}

static void write_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (size_t bytes; *text; text += bytes ? bytes : 1) {
        bytes = ws_letter_bytes(text);
        write_letter(text, bytes, out);
    }
    fputc('"', out);
}

static void write_number(double value, FILE *out)
{
    char text[WS_NUMBER_BYTES];
    ws_text_from_double(value, text);
    if (isnan(value))
        fputs("null", out);
    else
        fprintf(out, isinf(value) ? "\"%s\"" : "%s", text);
}

static void write_member(const char *name, bool first, FILE *out)
{
    if (!first)
        fputs(", ", out);
    write_text(name, out);
    fputs(": ", out);
}

static void write_notes(const ws_frame *frame, FILE *out)
{
    fputs("  \"notes\": [", out);
    for (size_t i = 0; i < frame->notes; i++) {
        fputs(i ? ",\n    " : "\n    ", out);
        write_text(frame->note[i], out);
    }
    fputs("\n  ],\n", out);
}

static void write_columns(const ws_frame *frame, FILE *out)
{
    fputs("  \"columns\": [", out);
    for (size_t j = 0; j < frame->columns; j++) {
        const ws_column *const c = &frame->column[j];
        const char *const member[][2] = {{"name", c->name}, {"unit", c->unit}, {"group", c->group}};
        fputs(j ? ",\n    {" : "\n    {", out);
        for (size_t m = 0; m < sizeof member / sizeof *member; m++) {
            write_member(member[m][0], !m, out);
            write_text(member[m][1], out);
        }
        fputc('}', out);
    }
    fputs("\n  ],\n", out);
}

static void write_row(const ws_frame *frame, size_t row, FILE *out)
{
    fputs(row ? ",\n    {" : "\n    {", out);
    for (size_t l = 0; l < frame->labels; l++) {
        write_member(frame->label_names[l], !l, out);
        write_text(frame->label[row * frame->labels + l], out);
    }
    for (size_t j = 0; j < frame->columns; j++) {
        write_member(frame->column[j].name, false, out);
        write_number(frame->value[row * frame->columns + j], out);
    }
    fputc('}', out);
}

int ws_frame_print_json(const ws_frame *frame, bool definitions, FILE *out)
{
    fputs("{\n", out);
    write_notes(frame, out);
    if (definitions)
        write_columns(frame, out);
    fputs("  \"rows\": [", out);
    for (size_t i = 0; i < frame->rows && !ferror(out); i++)
        write_row(frame, i, out);
    fputs("\n  ]\n}\n", out);
    return ferror(out) ? ws_fail(WS_EIO, "cannot write the frame: %s", strerror(errno)) : WS_OK;
}
