/* block_set.h - which blocks of a grid are left? Ranges in rising order: memory goes with the number of gaps, not with that of
 * blocks, of which a grid may have more than fit. */
#ifndef WS_BLOCK_SET_H
#define WS_BLOCK_SET_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_NO_BLOCK UINT64_MAX

typedef struct ws_block_range {
    uint64_t from, to; /* from .. to-1, never empty */
} ws_block_range;

typedef struct ws_block_set {
    ws_block_range *range; /* from `first` on, `count` of them */
    size_t first, count, room;
    uint64_t left;
} ws_block_set;

/* Blocks 0 .. blocks-1. WS_EMEM. A set of zeros is empty; what it had before is given up. */
int ws_block_set_fill(ws_block_set *set, uint64_t blocks);
void ws_block_set_fini(ws_block_set *set);

bool ws_block_set_has(const ws_block_set *set, uint64_t block);
/* The first block from `from` on that is there; WS_NO_BLOCK. */
uint64_t ws_block_set_next(const ws_block_set *set, uint64_t from);
/* Takes a block out that is there. WS_EMEM. */
int ws_block_set_take(ws_block_set *set, uint64_t block);

void ws_block_set_save(const ws_block_set *set, ws_bytes *bytes);
/* Of a grid with so many blocks; else WS_EINPUT. */
int ws_block_set_load(ws_block_set *set, uint64_t blocks, ws_reader *reader);

#endif
