/* describe.h - definitions of the columns of frames that were read without them. */
#ifndef WS_DESCRIBE_H
#define WS_DESCRIBE_H

#include "base/frame.h"

/* Sets unit and group of columns that have neither and have the name of a metric or a feature (performance.h).
 * Definitions in the frame are kept. Returns WS_OK or WS_EMEM. */
int ws_describe_columns(ws_frame *frame);

/* Sets (*column)[*n] to the columns that authors of kernels need first, in the order of the frame. The caller frees it.
 * Returns WS_OK or WS_EMEM. */
int ws_brief_columns(const ws_frame *frame, size_t **column, size_t *n);

#endif
