/* network.h - packet network: latency, load and back-pressure.
 *
 * A ws_network is one physical network that carries one class of packets. A machine makes two of them, for requests and
 * for replies, so a reply never waits behind a request. The caller's loop is
 *
 *     if (!ws_network_inject(net, &packet)) the node stalls: its queue is full;
 *     ws_network_step(net, until);          executes the cycles now .. until-1, idle ones in no time
 *     for each node in ws_network_arrivals(net)
 *         while (ws_network_eject(net, node, &packet)) ...
 *
 * A packet injected at time t can move in cycle t. A packet delivered in cycle t can be ejected at time t+1 or later.
 * Packets that are not ejected stay in a bounded queue, which blocks the network when full. No packet is lost or
 * duplicated. Packets between the same nodes may overtake each other if there are several virtual channels. Equal calls
 * give equal results. */
#ifndef WS_NETWORK_H
#define WS_NETWORK_H

#include "base/bytes.h"
#include "base/option.h"
#include "model/cycle.h"
#include "model/machine/network_kind.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_NETWORK_KINDS = 8 };

typedef struct ws_packet {
    uint64_t tag; /* free for the sender; not used by the network */
    uint32_t source, destination;
    uint32_t bytes; /* including the header, at least 1 */
    uint32_t kind;  /* 0 .. WS_NETWORK_KINDS-1: class of statistics */
    uint64_t group; /* nonzero: successive packets of a group at a source have the same content; a broadcast medium
                       moves them once */
    /* Set by the network: cycles of injection, of leaving the source's queue, and of delivery of the last flit. */
    uint64_t created, entered, delivered;
} ws_packet;

typedef struct ws_network ws_network;
typedef struct ws_network_ops ws_network_ops; /* network_internal.h */

/* Creates network `name` (a row of networks.def) for nodes 0..nodes-1. `given` are common options
 * (ws_network_common_options) and those of this network. The caller frees it with ws_network_destroy. WS_EINPUT with
 * one line that names the option and the reason. */
int ws_network_create(const char *name, uint32_t nodes, const ws_given *given, size_t count, ws_network **out);
/* The same for a network with checked options, as in ws_machine.shape. */
int ws_network_make(const ws_network_plan *plan, ws_network **out);
void ws_network_destroy(ws_network *net); /* accepts NULL */

/* Returns false if the source's queue has no room. Nodes, kind and bytes must be in their ranges. */
bool ws_network_inject(ws_network *net, const ws_packet *packet);
/* Counts refused injections of a node in skipped cycles. */
void ws_network_count_refused(ws_network *net, uint32_t node, uint64_t times);
bool ws_network_has_room(const ws_network *net, uint32_t source, uint32_t bytes);

void ws_network_step(ws_network *net, uint64_t until);
uint64_t ws_network_now(const ws_network *net);
uint32_t ws_network_nodes(const ws_network *net);
uint32_t ws_network_room(const ws_network *net); /* of a node: ws_network_plan.room */

/* Returns the first cycle, now or later, in which a packet can move; WS_NEVER if that depends on inject and eject only.
 */
uint64_t ws_network_next_time(const ws_network *net);

/* Returns a mask: bit n of word n/64 is set while node n has a packet to eject. */
const uint64_t *ws_network_arrivals(const ws_network *net);
/* Takes the oldest delivered packet of the node; returns false if there is none. */
bool ws_network_eject(ws_network *net, uint32_t node, ws_packet *packet);

/* Returns the packets that were injected and not yet ejected. */
uint64_t ws_network_inside(const ws_network *net);

/* Calls `see` for each of them, for a message about dependencies: those queued at sources and those delivered, node by
 * node in order, followed by those in transit. WS_EMEM. */
enum { WS_PACKET_QUEUED, WS_PACKET_DELIVERED, WS_PACKET_MOVING };
int ws_network_each(const ws_network *net, void (*see)(void *user, const ws_packet *packet, int where), void *user);
/* Reports other causes of waits in the network, such as a token held by a node: one line each. */
void ws_network_explain(const ws_network *net, void (*say)(void *user, const char *line), void *user);

/* --- Use --- */

/* Totals of the whole run. */
typedef struct ws_network_totals {
#define COUNT(name, combine, meaning) uint64_t name;
#include "model/sim/network/network_counts.def"
#undef COUNT
} ws_network_totals;
ws_network_totals ws_network_sum(const ws_network *net);

typedef struct ws_network_node {
    uint64_t packets_in, flits_in, packets_out, flits_out, refused;
    uint64_t latency_sum, latency_max; /* of packets that arrived at the node */
} ws_network_node;
const ws_network_node *ws_network_node_totals(const ws_network *net, uint32_t node);

/* Channels carry flits between neighbours, and from the last router or output to a node. */
typedef struct ws_channel {
    uint32_t from, to; /* routers of a mesh; in a crossbar the input twice, or the output twice */
    bool to_node;      /* leads out of the network */
    uint64_t flits, packets;
} ws_channel;
size_t ws_network_channels(const ws_network *net);
ws_channel ws_network_channel(const ws_network *net, size_t index);
/* Returns the most packets over one channel, including those to nodes: "maximum channel load" (Goswami 2013,
 * section 3.2). */
uint64_t ws_network_max_channel_load(const ws_network *net);

/* Return bytes that a node sent (`in`) or received, per frame of frame_cycles and kind. When the frames are exhausted,
 * pairs are merged and the frame length doubles; `frame_peak` remains exact at the first length. */
uint64_t ws_network_frame_cycles(const ws_network *net);
uint64_t ws_network_frame_first(const ws_network *net); /* the first length */
size_t ws_network_frames(const ws_network *net);        /* frames so far, including the running one */
uint64_t ws_network_frame_bytes(const ws_network *net, uint32_t node, uint32_t kind, bool in, size_t frame);
uint64_t ws_network_frame_peak(const ws_network *net, uint32_t node, bool in); /* bytes of the fullest such frame */

/* Append the mutable state to `bytes`; restore it in a network created with the same arguments. WS_EINPUT for the state
 * of a different network. The file's checksum protects the integrity of the bytes. */
void ws_network_save(const ws_network *net, ws_bytes *bytes);
int ws_network_load(ws_network *net, ws_reader *reader);

#endif
