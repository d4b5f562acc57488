/* read_all.h - a stream as one text. */
#ifndef WS_READ_ALL_H
#define WS_READ_ALL_H

#include <stddef.h>
#include <stdio.h>

/* Reads to the end. `name` is for messages. The caller frees *text, which has a zero byte behind its last; NULL after a failure: WS_EIO,
 * WS_EMEM, WS_ELIMIT for more than `most` bytes (0: any number). */
int ws_read_all(FILE *in, const char *name, size_t most, char **text, size_t *length);

#endif
