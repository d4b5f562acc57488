/* texts.h - set of texts, numbered in order of insertion. */
#ifndef WS_TEXTS_H
#define WS_TEXTS_H

#include "base/table.h"

/* A zeroed set is empty. Free with ws_texts_fini. */
typedef struct ws_texts {
    const char **text; /* [count] owned by the caller */
    size_t count, room;
    ws_table number; /* number by hash */
} ws_texts;

/* Sets *number to the number of a text, which is added if missing; the number of a new text is the previous count.
 * Returns WS_OK or WS_EMEM. The caller keeps ownership of the text. */
int ws_texts_put(ws_texts *texts, const char *text, size_t *number);

/* Returns the number of a text, or -1. */
long ws_texts_find(const ws_texts *texts, const char *text);

void ws_texts_fini(ws_texts *texts);

#endif
