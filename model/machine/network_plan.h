/* network_plan.h - a network of a machine as values: its options, and what follows from them. */
#ifndef WS_NETWORK_PLAN_H
#define WS_NETWORK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* Options of all networks, of one kind of them: at most so many. */
enum { WS_NETWORK_COMMON = 8, WS_NETWORK_OPTIONS = 16 };

/* A chip has a network for each direction, so that a reply never waits behind a request. */
typedef enum ws_direction { WS_REQUESTS, WS_REPLIES, WS_DIRECTIONS } ws_direction;

typedef struct ws_network_plan {
    const struct ws_network_kind *kind;
    uint32_t nodes;
    uint64_t common[WS_NETWORK_COMMON], own[WS_NETWORK_OPTIONS]; /* values in the order of the tables */
    uint32_t flit_bytes;                                         /* that a channel carries in a cycle */
    uint32_t room; /* packets that wait at a node or are on their way to it and keep room there, at most:
                      ejection_packets, and one for each further cycle of a way made of stages (latency - 1), so that a
                      long way carries a flit a cycle like a short one */
    /* Of a grid: routers along a row and a column; virtual channels of a port, and flits that one buffers. Cycles of
     * the network: of a head in a router and on the way to the next, on the way in and out of all, of a credit until it
     * counts. */
    uint32_t width, height, vcs, vc_flits;
    uint32_t router_cycles, end_cycles, credit_cycles;
    /* Of a switch or of wires: cycles of the network until a first flit is at its node; packets that an output takes at
     * once; packets of a queue's front that ask, also before light. */
    uint32_t latency, speedup, window;
    /* Of light: cycles around the guide, and into light or out of it; wavelengths of a guide; packets that a token
     * stays for, and whether each node waits for its round. */
    uint32_t loop, convert, wavelengths, packets;
    bool rounds;
} ws_network_plan;

#endif
