/* frame_print.h - output of a frame in the formats of frame_formats.def. */
#ifndef WS_FRAME_PRINT_H
#define WS_FRAME_PRINT_H

#include "base/frame.h"

typedef enum ws_frame_format {
#define FORMAT(word, meaning) WS_FORMAT_##word,
#include "base/frame_formats.def"
#undef FORMAT
    WS_FORMATS
} ws_frame_format;

extern const char *const ws_frame_format_words[WS_FORMATS + 1]; /* the last is NULL */

/* Prints the frame. With `definitions`, csv and json include the unit and group of every column. Returns WS_EIO or
 * WS_EMEM on failure. */
int ws_frame_print(const ws_frame *frame, ws_frame_format format, bool definitions, FILE *out);

/* Printers of single formats.
 *
 *     csv    base/frame.h; exact.
 *     json   {"notes": [text...], "columns": [{"name", "unit", "group"}...],
 *            "rows": [{"workload": text, "simd_efficiency": number}...]}; exact. A missing value is null, an infinity
 *            the text "Inf" or "-Inf"; bytes that are not UTF-8 become U+FFFD. "columns" is present only with
 *            definitions.
 *     table  four digits, names broken at their '_' so that columns stay narrow; notes and mangled kernel names are
 *            left out.
 *     md     the same cells as a table of GitHub's Markdown, with all markup in names escaped. */
int ws_frame_print_csv(const ws_frame *frame, bool definitions, FILE *out);
int ws_frame_print_table(const ws_frame *frame, bool definitions, FILE *out);
int ws_frame_print_json(const ws_frame *frame, bool definitions, FILE *out);
int ws_frame_print_md(const ws_frame *frame, bool definitions, FILE *out);

enum { WS_CELL_BYTES = 32 };

/* Formats a number for people: whole numbers of up to nine digits exactly, others with four digits, NA when missing. */
void ws_frame_cell(double value, char text[WS_CELL_BYTES]);

#endif
