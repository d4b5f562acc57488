/* cudart_exports.c - which functions does the library of this version export?
 *
 * Compiled once for each version, with WS_CUDART_MAJOR. CUDART_ROWS are the rows of cudart_api.def for that version,
 * sorted by name. Only names and addresses matter here, so everything is declared alike and cudart.h is not included.
 */
#include "collect/cudart/cudart_table.h"

#include <stddef.h>

extern const int ws_cudart_major;
const int ws_cudart_major = WS_CUDART_MAJOR;

#define CUDART_FUNCTION(name) void name(void);
#define CUDART_REFUSED(name) \
    int name(void); \
    int name(void) \
    { \
        static bool said; \
        return ws_cudart_refuse(#name, &said); \
    }
#include CUDART_ROWS
#undef CUDART_FUNCTION
#undef CUDART_REFUSED

const ws_cudart_entry ws_cudart_table[] = {
#define CUDART_FUNCTION(name) {#name, (void *)name},
#define CUDART_REFUSED(name)  {#name, (void *)name},
#include CUDART_ROWS
#undef CUDART_FUNCTION
#undef CUDART_REFUSED
    {NULL, NULL},
};
