/* warp_blocks.h - memory blocks that one access of a warp touches off-chip, as defined by the study.
 *
 * Global and texture accesses are at their address. Local accesses are at the addresses of a GPU's layout: word by
 * word, with the 32 lanes of a warp side by side, in a separate region. */
#ifndef WS_WARP_BLOCKS_H
#define WS_WARP_BLOCKS_H

#include "collect/trace/event.h"

#include <stdbool.h>

enum {
    WS_BLOCK_BYTES = 64,     /* coalescing granularity of the study and of the machines of its time */
    WS_LANE_BYTES_MOST = 64, /* wider accesses are refused; PTX has at most 32 */
    WS_WARP_BLOCKS_MOST =
        544, /* 32 lanes of WS_LANE_BYTES_MOST bytes in local memory: 17 words, each in a separate block */
    WS_WARP_BLOCKS_SLOTS = 2048
};

/* Caller-owned scratch memory; zero it before the first use. */
typedef struct ws_warp_blocks {
    uint64_t block[WS_WARP_BLOCKS_MOST]; /* address / WS_BLOCK_BYTES, distinct, ordered by lowest lane */
    unsigned n;
    uint32_t stamp; /* slots with another stamp are free */
    uint32_t slot_stamp[WS_WARP_BLOCKS_SLOTS];
    uint16_t slot[WS_WARP_BLOCKS_SLOTS]; /* index in block[] */
} ws_warp_blocks;

static inline bool ws_is_off_chip(ws_space space)
{
    return space == WS_SPACE_GLOBAL || space == WS_SPACE_LOCAL || space == WS_SPACE_TEXTURE;
}

/* Returns WS_EUNSUPPORTED with a message if an instruction of the launch is wider than WS_LANE_BYTES_MOST. */
int ws_warp_blocks_check(const ws_launch *launch);

/* Fills blocks->block[0..n) for a MEMORY event of an off-chip space. Returns n. */
unsigned ws_warp_blocks_find(ws_warp_blocks *blocks, const ws_launch *launch, const ws_batch *batch,
                             const ws_event *ev);

#endif
