/* copies.c - see copies.h. */
#include "collect/trace/copies.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

int ws_copies_add(ws_copies *c, uint64_t address, uint64_t bytes)
{
    ws_copy *const last = c->count ? &c->list[c->count - 1] : NULL;
    if (!bytes)
        return WS_OK;
    if (last && last->address + last->bytes == address) {
        last->bytes += bytes;
        return WS_OK;
    }
    if (c->count == WS_COPIES_MOST) { /* half of them at once, so that it costs little */
        memmove(c->list, c->list + WS_COPIES_MOST / 2, WS_COPIES_MOST / 2 * sizeof *c->list);
        c->count = WS_COPIES_MOST / 2;
    }
    const int status = WS_GROW(c->list, c->room, c->count, 1);
    if (!status)
        c->list[c->count++] = (ws_copy){address, bytes};
    return status;
}

void ws_copies_fini(ws_copies *c)
{
    free(c->list);
    *c = (ws_copies){0};
}
