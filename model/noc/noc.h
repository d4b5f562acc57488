/* noc.h - how long do packets take through a network between cores and memory, and how much can it carry? Closed forms,
 * no simulation.
 *
 * Who asks describes a network by plain numbers (ws_noc_shape) and its load by flows: packets a cycle from node to
 * node, of so many flits. Packets come at random: in batches, if `dispersion` says so. The answer is the mean latency
 * of each flow and of all, split by where the time goes, and how busy channels are. All times are cycles of the
 * network. The forms are rows of noc_forms.def, a file noc_NAME.c each, which has its formulas, where they are from,
 * and where they hold; docs/noc.md has how far all of them are from the simulator. */
#ifndef WS_NOC_H
#define WS_NOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Members that a kind does not know are not looked at. They mean what the options of model/sim's networks of the same
 * names do. */
typedef struct ws_noc_shape {
    uint32_t nodes;
    uint32_t ejection;      /* packets that a node has room for, those on their way to it among them */
    uint32_t window;        /* packets of the front of a source's queue that ask for a way */
    uint32_t width, height; /* mesh: routers along a row, along a column */
    uint32_t vc_flits;      /* mesh: flits that a virtual channel has room for */
    double router;          /* mesh: cycles of a head flit in a router and on the link behind it */
    double ends;            /* mesh: cycles from the source's queue into the first router */
    double credit; /* mesh: cycles from a flit that leaves a virtual channel to the next that may follow in its place */
    double latency;   /* crossbar, bus: cycles from the queue to the node, of the first flit; of the last one behind its
                         end on the bus */
    uint32_t speedup; /* crossbar: packets that an output takes at the same time */
    double loop, convert; /* light: cycles around the waveguide; from a node into light, and again back */
    uint32_t packets;     /* mwsr: that a node sends while it has a token; 0 is 1 */
    bool rounds;          /* mwsr: who has sent lets the token pass until nobody took it */
} ws_noc_shape;

/* Packets of one size from a node to a node. */
typedef struct ws_noc_flow {
    uint32_t from, to, flits;
    double rate; /* packets a cycle */
} ws_noc_flow;

typedef struct ws_noc_traffic {
    const ws_noc_flow *flow;
    size_t flows;
    double dispersion; /* variance of a source's packets in a time over their mean, at least 1: Poisson; 2 b - 1:
                          batches of b on average, geometric */
} ws_noc_traffic;

/* Where the time of a packet goes, in cycles; the sum is its latency, from when it is created to when its last flit is
 * at its node. */
typedef struct ws_noc_time {
    double queue;         /* behind others in the source's queue */
    double token;         /* first in it, for the way: a token, an output, room; of a mesh: for channels on the way */
    double serialization; /* its flits behind the first */
    double flight;        /* routers and links, or the guide */
    double convert;       /* into light and back */
} ws_noc_time;

typedef struct ws_noc_result {
    ws_noc_time mean;   /* over packets */
    double latency;     /* the sum of that; infinite when the load is beyond what the network carries */
    double busiest;     /* of all channels: the share of time in which it cannot take another packet */
    double utilization; /* mean over channels that carry anything: flits a cycle */
} ws_noc_result;

/* Rows of noc_forms.def: names, then NULL. */
const char *ws_noc_name(size_t index);

/* `each`: times of the flows, or NULL. WS_EINPUT for a kind without a form, a flow from or to a node that is not there,
 * without flits or with a rate that is negative or no number, no packets at all. WS_EMEM. A load that is too much is an
 * answer, not a failure. */
int ws_noc_solve(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, ws_noc_time *each,
                 ws_noc_result *out);

/* The same for a load that may be more than the network carries for a while: `carried` [nodes] says which part of what
 * each source offers goes, the rest waits in front of it. Times are of what goes; `queue` of a source that offers more
 * than goes is infinite, and no part of the mean. */
int ws_noc_carry(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, double *carried,
                 ws_noc_time *each, ws_noc_result *out);

/* The same with next to no load: what a packet takes when nothing is in its way. */
int ws_noc_idle(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, ws_noc_result *out);

/* How many times the load, if it were Poisson, the network carries before the mean latency is WS_NOC_SATURATED times
 * that without load. */
#define WS_NOC_SATURATED 3
int ws_noc_saturation(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, double *times);

static inline double ws_noc_sum(const ws_noc_time *t)
{
    return t->queue + t->token + t->serialization + t->flight + t->convert;
}

#endif
