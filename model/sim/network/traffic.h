/* traffic.h - kinds of network traffic, and utilization. */
#ifndef WS_TRAFFIC_H
#define WS_TRAFFIC_H

#include "model/coherence/coherence.h"
#include "model/sim/network/network.h"

typedef enum ws_traffic_kind {
#define KIND(name, meaning) WS_TRAFFIC_##name,
#include "model/sim/network/traffic_kinds.def"
#undef KIND
    WS_TRAFFIC_KINDS
} ws_traffic_kind;
_Static_assert((int)WS_TRAFFIC_KINDS <= (int)WS_NETWORK_KINDS, "networks count fewer kinds than there are");

/* Returns the kind of a message; `address` of its block. */
ws_traffic_kind ws_traffic_kind_of(const ws_coherence_message *message, uint64_t address);

/* Use of one network since its creation. A rate is the bytes that a node sent or received per network cycle. */
typedef struct ws_traffic_use {
    double peak, mean;     /* rate of the fullest frame of any node; of that node over the whole time */
    uint64_t channel_load; /* packets over the busiest channel */
} ws_traffic_use;
ws_traffic_use ws_traffic_use_of(const ws_network *network);

#endif
