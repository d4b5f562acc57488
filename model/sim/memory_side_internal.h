/* memory_side_internal.h - what the memory side of a machine is made of. */
#ifndef WS_MEMORY_SIDE_INTERNAL_H
#define WS_MEMORY_SIDE_INTERNAL_H

#include "model/sim/cycle.h"
#include "model/sim/fifo.h"
#include "model/sim/memory_side.h"

enum { NO_ITEM = UINT32_MAX, WORD_BYTES = 4, MOST_WORDS = 32 };
enum { BURSTS_KEPT = 4 }; /* for each request that a slice keeps, before it takes no more: those of a line, mostly */
enum { READ_ONLY = WS_MESSAGE_COUNT }; /* place of the messages of texture and constant caches among those by type */

/* A read of memory that is under way: the answer is complete when all its bursts are there. */
typedef struct fetch {
    uint64_t block;
    uint32_t mask, bank, left, next;
} fetch;

/* An L2 slice with what waits for it and what it wants to send. */
typedef struct bank {
    struct ws_memory_side *side;
    uint8_t *cache;
    ws_fifo in;    /* requests: cycle from which they may be served, message */
    ws_fifo out;   /* answers: cycle, message */
    ws_fifo fills; /* fetches that are complete */
    ws_fifo early; /* requests that overtook one of their SM on the way: number << 32 | message */
    bool refused;  /* the first request was, and nothing has changed since */
    uint64_t wake; /* when the cache wants to be told that time went on */
    uint32_t number, node;
} bank;

typedef struct channel {
    ws_dram *dram;
    ws_fifo wanted;  /* requests that the channel has not taken: address << 1 | write, fetch */
    ws_fifo arrived; /* reads that have their data: cycle, fetch */
} channel;

struct ws_memory_side {
    const ws_machine *machine;
    const ws_level *l1;
    const ws_level *l2;
    ws_golden *golden;
    ws_dram_part part;
    ws_dram_map map;
    uint32_t sms, banks, channels, words;
    size_t message_bytes;
    uint32_t *sm_node, *number_of_node; /* node -> SM, or 1 << 31 | bank */
    ws_network *request, *reply;
    bank *bank;
    channel *channel;
    ws_fifo *sending, *received; /* [sms] */
    uint32_t *sent_to, *taken_from; /* [sms * banks]: requests of the SM to the bank so far, at either end */
    uint8_t *message; /* slots */
    uint32_t *next_message, free_message, message_room;
    uint64_t messages_held;
    fetch *fetch;
    uint32_t free_fetch, fetch_room;
    uint64_t *contents; /* of memory, when data travel: a table of blocks and their words */
    uint32_t *contents_words;
    size_t contents_room, contents_used;
    uint64_t *seen; /* blocks that were read while copied bytes were left */
    size_t seen_room, seen_used;
    uint64_t warm_bytes;
    uint64_t sent[WS_MESSAGE_COUNT + 1], sent_bytes[WS_MESSAGE_COUNT + 1];
    uint64_t stalls[2];
    uint32_t shown; /* message that receive gave last */
    uint64_t now;
    uint16_t epoch; /* of all slices */
    bool every_cycle;
    int failed;
};

/* Cycles of a clock that have begun when `core` core cycles have. */
static inline uint64_t own_cycles(const ws_machine *m, uint32_t khz, uint64_t core)
{
    return core * khz / m->chip_core_clock;
}

static inline uint32_t memory_khz(const ws_memory_side *side)
{
    return (uint32_t)(side->part.clock_mhz * 1000 + 0.5);
}

static inline ws_coherence_message *message_at(const ws_memory_side *side, uint32_t slot)
{
    return (ws_coherence_message *)(void *)(side->message + (size_t)slot * side->message_bytes);
}

#endif
