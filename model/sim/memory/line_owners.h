/* line_owners.h - owners of lines among the L1s, and waiting requests, for a slice of L2; plain memory without
 * pointers.
 *
 * A line moves between owners through the slice. The slice asks the owner (INVALIDATE), which answers with the line
 * (DATA), or that it has already evicted it (NONE, after its PUT). Other requests wait until the next owner has
 * confirmed (TAKEN), so messages to an owner find the line there. */
#ifndef WS_LINE_OWNERS_H
#define WS_LINE_OWNERS_H

#include "model/sim/memory/plain_internal.h"

typedef struct ws_line_owner {
    uint64_t line;        /* of the slice, plus 1; 0: unused */
    uint32_t first, last; /* waiting requests: 1 + index; 0: none. For an `asked` line the first gets it */
    uint16_t owner;       /* WS_PLAIN_NOBODY: no owner */
    bool asked, given;    /* the owner was asked; the next one has not confirmed */
} ws_line_owner;

/* Returns the bytes for at most `owned` lines and `waiting` requests. Zero the memory before ws_owners_init. */
size_t ws_owners_bytes(size_t owned, size_t waiting);
void ws_owners_init(void *memory, size_t owned, size_t waiting);

/* Returns the entry of the line; NULL without one, unless `make` adds it. */
ws_line_owner *ws_owners_find(void *memory, uint64_t line, bool make);
void ws_owners_forget(void *memory, ws_line_owner *of); /* no owner and no waiting request */
void ws_owners_wait(void *memory, ws_line_owner *of, const ws_plain_access *access);
const ws_plain_access *ws_owners_first(const void *memory, const ws_line_owner *of); /* NULL: no waiting request */
void ws_owners_take_first(void *memory, ws_line_owner *of);
uint32_t ws_owners_busy(const void *memory); /* waiting requests and unconfirmed owners */
void ws_owners_count(void *memory, int by);

#endif
