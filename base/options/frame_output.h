/* frame_output.h - how a command prints a frame: --format, --columns, --definitions. */
#ifndef WS_FRAME_OUTPUT_H
#define WS_FRAME_OUTPUT_H

#include "base/frame_print.h"

#include <argp.h>

/* Zeroed: all columns as csv, without definitions. */
typedef struct ws_frame_output {
    const char *columns; /* names and patterns of glob(7), separated by commas; NULL: all */
    const char *of;      /* what messages call the place where columns should be, as "the set all"; NULL: the frame */
    ws_frame_format format;
    bool definitions;
} ws_frame_output;

/* Child parser; its input is a ws_frame_output, set with state->child_inputs in the parent's ARGP_KEY_INIT. */
extern const struct argp ws_frame_output_argp;

/* For commands that write text for people, too: 0 is text, 1 + ws_frame_format a frame; and what their --format takes.
 */
extern const char *const ws_frame_output_or_text[WS_FORMATS + 2];
extern const char ws_frame_output_or_text_arg[];

/* Adds the columns that the patterns name to column[*n], each once, in the order of the patterns; there is room for all
 * of the frame. WS_EINPUT for a name or pattern without a column. */
int ws_frame_output_match(const ws_frame_output *output, const ws_frame *frame, size_t *column, size_t *n);

/* Signs the frame with the command and prints the columns that are asked for on stdout. */
int ws_frame_output_print(const ws_frame_output *output, ws_frame *frame, int argc, char **argv);

#endif
