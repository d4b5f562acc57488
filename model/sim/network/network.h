/* network.h - packets from node to node: how long do they take, what do they load, and who must wait?
 *
 * A ws_network is one physical network that carries one class of packets. A machine makes two of them, for requests and
 * for replies, so a reply never waits behind a request. The caller's loop is
 *
 *     if (!ws_network_inject(net, &packet)) the node stalls: its queue is full;
 *     ws_network_step(net, until);          executes the cycles now .. until-1, idle ones in no time
 *     for each node in ws_network_arrivals(net)
 *         while (ws_network_eject(net, node, &packet)) ...
 *
 * A packet injected when the time is t can move in cycle t. One that is delivered in cycle t is there for eject when
 * the time is t+1 or more. What is not ejected stays in a bounded queue and, when that is full, holds up the network.
 * Nothing is lost or doubled. Packets of one source to one destination may overtake each other where there are
 * several virtual channels. Same calls, same result. */
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
    uint64_t tag; /* the sender's; the network only carries it */
    uint32_t source, destination;
    uint32_t bytes; /* header included, at least 1 */
    uint32_t kind;  /* 0 .. WS_NETWORK_KINDS-1: what statistics keep apart */
    uint64_t group; /* not 0: packets of a group that follow one another at a source say the same; a medium that all
                       nodes hear moves them once */
    /* Set by the network: cycles of inject, of leaving the source's queue, and of delivery of the last flit. */
    uint64_t created, entered, delivered;
} ws_packet;

typedef struct ws_network ws_network;
typedef struct ws_network_ops ws_network_ops; /* network_internal.h */

/* Creates network `name` (a row of networks.def) for nodes 0..nodes-1. `given` are options of all networks
 * (ws_network_common_options) and of this one. The caller frees it with ws_network_destroy.
 * WS_EINPUT with one line that names the option and the reason. */
int ws_network_create(const char *name, uint32_t nodes, const ws_given *given, size_t count, ws_network **out);
/* The same for a network whose options go together: of a machine, ws_machine.shape has them. */
int ws_network_make(const ws_network_plan *plan, ws_network **out);
void ws_network_destroy(ws_network *net); /* accepts NULL */

/* False: no room in the source's queue now. Nodes, kind and bytes must be in their ranges. */
bool ws_network_inject(ws_network *net, const ws_packet *packet);
/* Counts injects of a node that would have been answered no, in cycles that were skipped. */
void ws_network_count_refused(ws_network *net, uint32_t node, uint64_t times);
bool ws_network_has_room(const ws_network *net, uint32_t source, uint32_t bytes);

void ws_network_step(ws_network *net, uint64_t until);
uint64_t ws_network_now(const ws_network *net);
uint32_t ws_network_nodes(const ws_network *net);
uint32_t ws_network_room(const ws_network *net); /* of a node: ws_network_plan.room */

/* The first cycle, now or later, in which something can move; WS_NEVER while it all depends on inject and eject. */
uint64_t ws_network_next_time(const ws_network *net);

/* Bit n of word n/64 is set while node n has a packet for eject. */
const uint64_t *ws_network_arrivals(const ws_network *net);
/* Takes the oldest delivered packet of the node; false when there is none. */
bool ws_network_eject(ws_network *net, uint32_t node, ws_packet *packet);

/* Packets that were injected and not yet ejected. */
uint64_t ws_network_inside(const ws_network *net);

/* Shows each of them, for a message about who waits for whom: those queued at sources and those delivered node by node
 * in their order, then those on their way. WS_EMEM when memory is short. */
enum { WS_PACKET_QUEUED, WS_PACKET_DELIVERED, WS_PACKET_MOVING };
int ws_network_each(const ws_network *net, void (*see)(void *user, const ws_packet *packet, int where), void *user);
/* What else of the network makes packets wait, such as a token that somebody keeps: a line each. */
void ws_network_explain(const ws_network *net, void (*say)(void *user, const char *line), void *user);

/* --- What it was used for --- */

/* Sums over the whole run. */
typedef struct ws_network_totals {
#define COUNT(name, combine, meaning) uint64_t name;
#include "model/sim/network/network_counts.def"
#undef COUNT
} ws_network_totals;
ws_network_totals ws_network_sum(const ws_network *net);

typedef struct ws_network_node {
    uint64_t packets_in, flits_in, packets_out, flits_out, refused;
    uint64_t latency_sum, latency_max; /* of packets that arrived here */
} ws_network_node;
const ws_network_node *ws_network_node_totals(const ws_network *net, uint32_t node);

/* Channels carry flits between neighbours, and from the last router or output to a node. */
typedef struct ws_channel {
    uint32_t from, to; /* routers of a mesh; of a crossbar the input twice, or the output twice */
    bool to_node;      /* leads out of the network */
    uint64_t flits, packets;
} ws_channel;
size_t ws_network_channels(const ws_network *net);
ws_channel ws_network_channel(const ws_network *net, size_t index);
/* The most packets over one channel, those to nodes included: "maximum channel load" (Goswami 2013, section 3.2). */
uint64_t ws_network_max_channel_load(const ws_network *net);

/* Bytes that a node put in (`in`) or got out, per frame of frame_cycles and kind. When the frames run out, pairs are
 * merged and frames get twice as long; `frame_peak` stays exact at the first length. */
uint64_t ws_network_frame_cycles(const ws_network *net);
uint64_t ws_network_frame_first(const ws_network *net); /* the first length */
size_t ws_network_frames(const ws_network *net);        /* frames so far, the running one included */
uint64_t ws_network_frame_bytes(const ws_network *net, uint32_t node, uint32_t kind, bool in, size_t frame);
uint64_t ws_network_frame_peak(const ws_network *net, uint32_t node, bool in); /* bytes of the fullest such frame */

/* Appends all that changes to `bytes`; reads it back into a network created with the same arguments. WS_EINPUT when it
 * was not written by such a one. That the bytes are whole and unchanged is for the file's checksum to say. */
void ws_network_save(const ws_network *net, ws_bytes *bytes);
int ws_network_load(ws_network *net, ws_reader *reader);

#endif
