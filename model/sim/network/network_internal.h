/* network_internal.h - what an implementation of a network writes, and what it finds ready.
 *
 * Ready are: packets in numbered slots, a bounded queue of packets at each source, a bounded queue of delivered ones
 * at each node, statistics, checkpoints. An implementation moves packets from the first queue to the second and says
 * when. */
#ifndef WS_NETWORK_INTERNAL_H
#define WS_NETWORK_INTERNAL_H

#include "base/layout.h"
#include "model/machine/network_rows.h"
#include "model/sim/network/network.h"

enum { WS_NO_SLOT = UINT32_MAX };

typedef struct ws_network_slot {
    ws_packet packet;
    uint32_t flits;
    uint32_t next; /* slot behind it in its queue, or WS_NO_SLOT */
} ws_network_slot;

typedef struct ws_network_port {
    uint32_t in_head, in_tail, in_flits; /* waiting at the source */
    uint32_t out_head, out_tail;         /* delivered */
    uint32_t out_held;                   /* delivered, or promised room by ws_network_promise */
} ws_network_port;

/* In the layout: the scalars that change. */
typedef struct ws_network_head {
    uint64_t now, inside;
    uint64_t frame_length;
    uint32_t free_slot, padding;
    ws_network_totals totals;
} ws_network_head;

struct ws_network_ops {
    size_t state_size; /* of a private struct at net->state: configuration, and pointers into the layout */
    /* Keeps values[] (the own options, which go together) in the state. */
    void (*configure)(ws_network *net, const uint64_t *values);
    /* Packets that can be between the two queues at once. NULL: none, each has its place at its node before it leaves
     * the source's queue. */
    size_t (*between)(const ws_network *net);
    /* Takes its arrays from the layout; called twice, see layout.h. */
    void (*place)(ws_network *net, ws_layout *layout);
    void (*start)(ws_network *net); /* first contents of the arrays, which are zero before; NULL: they stay so */
    /* A packet came to the source's queue of the node; a packet was ejected there (NULL: nothing changes by that). */
    void (*queued)(ws_network *net, uint32_t node);
    void (*taken)(ws_network *net, uint32_t node);
    /* Executes a cycle; head->now is at most that. */
    void (*run_cycle)(ws_network *net, uint64_t cycle);
    uint64_t (*next_time)(const ws_network *net);
    /* NULL: a way in and a way out of each node, whose flits and packets are in net->ways. */
    size_t (*channels)(const ws_network *net);
    ws_channel (*channel)(const ws_network *net, size_t index);
    /* Says, for a message about who waits for whom, what packets do not show. NULL: nothing. */
    void (*explain)(const ws_network *net, void (*say)(void *user, const char *line), void *user);
};

/* What went over the way into a network, or out of it, at a node. */
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
    ws_network_way *ways;                /* [in, out][node]; of networks without channels of their own */
    uint64_t *frame_bytes;               /* [frame][node][in 1, out 0][kind] */
    uint64_t *frame_now, *frame_fullest; /* [node][in 1, out 0]: of the running first-length frame, of the fullest */
    uint64_t *frame_index;               /* [node][in 1, out 0]: which first-length frame is running */
};

/* Takes the first packet out of the source's queue; its slot number. The queue is not empty. */
uint32_t ws_network_depart(ws_network *net, uint32_t node, uint64_t cycle);
/* Takes the one behind `before`, which is in the queue; WS_NO_SLOT: the first. */
uint32_t ws_network_depart_behind(ws_network *net, uint32_t node, uint32_t before, uint64_t cycle);

/* Room for one more delivered packet at a node: is there any, and keep it for a packet on its way. The way has room of
 * its own, or one that is long would carry little. */
static inline bool ws_network_can_promise(const ws_network *net, uint32_t node)
{
    return net->ports[node].out_held < net->room;
}
static inline void ws_network_promise(ws_network *net, uint32_t node)
{
    net->ports[node].out_held++;
}

/* Puts the packet of the slot, for which room was promised, among the delivered ones of its destination. */
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
