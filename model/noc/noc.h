/* noc.h - closed forms of the latency and capacity of a network between cores and memory.
 *
 * The caller describes a network by plain numbers (ws_noc_shape) and its load by flows: packets per cycle between
 * nodes, with a number of flits. Packets arrive at random, or in batches by `dispersion`. The result is the mean
 * latency of each flow and of all, split by cause, and the utilization of channels. All times are network cycles. The
 * forms are rows of noc_forms.def; each file noc_NAME.c has formulas, sources and limits. docs/noc.md compares all of
 * them with the simulator. */
#ifndef WS_NOC_H
#define WS_NOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shape of a network. A kind ignores members of other kinds. Members mean the same as the options of model/sim's
 * networks with these names. */
typedef struct ws_noc_shape {
    uint32_t nodes;
    uint32_t ejection;      /* packets that a node has room for, including those in transit to it */
    uint32_t window;        /* packets at the front of a source's queue that arbitrate */
    uint32_t width, height; /* mesh: routers along a row and along a column */
    uint32_t vc_flits;      /* mesh: capacity of a virtual channel in flits */
    double router;          /* mesh: cycles of a head flit in a router and on the next link */
    double ends;            /* mesh: cycles from the source's queue into the first router */
    double credit;  /* mesh: cycles from a flit's departure from a virtual channel until the next may take its place */
    double latency; /* crossbar, bus: cycles of the first flit from the queue to the node; on the bus also of the last
                       after its end */
    uint32_t speedup;     /* crossbar: packets that an output accepts at once */
    double loop, convert; /* light: cycles around the waveguide; of conversion to light, and again back */
    uint32_t packets;     /* mwsr: sent by a node per token hold; 0 is 1 */
    bool rounds;          /* mwsr: a sender passes the token on until a round in which no node took it */
} ws_noc_shape;

/* Packets of one size between two nodes. */
typedef struct ws_noc_flow {
    uint32_t from, to, flits;
    double rate; /* packets per cycle */
} ws_noc_flow;

typedef struct ws_noc_traffic {
    const ws_noc_flow *flow;
    size_t flows;
    double dispersion; /* variance over mean of a source's packets in a time, at least 1. 1: Poisson; 2 b - 1: geometric
                          batches of b on average */
} ws_noc_traffic;

/* Latency of a packet by cause, in cycles; their sum is the time from its creation until its last flit reaches its
 * node. */
typedef struct ws_noc_time {
    double queue;         /* behind others in the source's queue */
    double token;         /* at the front, for the path: a token, an output, room; in a mesh: for channels along it */
    double serialization; /* its flits after the first */
    double flight;        /* routers and links, or the guide */
    double convert;       /* to light and back */
} ws_noc_time;

typedef struct ws_noc_result {
    ws_noc_time mean;   /* over packets */
    double latency;     /* sum of the mean; infinite above saturation */
    double busiest;     /* largest share of time, over all channels, in which a channel cannot accept another packet */
    double utilization; /* mean flits per cycle over channels with traffic */
} ws_noc_result;

/* Returns a name of noc_forms.def, or NULL past the last. */
const char *ws_noc_name(size_t index);

/* Solves a network. `each`: times of the flows, or NULL. WS_EINPUT for a kind without a form, a flow with an unknown
 * node, without flits or with a rate that is negative or not a number, or without packets. WS_EMEM. Saturation is a
 * result, not an error. */
int ws_noc_solve(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, ws_noc_time *each,
                 ws_noc_result *out);

/* The same for a load that may exceed the capacity for a while: `carried` [nodes] is the share of each source's load
 * that the network carries; the rest waits at the source. Times are those of carried packets. `queue` of a source that
 * offers more is infinite and not part of the mean. */
int ws_noc_carry(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, double *carried,
                 ws_noc_time *each, ws_noc_result *out);

/* The same at almost no load: the latency of an uncontended packet. */
int ws_noc_idle(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, ws_noc_result *out);

/* Computes the factor on the load, taken as Poisson, at which the mean latency is WS_NOC_SATURATED times that without
 * load. */
#define WS_NOC_SATURATED 3
int ws_noc_saturation(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, double *times);

static inline double ws_noc_sum(const ws_noc_time *t)
{
    return t->queue + t->token + t->serialization + t->flight + t->convert;
}

#endif
