/* host_call.h - call sites in the host program: return addresses of the calling thread, and their description. */
#ifndef WS_HOST_CALL_H
#define WS_HOST_CALL_H

#include "base/table.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_HOST_FRAMES = 6 };

/* Return addresses, innermost first, starting outside this library and the CUDA runtimes; terminated by NULL. */
typedef struct ws_host_call {
    void *frame[WS_HOST_FRAMES];
} ws_host_call;

/* Captures the calling thread's addresses. Takes some microseconds. */
void ws_host_call_here(ws_host_call *out);

/* Cache of resolved return addresses. Zeroed: empty. */
typedef struct ws_host_sites {
    ws_table first; /* by address: index + 1 in `site` of its first entry */
    struct ws_host_site *site;
    size_t sites, room;
    char lineless[80]; /* a file with a call reported without its line; "": none */
    bool no_helper;    /* reason for `lineless`: addr2line is missing */
    bool said;         /* the caller has reported that */
} ws_host_sites;

/* Resolves all calls, in one run per file: symbols, and lines where addr2line is available (host_line.h). */
void ws_host_sites_find(ws_host_sites *known, const ws_host_call *call, size_t calls);
void ws_host_sites_fini(ws_host_sites *known);

/* Formats a call, such as "fill (app.cu:12), called by main (app.cu:30)". Without a line "fill+0x1f (app+0x11a3)":
 * function and offset in bytes, then file and the address for `addr2line -e app`. Without a symbol only the latter; ""
 * if the address is unknown. Resolves addresses as needed. Skips functions named cuda...: wrappers of CUDA's headers,
 * and statically linked runtimes. Also skips `stub`, unless NULL: the name of the launched kernel, which its host stub
 * has. */
void ws_host_call_words(ws_host_sites *known, const ws_host_call *call, const char *stub, char *text, size_t size);

#endif
