/* plot_rows.h - which rows of a frame does a figure draw, where it cannot draw all? */
#ifndef WS_PLOT_ROWS_H
#define WS_PLOT_ROWS_H

#include "base/frame.h"

/* Where a frame has more rows than `most` (0: no limit), replaces *frame by a random sample of so many, in their order,
 * the same for the same frame, and writes what is missing into note; else both stay as they are. WS_EMEM. */
int ws_plot_sample(size_t most, ws_frame **frame, char *note, size_t size);

#endif
