/* lines.h - line reader for text files, plain or compressed by xz, in constant memory. */
#ifndef WS_LINES_H
#define WS_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WS_LINE_MOST = 1 << 20 }; /* limit in bytes of a line; tracers write a few hundred */

typedef struct ws_lines ws_lines;

/* Opens a file. An xz file, recognised by its first bytes, is decompressed while it is read. WS_EIO, WS_EMEM. */
int ws_lines_open(const char *path, ws_lines **out);

/* The same for text[0..length) in memory, which must outlive the reader; `name` replaces the path in messages. */
int ws_lines_of(const char *name, const void *text, size_t length, ws_lines **out);

void ws_lines_close(ws_lines *lines); /* accepts NULL */

/* Returns the next line [*line, *end) without its terminator; **end is a line feed, which terminates numbers. Both are
 * valid until the next call. Sets *found to false after the last line. WS_EINPUT for a damaged compressed file or an
 * overlong line. */
int ws_lines_next(ws_lines *lines, const char **line, const char **end, bool *found);

/* Return the number of the last line, from 1, and the share of the file's bytes read. */
uint64_t ws_lines_number(const ws_lines *lines);
double ws_lines_done(const ws_lines *lines);
const char *ws_lines_path(const ws_lines *lines);

/* Returns the number of text bytes read. */
uint64_t ws_lines_bytes(const ws_lines *lines);

#endif
