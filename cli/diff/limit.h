/* limit.h - a rule that a difference must not meet: "simd_efficiency<-5%", "cycles>10%", "l1_miss_rate>0.02". */
#ifndef WS_LIMIT_H
#define WS_LIMIT_H

#include "cli/diff/difference.h"

#include <stddef.h>

typedef struct ws_limit {
    const char *text;
    char column[64];
    bool above;    /* > or < */
    bool relative; /* of A, in percent; else the difference itself */
    double bound;
} ws_limit;

/* COLUMN < or > NUMBER, with or without a percent sign. WS_EINPUT says what was expected. */
int ws_limit_parse(const char *text, ws_limit *out);

/* Says each pair of rows that meets the limit, or where it cannot be told because a value is missing, and adds their
 * number to *met. WS_EINPUT when a frame has no such column. */
int ws_limit_check(const ws_limit *limit, const ws_difference *difference, FILE *out, size_t *met);

#endif
