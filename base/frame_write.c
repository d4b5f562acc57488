/* frame_write.c - how does a frame become CSV that anybody can read, and that comes back bit-identical? */
#include "base/frame.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static bool needs_quotes(const char *text)
{
    const size_t n = strlen(text);
    return strpbrk(text, ",;\t\"\n\r#") || (n && (text[0] == ' ' || text[n - 1] == ' '));
}

/* Text cells: quoted when RFC 4180 or a reader that strips comments and blanks wants it. `alone`: the only cell of its
 * line, where nothing at all would read as a blank line. */
static void write_text(const char *text, bool alone, FILE *out)
{
    if (!needs_quotes(text) && !(alone && !*text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_encoded(const char *text, FILE *out)
{
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c <= ' ' || c == '%' || c == '=' || c == 0x7f)
            fprintf(out, "%%%02X", c);
        else
            fputc(c, out);
    }
}

static void write_definitions(const ws_frame *frame, FILE *out)
{
    for (size_t j = 0; j < frame->columns; j++) {
        const ws_column *c = &frame->column[j];
        if (!*c->unit && !*c->group)
            continue;
        fputs("# column ", out);
        write_encoded(c->name, out);
        if (*c->unit)
            fputs(" unit=", out);
        write_encoded(c->unit, out);
        if (*c->group)
            fputs(" group=", out);
        write_encoded(c->group, out);
        fputc('\n', out);
    }
}

static void write_comments(const ws_frame *frame, bool definitions, FILE *out)
{
    fputs("# warpscape frame 1\n", out);
    for (size_t i = 0; i < frame->notes; i++)
        fprintf(out, "# %s\n", frame->note[i]);
    if (definitions)
        write_definitions(frame, out);
    fprintf(out, "# labels: %zu\n", frame->labels);
}

static int write_frame(const ws_frame *frame, bool definitions, FILE *out)
{
    const bool alone = frame->labels + frame->columns == 1;
    write_comments(frame, definitions, out);
    for (size_t l = 0; l < frame->labels; l++) {
        if (l)
            fputc(',', out);
        write_text(frame->label_names[l], alone, out);
    }
    for (size_t j = 0; j < frame->columns; j++) {
        fputc(',', out);
        write_text(frame->column[j].name, false, out);
    }
    fputc('\n', out);
    for (size_t i = 0; i < frame->rows; i++) {
        for (size_t l = 0; l < frame->labels; l++) {
            if (l)
                fputc(',', out);
            write_text(frame->label[i * frame->labels + l], alone, out);
        }
        for (size_t j = 0; j < frame->columns; j++) {
            char text[WS_NUMBER_BYTES];
            const size_t n = ws_text_from_double(frame->value[i * frame->columns + j], text);
            fputc(',', out);
            fwrite(text, 1, n, out);
        }
        fputc('\n', out);
        if (ferror(out))
            break;
    }
    return ferror(out) ? ws_fail(WS_EIO, "cannot write the frame: %s", strerror(errno)) : WS_OK;
}

int ws_frame_write(const ws_frame *frame, FILE *out)
{
    return write_frame(frame, true, out);
}

int ws_frame_write_short(const ws_frame *frame, FILE *out)
{
    return write_frame(frame, false, out);
}

int ws_frame_save(const ws_frame *frame, const char *path)
{
    ws_output output;
    const int rc = ws_output_open(&output, path);
    return rc == WS_OK ? ws_output_close(&output, ws_frame_write(frame, output.stream)) : rc;
}
