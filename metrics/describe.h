/* describe.h - what are the columns of a frame that came without their definitions? */
#ifndef WS_DESCRIBE_H
#define WS_DESCRIBE_H

#include "base/frame.h"

/* Gives unit and group to the columns that have neither and are called as a metric or a feature (performance.h). What a
 * frame says itself stays. WS_EMEM. */
int ws_describe_columns(ws_frame *frame);

/* (*column)[*n]: those that the author of a kernel reads first, in the order of the frame. The caller frees it.
 * WS_EMEM. */
int ws_brief_columns(const ws_frame *frame, size_t **column, size_t *n);

#endif
