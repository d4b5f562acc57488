/* grow.h - growing arrays. */
#ifndef WS_GROW_H
#define WS_GROW_H

#include "base/status.h"

#include <stddef.h>

/* Makes room for `more` items after items[0..count). `items` is a pointer, NULL at first. `room` is an unsigned number
 * of any width: the capacity in items, ignored while `items` is NULL. The room at least doubles, so adding n items
 * takes O(n) time. Free with free(). Returns WS_EMEM, with a message and nothing changed, when memory or the range of
 * `room` is exhausted. */
#define WS_GROW(items, room, count, more) \
    (((items) || !(more)) && (size_t)(room) - (size_t)(count) >= (size_t)(more) ? WS_OK : __extension__({ \
        size_t ws_grow_room = (room); \
        const int ws_grow_status = \
            ws_grow(&(items), &ws_grow_room, (count), (more), sizeof *(items), (__typeof__(room))-1); \
        (room) = (__typeof__(room))ws_grow_room; \
        ws_grow_status; \
    }))

/* Implements WS_GROW for items of item_bytes at *(void **)items, and a room of at most most_room. */
int ws_grow(void *items, size_t *room, size_t count, size_t more, size_t item_bytes, size_t most_room);

#endif
