/* host_call.h - which call of the program made something? Return addresses of the calling thread, and what they are in
 * words. */
#ifndef WS_HOST_CALL_H
#define WS_HOST_CALL_H

#include "base/table.h"

#include <stdbool.h>
#include <stddef.h>

enum { WS_HOST_FRAMES = 6 };

/* Return addresses, innermost first, from the first that lies in neither this library nor a CUDA runtime; NULL ends
 * them. */
typedef struct ws_host_call {
    void *frame[WS_HOST_FRAMES];
} ws_host_call;

/* Of the calling thread. Costs some microseconds. */
void ws_host_call_here(ws_host_call *out);

/* What is known of return addresses. Zeroed: nothing. */
typedef struct ws_host_sites {
    ws_table first; /* number + 1 in `site` of the first of an address, by address */
    struct ws_host_site *site;
    size_t sites, room;
    char lineless[80]; /* a file of which a call was told without its line; "": none */
    bool no_helper;    /* ... because there is no addr2line */
    bool said;         /* ... which the caller has told */
} ws_host_sites;

/* Looks up all of them, in one go for each file: symbols, and lines where addr2line is (host_line.h). */
void ws_host_sites_find(ws_host_sites *known, const ws_host_call *call, size_t calls);
void ws_host_sites_fini(ws_host_sites *known);

/* "fill (app.cu:12), called by main (app.cu:30)". Without a line "fill+0x1f (app+0x11a3)": function and bytes behind
 * its start, then file and address in it for `addr2line -e app`; of a file without such a symbol the latter alone; ""
 * when nothing is known. What is not known yet is looked up. Functions named cuda... are passed over: wrappers of
 * CUDA's headers, and runtimes that are part of the program; so is `stub`, unless it is NULL: the kernel that was
 * launched, whose name its part on the host has. */
void ws_host_call_words(ws_host_sites *known, const ws_host_call *call, const char *stub, char *text, size_t size);

#endif
