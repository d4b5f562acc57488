/* message_pool.h - numbered slots for messages in flight. */
#ifndef WS_MESSAGE_POOL_H
#define WS_MESSAGE_POOL_H

#include "base/bytes.h"
#include "model/coherence/coherence.h"

/* Pool; empty if all but `bytes` is zero, the size of a message with its carried words. */
typedef struct ws_message_pool {
    size_t bytes;
    uint8_t *message; /* slots */
    uint32_t *next;   /* 1 + the next free slot of each */
    uint32_t free;    /* 1 + the first free slot; 0: none */
    uint32_t room;
    uint64_t held;
} ws_message_pool;

void ws_message_pool_fini(ws_message_pool *pool);

/* Stores a copy. WS_EMEM. */
int ws_message_pool_hold(ws_message_pool *pool, const ws_coherence_message *message, uint32_t *slot);
/* Frees a slot; its contents stay readable until the next hold. */
void ws_message_pool_drop(ws_message_pool *pool, uint32_t slot);

static inline ws_coherence_message *ws_message_pool_at(const ws_message_pool *pool, uint32_t slot)
{
    return (ws_coherence_message *)(void *)(pool->message + (size_t)slot * pool->bytes);
}

void ws_message_pool_save(const ws_message_pool *pool, ws_bytes *bytes);
int ws_message_pool_load(ws_message_pool *pool, ws_reader *reader); /* a pool of equal `bytes` */

#endif
