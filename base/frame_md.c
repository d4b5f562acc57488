/* frame_md.c - how does a frame become a table of Markdown (GitHub Flavored Markdown Spec 0.29, 4.10) that shows names
 * as they are? */
#include "base/frame_print.h"

#include "base/status.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Is that letter markup? Underscores within a word are none. */
static bool is_markup(const char *text, const char *at)
{
    if (*at == '_')
        return at == text || !is_of_word(at[-1]) || !is_of_word(at[1]);
    return strchr("\\`*[]<>|~&#", *at) != NULL;
}

static int write_name(const char *name, FILE *out)
{
    char *const shown = ws_shown_copy(name);
    if (!shown)
        return ws_fail(WS_EMEM, "no memory for a name");
    for (const char *c = shown; *c; c++) {
        if (is_markup(shown, c))
            fputc('\\', out);
        fputc(*c, out);
    }
    free(shown);
    return WS_OK;
}

static int write_names(const ws_frame *frame, char *const *name, FILE *out)
{
    int status = WS_OK;
    for (size_t l = 0; l < frame->labels && !status; l++) {
        if (!ws_frame_label_names(frame, l))
            continue;
        fputs(l ? " | " : "| ", out);
        status = write_name(name[l], out);
    }
    return status;
}

static int write_head(const ws_frame *frame, FILE *out)
{
    int status = write_names(frame, frame->label_names, out);
    for (size_t j = 0; j < frame->columns && !status; j++) {
        fputs(" | ", out);
        status = write_name(frame->column[j].name, out);
    }
    fputs(" |\n|", out);
    for (size_t l = 0; l < frame->labels; l++)
        if (ws_frame_label_names(frame, l))
            fputs(" --- |", out);
    for (size_t j = 0; j < frame->columns; j++)
        fputs(" ---: |", out);
    fputc('\n', out);
    return status;
}

int ws_frame_print_md(const ws_frame *frame, bool definitions, FILE *out)
{
    (void)definitions;
    int status = write_head(frame, out);
    for (size_t i = 0; i < frame->rows && !status; i++) {
        status = write_names(frame, frame->label + i * frame->labels, out);
        for (size_t j = 0; j < frame->columns; j++) {
            char text[WS_CELL_BYTES];
            ws_frame_cell(frame->value[i * frame->columns + j], text);
            fprintf(out, " | %s", text);
        }
        fputs(" |\n", out);
    }
    return status || !ferror(out) ? status : ws_fail(WS_EIO, "cannot write the frame: %s", strerror(errno));
}
