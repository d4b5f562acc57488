/* network_events.h - pending events of a network, as a heap by time. */
#ifndef WS_NETWORK_EVENTS_H
#define WS_NETWORK_EVENTS_H

#include "model/cycle.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_network_event {
    uint64_t cycle;
    uint64_t order; /* of creation; decides within a cycle */
    uint32_t input, output;
    uint32_t slot; /* of the arriving packet, or free for the network */
    uint32_t padding;
} ws_network_event;

/* In a network's layout. */
typedef struct ws_network_events {
    uint64_t count, orders;
} ws_network_events;

/* Adds an event; `heap` has room for all concurrent events. */
void ws_network_events_add(ws_network_events *events, ws_network_event *heap, ws_network_event event);
/* Takes the first event; there must be one. */
ws_network_event ws_network_events_take(ws_network_events *events, ws_network_event *heap);

static inline bool ws_network_events_due(const ws_network_events *events, const ws_network_event *heap, uint64_t cycle)
{
    return events->count && heap[0].cycle <= cycle;
}

/* Returns the cycle of the first event, at least `now`; WS_NEVER without events. */
static inline uint64_t ws_network_events_next(const ws_network_events *events, const ws_network_event *heap,
                                              uint64_t now)
{
    if (!events->count)
        return WS_NEVER;
    return heap[0].cycle > now ? heap[0].cycle : now;
}

#endif
