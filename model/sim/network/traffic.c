/* traffic.c - what kind a message is, and how a network was used. */
#include "model/sim/network/traffic.h"

#include "model/coalesce_model.h"
#include "model/coherence/sm_cache.h"

/* ------------------------------------------------------------------------------------------------ kinds */

typedef enum operation { READ, WRITE, ATOMIC, CONTROL, OPERATIONS } operation;

static operation operation_of(ws_message_type type)
{
    switch (type) {
    case WS_MESSAGE_READ:
    case WS_MESSAGE_FILL:
    case WS_MESSAGE_RENEW:
    case WS_MESSAGE_OWN: /* brings the block, for the store that follows */
    case WS_MESSAGE_FILL_OWN:
    case WS_MESSAGE_DRAM_READ:
    case WS_MESSAGE_DRAM_FILL:
        return READ;
    case WS_MESSAGE_WRITE:
    case WS_MESSAGE_ACK:
    case WS_MESSAGE_PUT:
    case WS_MESSAGE_DATA:
    case WS_MESSAGE_DRAM_WRITE:
        return WRITE;
    case WS_MESSAGE_ATOMIC:
    case WS_MESSAGE_ATOMIC_ACK:
        return ATOMIC;
    default:
        return CONTROL;
    }
}

ws_traffic_kind ws_traffic_kind_of(const ws_coherence_message *m, uint64_t address)
{
    static const ws_traffic_kind of_global[OPERATIONS] = {WS_TRAFFIC_global_read, WS_TRAFFIC_global_write,
                                                          WS_TRAFFIC_global_atomic, WS_TRAFFIC_control};
    static const ws_traffic_kind of_local[OPERATIONS] = {WS_TRAFFIC_local_read, WS_TRAFFIC_local_write,
                                                         WS_TRAFFIC_local_write, WS_TRAFFIC_control};
    const unsigned cache = m->unit & WS_SM_UNIT_CACHE;
    if (cache == WS_SM_TEXTURE)
        return WS_TRAFFIC_texture_read;
    if (cache == WS_SM_CONSTANT)
        return WS_TRAFFIC_constant_read;
    return (address >= WS_LOCAL_BASE ? of_local : of_global)[operation_of((ws_message_type)m->type)];
}

/* ------------------------------------------------------------------------------------------------ in short */

static uint64_t node_bytes(const ws_network *net, uint32_t node, bool in)
{
    uint64_t bytes = 0;
    for (size_t frame = 0; frame < ws_network_frames(net); frame++)
        for (uint32_t kind = 0; kind < WS_NETWORK_KINDS; kind++)
            bytes += ws_network_frame_bytes(net, node, kind, in, frame);
    return bytes;
}

ws_traffic_use ws_traffic_use_of(const ws_network *net)
{
    const uint64_t now = ws_network_now(net), frame = ws_network_frame_first(net);
    ws_traffic_use use = {.channel_load = ws_network_max_channel_load(net)};
    uint64_t fullest = 0;
    uint32_t node = 0;
    bool in = false;
    for (uint32_t end = 0; end < 2 * ws_network_nodes(net); end++) {
        const uint64_t bytes = ws_network_frame_peak(net, end / 2, end & 1);
        if (bytes <= fullest)
            continue;
        fullest = bytes;
        node = end / 2;
        in = end & 1;
    }
    if (!fullest || !now)
        return use;
    use.peak = (double)fullest / (double)(now < frame ? now : frame); /* a run that is shorter than a frame */
    use.mean = (double)node_bytes(net, node, in) / (double)now;
    return use;
}
