/* network_plan.h - network of a machine as values: its options and values derived from them. */
#ifndef WS_NETWORK_PLAN_H
#define WS_NETWORK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* Most options common to networks; most options of one kind. */
enum { WS_NETWORK_COMMON = 8, WS_NETWORK_OPTIONS = 16 };

/* A chip has one network per direction, so that a reply never waits behind a request. */
typedef enum ws_direction { WS_REQUESTS, WS_REPLIES, WS_DIRECTIONS } ws_direction;

typedef struct ws_network_plan {
    const struct ws_network_kind *kind;
    uint32_t nodes;
    uint64_t common[WS_NETWORK_COMMON], own[WS_NETWORK_OPTIONS]; /* values in the order of the tables */
    uint32_t flit_bytes;                                         /* that a channel carries per cycle */
    uint32_t room; /* most packets at a node, or in transit to it with a reservation there: ejection_packets, and one
                      for each further cycle of a pipelined path (latency - 1), so that a long path also carries a flit
                      per cycle */
    /* Of a grid: routers along a row and a column; virtual channels of a port; flits that each buffers. Network cycles:
     * of a head flit in a router and to the next; at both ends of a path together; of a credit until it is usable. */
    uint32_t width, height, vcs, vc_flits;
    uint32_t router_cycles, end_cycles, credit_cycles;
    /* Of a switch or wires: network cycles until a first flit reaches its node; packets that an output accepts at once;
     * packets at a queue's front that arbitrate (also of light). */
    uint32_t latency, speedup, window;
    /* Of light: cycles around the guide, and of conversion to or from light; wavelengths of a guide; packets per token
     * hold, and whether each node waits for its round. */
    uint32_t loop, convert, wavelengths, packets;
    bool rounds;
} ws_network_plan;

#endif
