/* warp_blocks.h - which blocks of memory does one access of a warp touch?
 *
 * Off-chip memory as the study sees it: global and texture accesses at their address; local accesses where a GPU puts
 * them, word by word with the 32 lanes of a warp side by side, in a region of their own. */
#ifndef WS_WARP_BLOCKS_H
#define WS_WARP_BLOCKS_H

#include "collect/trace/event.h"

#include <stdbool.h>

enum {
    WS_BLOCK_BYTES = 64,       /* the study's coalescing granularity, that of its time's machines */
    WS_LANE_BYTES_MOST = 64,   /* wider accesses are refused; PTX has up to 32 */
    WS_WARP_BLOCKS_MOST = 544, /* 32 lanes of so many bytes in local memory: 17 words, each in a block of its own */
    WS_WARP_BLOCKS_SLOTS = 2048
};

/* Caller-owned scratch; zero it before the first use. */
typedef struct ws_warp_blocks {
    uint64_t block[WS_WARP_BLOCKS_MOST]; /* address / WS_BLOCK_BYTES, distinct, in order of the lowest lane */
    unsigned n;
    uint32_t stamp; /* slots with another stamp are free */
    uint32_t slot_stamp[WS_WARP_BLOCKS_SLOTS];
    uint16_t slot[WS_WARP_BLOCKS_SLOTS]; /* index in block[] */
} ws_warp_blocks;

static inline bool ws_is_off_chip(ws_space space)
{
    return space == WS_SPACE_GLOBAL || space == WS_SPACE_LOCAL || space == WS_SPACE_TEXTURE;
}

/* WS_EUNSUPPORTED with a message when an instruction of the launch is wider than WS_LANE_BYTES_MOST. */
int ws_warp_blocks_check(const ws_launch *launch);

/* Fills blocks->block[0..n) for a MEMORY event of an off-chip space. Returns n. */
unsigned ws_warp_blocks_find(ws_warp_blocks *blocks, const ws_launch *launch, const ws_batch *batch,
                             const ws_event *ev);

#endif
