/* message_pool.c - slots for messages, and a list of the free ones. */
#include "model/sim/memory/message_pool.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

void ws_message_pool_fini(ws_message_pool *pool)
{
    free(pool->message);
    free(pool->next);
}

/* Memory for more slots, both arrays alike; *room: how many there are then. They become slots by who asked. */
static int grow(ws_message_pool *pool, uint32_t more, uint32_t *room)
{
    size_t messages = pool->room;
    *room = pool->room;
    if (WS_GROW(pool->next, *room, pool->room, more) ||
        ws_grow(&pool->message, &messages, pool->room, *room - pool->room, pool->bytes, UINT32_MAX))
        return ws_fail(WS_EMEM, "no memory for messages");
    return WS_OK;
}

static int widen(ws_message_pool *pool)
{
    uint32_t room;
    const int status = grow(pool, pool->room ? 1 : FIRST_ROOM, &room);
    if (status)
        return status;
    for (uint32_t i = room; i-- > pool->room;) {
        pool->next[i] = pool->free;
        pool->free = i + 1;
    }
    pool->room = room;
    return WS_OK;
}

int ws_message_pool_hold(ws_message_pool *pool, const ws_coherence_message *message, uint32_t *slot)
{
    const int status = pool->free ? WS_OK : widen(pool);
    if (status)
        return status;
    *slot = pool->free - 1;
    pool->free = pool->next[*slot];
    memcpy(ws_message_pool_at(pool, *slot), message, pool->bytes);
    pool->held++;
    return WS_OK;
}

void ws_message_pool_drop(ws_message_pool *pool, uint32_t slot)
{
    pool->next[slot] = pool->free;
    pool->free = slot + 1;
    pool->held--;
}

void ws_message_pool_save(const ws_message_pool *pool, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, pool->room);
    ws_bytes_add_varint(bytes, pool->free);
    ws_bytes_add_varint(bytes, pool->held);
    ws_bytes_add(bytes, pool->message, pool->room * pool->bytes);
    ws_bytes_add(bytes, pool->next, pool->room * sizeof *pool->next);
}

int ws_message_pool_load(ws_message_pool *pool, ws_reader *reader)
{
    const uint64_t room = ws_read_varint(reader), first = ws_read_varint(reader), held = ws_read_varint(reader);
    const uint8_t *const message = room <= UINT32_MAX ? ws_read_bytes(reader, room * pool->bytes) : NULL;
    const uint8_t *const next = message ? ws_read_bytes(reader, room * sizeof *pool->next) : NULL;
    if (!next)
        return ws_fail(WS_EINPUT, "the checkpoint ends within the messages");
    const int status = room > pool->room ? grow(pool, (uint32_t)room - pool->room, &(uint32_t){0}) : WS_OK;
    if (status)
        return status;
    if (room) {
        memcpy(pool->message, message, room * pool->bytes);
        memcpy(pool->next, next, room * sizeof *pool->next);
    }
    pool->room = (uint32_t)room;
    pool->free = (uint32_t)first;
    pool->held = held;
    return WS_OK;
}
