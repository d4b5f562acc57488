/* coalesced.h - sectors and lines of a warp's access, worked out once for all families that ask.
 *
 * What the first family asks for stays in the room of the batch (ws_batch_room); without one, or without memory, each
 * works it out for itself, with the same result: that of ws_coalesce_blocks with ws_instr.bytes. */
#ifndef WS_COALESCED_H
#define WS_COALESCED_H

#include "collect/trace/event.h"
#include "metrics/coalesce.h"

enum { WS_SECTOR_SHIFT = 5, WS_LINE_SHIFT = 7 };

/* Distinct sectors of 32 bytes, lines of 128 bytes, of an event of kind MEMORY in global memory that executed `in`; *n:
 * how many. The list is not to be written, and valid until the next call; it may lie in `own`. */
const uint64_t *ws_coalesced_sectors(const ws_batch *batch, const ws_event *ev, const ws_instr *in,
                                     uint64_t own[WS_COALESCE_MAX], unsigned *n);
const uint64_t *ws_coalesced_lines(const ws_batch *batch, const ws_event *ev, const ws_instr *in,
                                   uint64_t own[WS_COALESCE_MAX], unsigned *n);

#endif
