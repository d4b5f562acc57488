/* limit.h - limits that a difference must not reach: "simd_efficiency<-5%", "cycles>10%", "l1_miss_rate>0.02". */
#ifndef WS_LIMIT_H
#define WS_LIMIT_H

#include "cli/diff/difference.h"

#include <stddef.h>

typedef struct ws_limit {
    const char *text;
    char column[64];
    bool above;    /* true for >, false for < */
    bool relative; /* percent of A; else an absolute difference */
    double bound;
} ws_limit;

/* Parses COLUMN, < or >, and NUMBER with or without a percent sign. WS_EINPUT names the expected part. */
int ws_limit_parse(const char *text, ws_limit *out);

/* Reports each pair of rows that meets the limit, or that lacks a value to decide, and adds their number to *met.
 * WS_EINPUT when a frame lacks the column. */
int ws_limit_check(const ws_limit *limit, const ws_difference *difference, FILE *out, size_t *met);

#endif
