/* texts.h - different texts, numbered in the order in which they come. */
#ifndef WS_TEXTS_H
#define WS_TEXTS_H

#include "base/table.h"

/* Zeroed, there are none. Free with ws_texts_fini. */
typedef struct ws_texts {
    const char **text; /* [count] the caller's */
    size_t count, room;
    ws_table number; /* of each hash */
} ws_texts;

/* Adds a text that is not there: its number is the count before. WS_EMEM. The texts belong to the caller. */
int ws_texts_put(ws_texts *texts, const char *text, size_t *number);

/* The number of a text, or -1. */
long ws_texts_find(const ws_texts *texts, const char *text);

void ws_texts_fini(ws_texts *texts);

#endif
