/* members.h - row names as lists in one cell, and rows found by their name. */
#ifndef WS_MEMBERS_H
#define WS_MEMBERS_H

#include "base/frame.h"

/* Names of all rows in a table for look-ups. `skip` is a label column that is no part of the name, or frame->labels. */
typedef struct ws_row_index {
    char **name;   /* [rows] labels joined by '/' */
    size_t *order; /* [rows] rows in order of their names, those of one name in order of rows */
    size_t rows;
} ws_row_index;

/* WS_EMEM. The caller frees with ws_row_index_fini. */
int ws_row_index_init(ws_row_index *index, const ws_frame *frame, size_t skip);
void ws_row_index_fini(ws_row_index *index);

/* First place in index->order of a row with that name and how many there are; 0 when there is none. */
size_t ws_row_index_find(const ws_row_index *index, const char *name, size_t *first);

/* Appends a name to a list of names separated by blanks. */
void ws_members_write(const char *name, FILE *out);

/* The next name of a list: moves *at behind it and returns a copy that the caller frees; NULL at the end of the list or
 * when memory is short (then **at is not NUL). */
char *ws_members_next(const char **at);

#endif
