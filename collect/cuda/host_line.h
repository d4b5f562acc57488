/* host_line.h - which lines of the source are addresses of a program? Asked of addr2line (binutils), which reads the
 * DWARF that -g leaves; it is a helper at run time, and where it or the DWARF is missing there are no lines. */
#ifndef WS_HOST_LINE_H
#define WS_HOST_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call on the way to an address: function as in the symbol table, "" when it is not known; line as "app.cu:12". */
typedef void ws_host_line_fn(void *context, size_t address, const char *function, const char *line);

/* Addresses as in the file. One run for all of them. `see` gets for each that has a line, innermost first, the line and
 * those of the calls that were inlined into each other there; address: its place in the list. False: the helper could
 * not be run. */
bool ws_host_lines(const char *file, const uint64_t *address, size_t addresses, ws_host_line_fn *see, void *context);

#endif
