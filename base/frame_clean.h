/* frame_clean.h - removal of missing and infinite values before computations that cannot take them. */
#ifndef WS_FRAME_CLEAN_H
#define WS_FRAME_CLEAN_H

#include "base/frame.h"

typedef enum ws_missing {
    WS_MISSING_REFUSE,  /* fail at the first one, naming its row and column */
    WS_MISSING_COLUMNS, /* drop columns that contain one */
    WS_MISSING_ROWS,    /* drop rows that contain one */
} ws_missing;

/* Creates a frame without missing or infinite values; a note lists the dropped columns or rows. `name` is the name of
 * the frame in messages. Returns WS_EINPUT (refused, or nothing would be left) or WS_EMEM. The caller frees *out. */
int ws_frame_clean(const ws_frame *frame, const char *name, ws_missing rule, ws_frame **out);

/* Adds the note "KEY: N of M TITLES: a, b, c" that names columns; at most a few hundred names are listed. WS_EMEM. */
int ws_frame_note_columns(ws_frame *frame, const char *key, const ws_frame *source, const size_t *column, size_t n);

#endif
