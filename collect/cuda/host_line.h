/* host_line.h - source lines of addresses in a program, from addr2line (binutils). addr2line reads the DWARF written by
 * -g. It is a helper at run time; without it or the DWARF no lines are found. */
#ifndef WS_HOST_LINE_H
#define WS_HOST_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One call frame of an address. function: name in the symbol table, "" if unknown; line: such as "app.cu:12". */
typedef void ws_host_line_fn(void *context, size_t address, const char *function, const char *line);

/* Resolves addresses, as stored in the file, in one run. For each address with a line, calls `see` innermost first: for
 * the line, then for each call inlined there. address: its index in the list. Returns false if the helper cannot run.
 */
bool ws_host_lines(const char *file, const uint64_t *address, size_t addresses, ws_host_line_fn *see, void *context);

#endif
