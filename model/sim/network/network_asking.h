/* network_asking.h - inputs with a queue each ask for outputs: who wants what, and who is sending.
 *
 * The first `window` packets of an input's queue ask for their outputs, the first to each of them, while the input
 * sends nothing; those behind them wait, also for idle outputs. So packets from one input to one output stay in order.
 */
#ifndef WS_NETWORK_ASKING_H
#define WS_NETWORK_ASKING_H

#include "model/sim/network/network_events.h"
#include "model/sim/network/network_internal.h"

/* The state of a network begins with it. */
typedef struct ws_network_asking {
    uint64_t window;
    uint32_t words; /* of a mask over nodes */
    uint32_t padding;
    void (*changed)(const ws_network *net, uint32_t output); /* others ask for it than before */
    /* In the layout: */
    uint64_t *mask;            /* [output][words]: inputs that ask for it */
    uint64_t *busy;            /* [words]: inputs that send */
    uint32_t *count;           /* [output]: inputs that ask for it */
    uint64_t *able;            /* [words]: outputs that can take a packet for which others ask; the network keeps it */
    ws_network_events *events; /* the end of a transfer, WS_NO_SLOT; or a packet's last flit arrives at its node */
    ws_network_event *heap;
} ws_network_asking;

/* `events`: the most that are due at once besides deliveries and ends of sending. */
void ws_network_asking_place(const ws_network *net, ws_network_asking *asking, size_t events, ws_layout *layout);

/* ws_network_ops.queued: a packet came to the queue of an input. */
void ws_network_asking_queued(ws_network *net, uint32_t input);
/* ws_network_ops.next_time, where an able output takes a packet at once. */
uint64_t ws_network_asking_next_time(const ws_network *net);
/* The first packet of `input` to `output`, for which it asks, begins to move: its slot. The input asks for nothing
 * until it has sent. */
uint32_t ws_network_asking_send(ws_network *net, const ws_network_asking *asking, uint32_t input, uint32_t output,
                                uint64_t cycle);
void ws_network_asking_sent(const ws_network *net, const ws_network_asking *asking, uint32_t input);

/* The asking input that comes first in the order beginning with `from`. There is one. */
uint32_t ws_network_asking_next(const ws_network_asking *asking, uint32_t output, uint32_t from);

/* An event at `cycle`; takes the next one that is due then. */
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
