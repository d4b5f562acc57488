/* network_events.h - what will happen in a network, the soonest first. */
#ifndef WS_NETWORK_EVENTS_H
#define WS_NETWORK_EVENTS_H

#include "model/cycle.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_network_event {
    uint64_t cycle;
    uint64_t order; /* of creation; earlier ones first within a cycle */
    uint32_t input, output;
    uint32_t slot; /* of the packet that arrives, or what the network likes */
    uint32_t padding;
} ws_network_event;

/* In a network's layout. */
typedef struct ws_network_events {
    uint64_t count, orders;
} ws_network_events;

/* `heap` has room for all that can be there at once. */
void ws_network_events_add(ws_network_events *events, ws_network_event *heap, ws_network_event event);
/* Takes the first one; there is one. */
ws_network_event ws_network_events_take(ws_network_events *events, ws_network_event *heap);

static inline bool ws_network_events_due(const ws_network_events *events, const ws_network_event *heap, uint64_t cycle)
{
    return events->count && heap[0].cycle <= cycle;
}

/* The cycle of the first one, but not before `now`; WS_NEVER when nothing comes. */
static inline uint64_t ws_network_events_next(const ws_network_events *events, const ws_network_event *heap,
                                              uint64_t now)
{
    if (!events->count)
        return WS_NEVER;
    return heap[0].cycle > now ? heap[0].cycle : now;
}

#endif
