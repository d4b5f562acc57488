/* coalesced.h - sectors and lines of a warp access, computed once for all families.
 *
 * The result for the first family is stored in the room of the batch (ws_batch_room) for the others. Without a room, or
 * when memory is short, each family computes the same result, that of ws_coalesce_blocks with ws_instr.bytes. */
#ifndef WS_COALESCED_H
#define WS_COALESCED_H

#include "collect/trace/event.h"
#include "metrics/coalesce.h"

enum { WS_SECTOR_SHIFT = 5, WS_LINE_SHIFT = 7 };

/* Return the distinct 32-byte sectors, or 128-byte lines, of a MEMORY event in global memory that executed `in`; *n is
 * their number. The list is read-only, valid until the next call, and may be stored in `own`. */
const uint64_t *ws_coalesced_sectors(const ws_batch *batch, const ws_event *ev, const ws_instr *in,
                                     uint64_t own[WS_COALESCE_MAX], unsigned *n);
const uint64_t *ws_coalesced_lines(const ws_batch *batch, const ws_event *ev, const ws_instr *in,
                                   uint64_t own[WS_COALESCE_MAX], unsigned *n);

#endif
