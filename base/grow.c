/* grow.c - see grow.h. */
#include "base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 8 };

int ws_grow(void *items, size_t *room, size_t count, size_t more, size_t item_bytes, size_t most_room)
{
    const size_t most = most_room < PTRDIFF_MAX / item_bytes ? most_room : PTRDIFF_MAX / item_bytes;
    if (count > most || more > most - count)
        return ws_fail(WS_EMEM, "out of memory");
    void *moved;
    memcpy(&moved, items, sizeof moved); /* a pointer to any type */
    size_t larger = moved ? *room : 0;
    do
        larger = !larger ? FIRST_ROOM : larger <= most / 2 ? 2 * larger : most;
    while (larger < count + more);
    if (larger > most)
        larger = most;
    moved = realloc(moved, larger * item_bytes);
    if (!moved)
        return ws_fail(WS_EMEM, "out of memory");
    memcpy(items, &moved, sizeof moved);
    *room = larger;
    return WS_OK;
}
