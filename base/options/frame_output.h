/* frame_output.h - output options of commands that print frames: --format, --columns, --definitions. */
#ifndef WS_FRAME_OUTPUT_H
#define WS_FRAME_OUTPUT_H

#include "base/frame_print.h"

#include <argp.h>

/* A zeroed one prints all columns as csv, without definitions. */
typedef struct ws_frame_output {
    const char *columns; /* names and patterns of glob(7), separated by commas; NULL: all */
    const char *of;      /* place searched for columns in messages, as "the set all"; NULL: the frame */
    ws_frame_format format;
    bool definitions;
} ws_frame_output;

/* Child parser. Its input is a ws_frame_output, set with state->child_inputs in the parent's ARGP_KEY_INIT. */
extern const struct argp ws_frame_output_argp;

/* Formats of commands that also write text for people, and the argument of their --format: 0 is text, 1 +
 * ws_frame_format a frame. */
extern const char *const ws_frame_output_or_text[WS_FORMATS + 2];
extern const char ws_frame_output_or_text_arg[];

/* Adds the columns that the patterns name to column[*n], each once, in the order of the patterns. The array must have
 * room for all columns. Returns WS_EINPUT for a name or pattern that matches no column. */
int ws_frame_output_match(const ws_frame_output *output, const ws_frame *frame, size_t *column, size_t *n);

/* Adds the command to the provenance of the frame and prints the requested columns on stdout. */
int ws_frame_output_print(const ws_frame_output *output, ws_frame *frame, int argc, char **argv);

#endif
