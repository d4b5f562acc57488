/* cudart_table.h - all names that the library exports, with their functions.
 *
 * For who redirects the calls of a statically linked runtime: look up the exported symbol ws_cudart_table and replace
 * each function of the program that has a row here. Apart from the runtime's own types, so that it can be included
 * with any headers or none. */
#ifndef WS_CUDART_TABLE_H
#define WS_CUDART_TABLE_H

#include <stdbool.h>

typedef struct ws_cudart_entry {
    const char *name;
    void *function;
} ws_cudart_entry;

extern const ws_cudart_entry ws_cudart_table[]; /* sorted by name, ends with a NULL name */

/* What a function without an implementation does: is named once on stderr and gives cudaErrorNotSupported. */
int ws_cudart_refuse(const char *name, bool *said);

#endif
