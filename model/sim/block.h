/* block.h - all that changes in a component lies in one block of memory, so that a checkpoint is a copy of the block.
 *
 * A component lays its arrays out with one function that takes them one by one from a cursor. It runs twice: without
 * memory it measures, with memory it places. Inside the block stand numbers and indices, never pointers. */
#ifndef WS_BLOCK_H
#define WS_BLOCK_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_block {
    uint8_t *base; /* NULL while measuring */
    size_t used;
} ws_block;

/* The next `count` elements of `size` bytes; NULL while measuring. */
static inline void *ws_block_take(ws_block *block, size_t count, size_t size)
{
    const size_t at = (block->used + 15) & ~(size_t)15;
    block->used = at + count * size;
    return block->base ? block->base + at : NULL;
}

#endif
