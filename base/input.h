/* input.h - files that are read: each kind with its name, its largest size and what it may come from. */
#ifndef WS_INPUT_H
#define WS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum ws_input_source {
    WS_INPUT_FILES, /* regular files: for names that stand in other files, and what is read twice */
    WS_INPUT_PIPES, /* also a pipe of the shell, standard input (/dev/stdin, <(...)) and a terminal */
    WS_INPUT_FIFOS  /* also named pipes; opening one waits for its writer */
} ws_input_source;

typedef struct ws_input {
    const char *what;  /* for messages, with its article: "a frame (CSV)" */
    size_t most_bytes; /* of ws_input_read and _stream; 0 for what is only opened */
    ws_input_source source;
    bool is_found; /* no such file: WS_ENOTFOUND, not WS_EIO */
} ws_input;

/* Opens a file of this kind: *fd, or *stream, which the caller closes. Never waits, but for a named pipe where these
 * are allowed. WS_EIO (or WS_ENOTFOUND) with the path and what it is: a folder, a device, a pipe. The null device is an
 * empty file. */
int ws_input_open(const char *path, const ws_input *input, int *fd);
int ws_input_open_stream(const char *path, const ws_input *input, FILE **stream);

/* Reads all of it. The caller frees *text, which has a zero byte behind its last; NULL after a failure: those of open,
 * WS_EMEM, WS_ELIMIT for more than most_bytes or than memory has room for. */
int ws_input_read(const char *path, const ws_input *input, char **text, size_t *length);
/* The same of a stream, such as stdin; `name` is for messages. A device is refused. */
int ws_input_read_stream(FILE *stream, const char *name, const ws_input *input, char **text, size_t *length);

#endif
