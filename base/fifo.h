/* fifo.h - growing queue of pairs: time and payload. */
#ifndef WS_FIFO_H
#define WS_FIFO_H

#include "base/bytes.h"
#include "base/status.h"

#include <stdlib.h>

typedef struct ws_fifo_item {
    uint64_t when, what;
} ws_fifo_item;

typedef struct ws_fifo {
    ws_fifo_item *item;
    size_t first, count, room;
} ws_fifo;

static inline void ws_fifo_fini(ws_fifo *f)
{
    free(f->item);
}

static inline int ws_fifo_add(ws_fifo *f, uint64_t when, uint64_t what)
{
    if (f->count == f->room) {
        const size_t room = f->room ? f->room * 2 : 16;
        ws_fifo_item *const item = malloc(room * sizeof *item);
        if (!item)
            return ws_fail(WS_EMEM, "no memory for a queue");
        for (size_t i = 0; i < f->count; i++)
            item[i] = f->item[(f->first + i) % f->room];
        free(f->item);
        *f = (ws_fifo){.item = item, .count = f->count, .room = room};
    }
    f->item[(f->first + f->count++) % f->room] = (ws_fifo_item){.when = when, .what = what};
    return WS_OK;
}

/* Returns the first item; the queue must not be empty. */
static inline ws_fifo_item ws_fifo_front(const ws_fifo *f)
{
    return f->item[f->first];
}

static inline void ws_fifo_drop(ws_fifo *f)
{
    f->first = f->first + 1 == f->room ? 0 : f->first + 1;
    f->count--;
}

static inline void ws_fifo_save(const ws_fifo *f, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, f->count);
    for (size_t i = 0; i < f->count; i++) {
        ws_bytes_add_varint(bytes, f->item[(f->first + i) % f->room].when);
        ws_bytes_add_varint(bytes, f->item[(f->first + i) % f->room].what);
    }
}

static inline int ws_fifo_load(ws_fifo *f, ws_reader *reader)
{
    f->first = f->count = 0;
    int status = WS_OK;
    for (uint64_t left = ws_read_varint(reader); left && !status && !reader->failed; left--) {
        const uint64_t when = ws_read_varint(reader);
        status = ws_fifo_add(f, when, ws_read_varint(reader));
    }
    return status;
}

#endif
