/* network_events.c - a binary heap. */
#include "model/sim/network/network_events.h"

#include <stddef.h>

static bool before(const ws_network_event *a, const ws_network_event *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

void ws_network_events_add(ws_network_events *events, ws_network_event *heap, ws_network_event e)
{
    e.order = events->orders++;
    size_t at = events->count++;
    while (at && before(&e, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = e;
}

ws_network_event ws_network_events_take(ws_network_events *events, ws_network_event *heap)
{
    const ws_network_event first = heap[0], last = heap[--events->count];
    const size_t count = events->count;
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}
