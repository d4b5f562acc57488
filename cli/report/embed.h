/* embed.h - data for the script of a page: frames and texts as JSON in elements that are no script themselves.
 *
 * What a page holds has bounds, so that one of many rows still opens at once: a frame of more values than
 * WS_EMBED_EXACT has them with WS_EMBED_DIGITS digits; of one of more than WS_EMBED_VALUES the last columns are left
 * out, and, when the WS_EMBED_COLUMNS first ones alone are too many, rows between evenly spaced ones. What is left out
 * is told in the data, and the page says it. */
#ifndef WS_EMBED_H
#define WS_EMBED_H

#include "base/frame.h"

#include <stdio.h>

enum { WS_EMBED_EXACT = 60000, WS_EMBED_VALUES = 1000000, WS_EMBED_COLUMNS = 8, WS_EMBED_DIGITS = 6 };

/* A text as JSON (RFC 8259), safe in an element of a page: no letter in it ends the element or begins markup. Bytes
 * that are no UTF-8 and control characters that JSON does not know stand as ws_shown writes them. */
void ws_embed_text(FILE *out, const char *text);

/* A number as JSON, null for NaN; infinities are beyond what a double holds. digits 0: as many as come back as the same
 * double. */
void ws_embed_number(FILE *out, double value, int digits);

/* n numbers, value[i * stride], in fewer bytes than a list, which a browser also reads faster: a text, which is base64
 * (RFC 4648) of little-endian numbers of single precision (IEEE 754). They have the digits (as many as FLT_DIG, so that
 * rounding to them gives the decimal number back); NaN is missing. A list where a number is beyond single precision. */
void ws_embed_singles(FILE *out, const double *value, size_t n, size_t stride, int digits);

/* Which part of a frame is embedded: every step-th row from the first on, the first columns. */
typedef struct ws_embed_part {
    size_t step, rows, columns;
    int digits; /* 0: all */
} ws_embed_part;
ws_embed_part ws_embed_part_of(const ws_frame *frame);

/* The element of a frame, id "frame-FILE": a line that says what it is, then one for each label and one for each
 * column, each JSON of its own, so that a column is read when somebody looks at it. */
void ws_embed_frame(FILE *out, const char *file, const char *meaning, const ws_frame *frame);

#endif
