/* network_internal.h - interface of network implementations, and their common parts.
 *
 * The common parts are packets in numbered slots, a bounded queue of packets at each source, a bounded queue of
 * delivered ones at each node, statistics and checkpoints. An implementation moves packets from the first queue to the
 * second. */
#ifndef WS_NETWORK_INTERNAL_H
#define WS_NETWORK_INTERNAL_H

#include "base/layout.h"
#include "model/machine/network_rows.h"
#include "model/sim/network/network.h"

enum { WS_NO_SLOT = UINT32_MAX };

typedef struct ws_network_slot {
    ws_packet packet;
    uint32_t flits;
    uint32_t next; /* next slot in its queue, or WS_NO_SLOT */
} ws_network_slot;

typedef struct ws_network_port {
    uint32_t in_head, in_tail, in_flits; /* waiting at the source */
    uint32_t out_head, out_tail;         /* delivered */
    uint32_t out_held;                   /* delivered, or reserved by ws_network_promise */
} ws_network_port;

/* In the layout: variable scalars. */
typedef struct ws_network_head {
    uint64_t now, inside;
    uint64_t frame_length;
    uint32_t free_slot, padding;
    ws_network_totals totals;
} ws_network_head;

struct ws_network_ops {
    size_t state_size; /* of a private struct at net->state: configuration, and pointers into the layout */
    /* Stores values[] (its options, which were checked) in the state. */
    void (*configure)(ws_network *net, const uint64_t *values);
    /* Returns the most packets between the two queues. NULL: none, as each reserves a place at its node before it
     * leaves the source's queue. */
    size_t (*between)(const ws_network *net);
    /* Takes its arrays from the layout; called twice, see layout.h. */
    void (*place)(ws_network *net, ws_layout *layout);
    void (*start)(ws_network *net); /* sets the initial contents of the arrays, which are zeroed before; NULL: zeros */
    /* A packet was added to the source's queue of the node; a packet was ejected there (NULL: not needed). */
    void (*queued)(ws_network *net, uint32_t node);
    void (*taken)(ws_network *net, uint32_t node);
    /* Executes a cycle; head->now is at most that cycle. */
    void (*run_cycle)(ws_network *net, uint64_t cycle);
    uint64_t (*next_time)(const ws_network *net);
    /* NULL: one path in and one path out of each node, with flits and packets in net->ways. */
    size_t (*channels)(const ws_network *net);
    ws_channel (*channel)(const ws_network *net, size_t index);
    /* Reports causes of waits that packets do not show. NULL: none. */
    void (*explain)(const ws_network *net, void (*say)(void *user, const char *line), void *user);
};

/* Traffic of the path into a network, or out of it, at a node. */
typedef struct ws_network_way {
    uint64_t flits, packets;
} ws_network_way;

struct ws_network {
    const ws_network_ops *ops;
    ws_network_plan plan;
    uint32_t nodes, flit_bytes, room; /* of the plan */
    uint32_t injection_flits, frames;
    uint64_t frame_cycles;
    void *state;
    uint8_t *memory; /* the layout's */
    size_t memory_size;
    /* In the layout: */
    ws_network_head *head;
    ws_network_slot *slots;
    ws_network_port *ports;
    uint64_t *arrivals;
    ws_network_node *node_totals;
    ws_network_way *ways;                /* [in, out][node]; of networks without channel functions */
    uint64_t *frame_bytes;               /* [frame][node][in 1, out 0][kind] */
    uint64_t *frame_now, *frame_fullest; /* [node][in 1, out 0]: of the running first-length frame; of the fullest */
    uint64_t *frame_index;               /* [node][in 1, out 0]: number of the running first-length frame */
};

/* Removes the first packet of the source's queue, which must not be empty; returns its slot. */
uint32_t ws_network_depart(ws_network *net, uint32_t node, uint64_t cycle);
/* Removes the packet after `before`, which is in the queue; WS_NO_SLOT: the first. */
uint32_t ws_network_depart_behind(ws_network *net, uint32_t node, uint32_t before, uint64_t cycle);

/* Return whether a node has room for another delivered packet; reserve it for a packet in transit. Long paths have
 * additional room, as they would otherwise limit throughput. */
static inline bool ws_network_can_promise(const ws_network *net, uint32_t node)
{
    return net->ports[node].out_held < net->room;
}
static inline void ws_network_promise(ws_network *net, uint32_t node)
{
    net->ports[node].out_held++;
}

/* Delivers the packet of the slot, with reserved room, to its destination. */
void ws_network_deliver(ws_network *net, uint32_t slot, uint64_t cycle);

static inline void ws_network_count_way(const ws_network *net, bool in, uint32_t node, uint32_t flits)
{
    ws_network_way *const way = &net->ways[in ? node : net->nodes + node];
    way->flits += flits;
    way->packets++;
}

#define NETWORK(name, ...) extern const ws_network_ops ws_network_##name;
#include "model/machine/networks.def"

#endif
