/* frame_print.h - a frame in the format that its reader likes: rows of frame_formats.def. */
#ifndef WS_FRAME_PRINT_H
#define WS_FRAME_PRINT_H

#include "base/frame.h"

typedef enum ws_frame_format {
#define FORMAT(word, meaning) WS_FORMAT_##word,
#include "base/frame_formats.def"
#undef FORMAT
    WS_FORMATS
} ws_frame_format;

extern const char *const ws_frame_format_words[WS_FORMATS + 1]; /* the last: NULL */

/* Prints the frame. With `definitions`, csv and json give unit and group of every column. WS_EIO, WS_EMEM. */
int ws_frame_print(const ws_frame *frame, ws_frame_format format, bool definitions, FILE *out);

/* Each format by itself.
 *
 *     csv    base/frame.h; exact.
 *     json   {"notes": [text...], "columns": [{"name", "unit", "group"}...],
 *            "rows": [{"workload": text, "simd_efficiency": number}...]}; exact; what is missing is null, an infinity
 *            the text "Inf" or "-Inf"; bytes that are no UTF-8 become U+FFFD. "columns" stands there with definitions
 *            only.
 *     table  four digits, names broken at their '_' so that columns stay narrow; notes and the kernels' names in the
 *            program are left out.
 *     md     the same cells as a table of GitHub's Markdown, in which nothing of a name is markup. */
int ws_frame_print_csv(const ws_frame *frame, bool definitions, FILE *out);
int ws_frame_print_table(const ws_frame *frame, bool definitions, FILE *out);
int ws_frame_print_json(const ws_frame *frame, bool definitions, FILE *out);
int ws_frame_print_md(const ws_frame *frame, bool definitions, FILE *out);

enum { WS_CELL_BYTES = 32 };

/* A number for people: whole ones up to nine digits as they are, others with four digits, NA when it is missing. */
void ws_frame_cell(double value, char text[WS_CELL_BYTES]);

#endif
