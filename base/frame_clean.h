/* frame_clean.h - what to do about missing and infinite values before a computation that cannot take them. */
#ifndef WS_FRAME_CLEAN_H
#define WS_FRAME_CLEAN_H

#include "base/frame.h"

typedef enum ws_missing {
    WS_MISSING_REFUSE,  /* the first one is an error that names its row and column */
    WS_MISSING_COLUMNS, /* drop the columns that hold one */
    WS_MISSING_ROWS,    /* drop the rows that hold one */
} ws_missing;

/* A new frame without missing or infinite values; what was dropped is named in a note. `name` is what messages call
 * the frame. WS_EINPUT (refused, or nothing would be left), WS_EMEM. The caller frees *out. */
int ws_frame_clean(const ws_frame *frame, const char *name, ws_missing rule, ws_frame **out);

/* Adds the note "KEY: N of M TITLES: a, b, c" that names columns; at most a few hundred names are listed. WS_EMEM. */
int ws_frame_note_columns(ws_frame *frame, const char *key, const ws_frame *source, const size_t *column, size_t n);

#endif
