/* counts.h - what a roofline counts, from the columns of a row of `warpscape metrics --per launch'. */
#ifndef WS_ROOFLINE_COUNTS_H
#define WS_ROOFLINE_COUNTS_H

#include "base/frame.h"
#include "model/mechanism/roofline/roofline.h"

/* frame: of set all, a row a launch. False: something was not measured (NaN) or has no column. */
bool ws_roofline_count(const ws_frame *frame, size_t row, ws_roofline_counts *out);

#endif
