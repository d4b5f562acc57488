/* lines.h - the lines of a text file, packed by xz or not, in constant memory. */
#ifndef WS_LINES_H
#define WS_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WS_LINE_MOST = 1 << 20 }; /* bytes of a line; tracers write a few hundred */

typedef struct ws_lines ws_lines;

/* WS_EIO when it cannot be read, WS_EMEM. A file that begins as xz files do is unpacked while it is read. */
int ws_lines_open(const char *path, ws_lines **out);

/* The same over text[0..length) in memory, which must outlive it; `name` stands for the path in messages. */
int ws_lines_of(const char *name, const void *text, size_t length, ws_lines **out);

void ws_lines_close(ws_lines *lines); /* accepts NULL */

/* The next line: [*line, *end), without what ended it; a line feed stands at **end, so that numbers stop there. Both
 * are valid until the next call. *found false behind the last one. WS_EINPUT when the packed file is damaged or a line
 * too long. */
int ws_lines_next(ws_lines *lines, const char **line, const char **end, bool *found);

/* Of the line given last, from 1; bytes of the file read so far, and of all of it. */
uint64_t ws_lines_number(const ws_lines *lines);
double ws_lines_done(const ws_lines *lines);
const char *ws_lines_path(const ws_lines *lines);

/* Text given so far, in bytes. */
uint64_t ws_lines_bytes(const ws_lines *lines);

#endif
