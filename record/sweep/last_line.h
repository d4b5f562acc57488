/* last_line.h - the line of a log that says how it ended. */
#ifndef WS_LAST_LINE_H
#define WS_LAST_LINE_H

#include <stddef.h>

/* The last line of a text that is neither empty nor part of the hint of a command that was called wrongly, "Try `X
 * --help' ... information.", which takes one line or two; cut to what there is room for. "" for none. */
void ws_last_line(const char *text, char *line, size_t size);

/* The same of the end of a file; "" also for a file that cannot be read. */
void ws_last_line_of_file(const char *path, char *line, size_t size);

#endif
