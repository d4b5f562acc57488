/* counts.h - counts of a roofline, from the columns of a row of `warpscape metrics --per launch'. */
#ifndef WS_ROOFLINE_COUNTS_H
#define WS_ROOFLINE_COUNTS_H

#include "base/frame.h"
#include "model/mechanism/roofline/roofline.h"

/* Reads a row of `frame`, of set all, with a row per launch. Returns false if a value is missing (NaN) or has no
 * column. */
bool ws_roofline_count(const ws_frame *frame, size_t row, ws_roofline_counts *out);

#endif
