/* layout.h - all that changes in a component lies in one piece of memory, so that a checkpoint is a copy of it.
 *
 * A component lays its arrays out with one function that takes them one by one from a cursor. It runs twice: without
 * memory it measures, with memory it places. In it stand numbers and indices, never pointers. */
#ifndef WS_LAYOUT_H
#define WS_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_layout {
    uint8_t *base; /* NULL while measuring */
    size_t used;
} ws_layout;

/* The next `count` elements of `size` bytes; NULL while measuring. */
static inline void *ws_layout_take(ws_layout *layout, size_t count, size_t size)
{
    const size_t at = (layout->used + 15) & ~(size_t)15;
    layout->used = at + count * size;
    return layout->base ? layout->base + at : NULL;
}

#endif
