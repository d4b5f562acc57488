/* cudart_table.h - table of all exported names and their functions.
 *
 * To redirect the calls of a statically linked runtime, look up the exported symbol ws_cudart_table and replace each
 * function of the program with a row in it. Independent of the runtime's types, so that it can be included with any
 * headers or alone. */
#ifndef WS_CUDART_TABLE_H
#define WS_CUDART_TABLE_H

#include <stdbool.h>

typedef struct ws_cudart_entry {
    const char *name;
    void *function;
} ws_cudart_entry;

extern const ws_cudart_entry ws_cudart_table[]; /* sorted by name, ends with a NULL name */

/* Called by functions without an implementation: names the function once on stderr and returns cudaErrorNotSupported.
 */
int ws_cudart_refuse(const char *name, bool *said);

#endif
