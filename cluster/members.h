/* members.h - lists of row names in one cell, and lookup of rows by name. */
#ifndef WS_MEMBERS_H
#define WS_MEMBERS_H

#include "base/frame.h"

/* Index of all rows by name. `skip` is a label column to exclude from the name, or frame->labels. */
typedef struct ws_row_index {
    char **name;   /* [rows] labels joined by '/' */
    size_t *order; /* [rows] rows sorted by name; equal names in row order */
    size_t rows;
} ws_row_index;

/* WS_EMEM. The caller frees with ws_row_index_fini. */
int ws_row_index_init(ws_row_index *index, const ws_frame *frame, size_t skip);
void ws_row_index_fini(ws_row_index *index);

/* Returns the number of rows of that name, and their first place in index->order; 0 if none. */
size_t ws_row_index_find(const ws_row_index *index, const char *name, size_t *first);

/* Sets *row to the only row of that name. `frame` is the indexed frame in messages, `like` the frame that the name
 * comes from. WS_EINPUT: none, or several. */
int ws_row_index_only(const ws_row_index *index, const char *frame, const char *name, const char *like, size_t *row);

/* Makes a frame of the rows of `frame` with the names of those of `like`, in their order. The names are those of the
 * frames in messages. WS_EINPUT: a row that `frame` has not once. The caller frees *out. */
int ws_rows_like(const ws_frame *frame, const char *name, const ws_frame *like, const char *like_name, ws_frame **out);

/* Appends a name to a space-separated list of names. */
void ws_members_write(const char *name, FILE *out);

/* Returns a copy of the next name of a list, which the caller frees, and moves *at behind it. Returns NULL at the end
 * of the list, or when memory is short (then **at is not NUL). */
char *ws_members_next(const char **at);

#endif
