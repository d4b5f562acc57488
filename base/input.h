/* input.h - input files: for each kind its name, largest size and permitted sources. */
#ifndef WS_INPUT_H
#define WS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum ws_input_source {
    WS_INPUT_FILES, /* regular files: for names given in other files, and for files read twice */
    WS_INPUT_PIPES, /* also shell pipes, standard input (/dev/stdin, <(...)) and terminals */
    WS_INPUT_FIFOS  /* also named pipes; opening one waits for its writer */
} ws_input_source;

typedef struct ws_input {
    const char *what;  /* name in messages, with its article: "a frame (CSV)" */
    size_t most_bytes; /* limit of ws_input_read and ws_input_read_stream; 0 for files that are only opened */
    ws_input_source source;
    bool is_found; /* a missing file is WS_ENOTFOUND, not WS_EIO */
} ws_input;

/* Opens a file of this kind as *fd or *stream; the caller closes it. Never waits, except for a named pipe where these
 * are permitted. Returns WS_EIO (or WS_ENOTFOUND) with the path and its type: a folder, a device, a pipe. The null
 * device is an empty file. */
int ws_input_open(const char *path, const ws_input *input, int *fd);
int ws_input_open_stream(const char *path, const ws_input *input, FILE **stream);

/* Reads a whole file. The caller frees *text, which ends with a zero byte; NULL after a failure. Returns the errors of
 * ws_input_open, WS_EMEM, or WS_ELIMIT for more than most_bytes or than fits into memory. */
int ws_input_read(const char *path, const ws_input *input, char **text, size_t *length);
/* Reads a whole stream, such as stdin, as ws_input_read; `name` is for messages. A device is refused. */
int ws_input_read_stream(FILE *stream, const char *name, const ws_input *input, char **text, size_t *length);

#endif
