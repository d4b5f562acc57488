/* layout.h - placement of all mutable state of a component in one block of memory, so that a checkpoint is a copy of
 * it.
 *
 * A component takes its arrays from a cursor, one by one, in one function. The function runs twice: without memory it
 * measures, with memory it places. The block holds numbers and indices, never pointers. */
#ifndef WS_LAYOUT_H
#define WS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_layout {
    uint8_t *base; /* NULL while measuring */
    size_t used;
} ws_layout;

/* Returns the next `count` elements of `size` bytes, or NULL while measuring. */
static inline void *ws_layout_take(ws_layout *layout, size_t count, size_t size)
{
    const size_t at = (layout->used + 15) & ~(size_t)15;
    layout->used = at + count * size;
    return layout->base ? layout->base + at : NULL;
}

#endif
