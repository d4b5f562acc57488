/* embed.h - data for a page's script: frames and texts as JSON in inert elements.
 *
 * The size of a page is bounded, so that a page with many rows still opens quickly. A frame of more values than
 * WS_EMBED_EXACT is embedded with WS_EMBED_DIGITS digits. Above WS_EMBED_VALUES the last columns are omitted. If even
 * the first WS_EMBED_COLUMNS columns are too large, only evenly spaced rows are kept. The data record omissions, and
 * the page shows them. */
#ifndef WS_EMBED_H
#define WS_EMBED_H

#include "base/frame.h"

#include <stdio.h>

enum { WS_EMBED_EXACT = 60000, WS_EMBED_VALUES = 1000000, WS_EMBED_COLUMNS = 8, WS_EMBED_DIGITS = 6 };

/* Writes a text as JSON (RFC 8259), safe in an element of a page: it cannot end the element or begin markup. Invalid
 * UTF-8 and control characters unknown to JSON are written as by ws_shown. */
void ws_embed_text(FILE *out, const char *text);

/* Writes a number as JSON, null for NaN; infinities as numbers beyond the range of a double. digits 0: as many as
 * reproduce the double. */
void ws_embed_number(FILE *out, double value, int digits);

/* Writes n numbers, value[i * stride], in fewer bytes than a list, which a browser also reads faster: base64 (RFC 4648)
 * of little-endian single-precision numbers (IEEE 754). They are rounded to `digits` (at most FLT_DIG, so that rounding
 * restores the decimal number); NaN is missing. Writes a list if a number exceeds single precision. */
void ws_embed_singles(FILE *out, const double *value, size_t n, size_t stride, int digits);

/* Embedded part of a frame: every step-th row from the first, and the first columns. */
typedef struct ws_embed_part {
    size_t step, rows, columns;
    int digits; /* 0: all */
} ws_embed_part;
ws_embed_part ws_embed_part_of(const ws_frame *frame);

/* Writes the element of a frame, id "frame-FILE": a line of metadata, then one line per label and per column. Each line
 * is separate JSON, so that the page parses a column on first use. */
void ws_embed_frame(FILE *out, const char *file, const char *meaning, const ws_frame *frame);

#endif
