/* line_owners.h - which L1 owns a line, and who waits for it? Of a slice of L2; plain memory without pointers.
 *
 * A line goes from one owner to the next by way of the slice: the owner is asked (INVALIDATE) and answers with the line
 * (DATA), or that it has given it up before (NONE, behind its PUT). Until the next one has confirmed (TAKEN), others
 * wait, so what comes for an owner finds it. */
#ifndef WS_LINE_OWNERS_H
#define WS_LINE_OWNERS_H

#include "model/sim/memory/plain_internal.h"

typedef struct ws_line_owner {
    uint64_t line;        /* of the slice, plus 1; 0: none is here */
    uint32_t first, last; /* who wait: 1 + place; 0: nobody. Of a line that is `asked` the first is who gets it */
    uint16_t owner;       /* WS_PLAIN_NOBODY: none */
    bool asked, given;    /* the owner was asked; it has not confirmed yet */
} ws_line_owner;

/* Bytes for `owned` lines at most and so many that wait. Zero at first, then ws_owners_init. */
size_t ws_owners_bytes(size_t owned, size_t waiting);
void ws_owners_init(void *memory, size_t owned, size_t waiting);

/* The line's; NULL where it has none. With `make` it gets one. */
ws_line_owner *ws_owners_find(void *memory, uint64_t line, bool make);
void ws_owners_forget(void *memory, ws_line_owner *of); /* the line has no owner, and nobody waits */
void ws_owners_wait(void *memory, ws_line_owner *of, const ws_plain_access *access);
const ws_plain_access *ws_owners_first(const void *memory, const ws_line_owner *of); /* NULL: nobody waits */
void ws_owners_take_first(void *memory, ws_line_owner *of);
uint32_t ws_owners_busy(const void *memory); /* that wait, or were given a line and have not confirmed */
void ws_owners_count(void *memory, int by);

#endif
