/* source_file.h - a text that a compiler read: its lines, and a number that tells whether it is still the same. */
#ifndef WS_SOURCE_FILE_H
#define WS_SOURCE_FILE_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_source_file {
    char *text;        /* with a zero byte in the place of each line's end */
    const char **line; /* [lines], the first is line[0] */
    size_t lines;
    uint64_t fingerprint;
} ws_source_file;

/* Reads it. WS_ENOTFOUND when it is not there, WS_EIO, WS_EMEM, WS_ELIMIT for what is too large to be a source. Free with fini, which
 * accepts a zeroed one. */
int ws_source_file_load(const char *path, ws_source_file *out);
void ws_source_file_fini(ws_source_file *file);

#endif
