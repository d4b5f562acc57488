/* plot_rows.h - sampling of rows for figures that cannot draw all of them. */
#ifndef WS_PLOT_ROWS_H
#define WS_PLOT_ROWS_H

#include "base/frame.h"

/* If a frame has more than `most` rows (0: no limit), replaces *frame by a random sample of `most` rows in order, and
 * describes the omission in `note`. The same frame always gives the same sample. Otherwise both remain unchanged.
 * WS_EMEM. */
int ws_plot_sample(size_t most, ws_frame **frame, char *note, size_t size);

#endif
