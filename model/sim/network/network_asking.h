/* network_asking.h - arbitration state of inputs with queues: requests for outputs, and busy inputs.
 *
 * The first `window` packets of an input's queue request their outputs, one packet per output, while the input is idle.
 * Later packets wait, even for idle outputs. Packets from one input to one output therefore stay in order. */
#ifndef WS_NETWORK_ASKING_H
#define WS_NETWORK_ASKING_H

#include "model/sim/network/network_events.h"
#include "model/sim/network/network_internal.h"

/* First member of the state of a network. */
typedef struct ws_network_asking {
    uint64_t window;
    uint32_t words; /* of a mask over nodes */
    uint32_t padding;
    void (*changed)(const ws_network *net, uint32_t output); /* the requests for the output have changed */
    /* In the layout: */
    uint64_t *mask;            /* [output][words]: inputs that request it */
    uint64_t *busy;            /* [words]: sending inputs */
    uint32_t *count;           /* [output]: number of inputs that request it */
    uint64_t *able;            /* [words]: requested outputs that can take a packet; maintained by the network */
    ws_network_events *events; /* ends of transfers, WS_NO_SLOT; or arrivals of a packet's last flit at its node */
    ws_network_event *heap;
} ws_network_asking;

/* Places the arrays. `events`: the most pending events in addition to deliveries and ends of transfers. */
void ws_network_asking_place(const ws_network *net, ws_network_asking *asking, size_t events, ws_layout *layout);

/* ws_network_ops.queued: a packet was added to the queue of an input. */
void ws_network_asking_queued(ws_network *net, uint32_t input);
/* ws_network_ops.next_time for networks in which an able output takes a packet at once. */
uint64_t ws_network_asking_next_time(const ws_network *net);
/* Starts the transfer of the first packet of `input` to `output`, which it requests; returns its slot. The input
 * requests nothing until the transfer ends. */
uint32_t ws_network_asking_send(ws_network *net, const ws_network_asking *asking, uint32_t input, uint32_t output,
                                uint64_t cycle);
void ws_network_asking_sent(const ws_network *net, const ws_network_asking *asking, uint32_t input);

/* Returns the requesting input that is first in cyclic order from `from`. There must be one. */
uint32_t ws_network_asking_next(const ws_network_asking *asking, uint32_t output, uint32_t from);

/* Add an event at `cycle`; take the next one due at that cycle. */
static inline void ws_network_asking_expect(const ws_network_asking *asking, uint64_t cycle, uint32_t input,
                                            uint32_t output, uint32_t slot)
{
    ws_network_events_add(asking->events, asking->heap,
                          (ws_network_event){.cycle = cycle, .input = input, .output = output, .slot = slot});
}
static inline bool ws_network_asking_take(const ws_network_asking *asking, uint64_t cycle, ws_network_event *out)
{
    const bool due = ws_network_events_due(asking->events, asking->heap, cycle);
    if (due)
        *out = ws_network_events_take(asking->events, asking->heap);
    return due;
}

/* Bits of masks. */
static inline bool ws_network_bit(const uint64_t *mask, uint32_t bit)
{
    return mask[bit / 64] >> bit % 64 & 1;
}
static inline void ws_network_set_bit(uint64_t *mask, uint32_t bit, bool value)
{
    mask[bit / 64] = (mask[bit / 64] & ~((uint64_t)1 << bit % 64)) | (uint64_t)value << bit % 64;
}

#endif
