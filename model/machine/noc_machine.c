/* noc_machine.c - see noc_machine.h. */
#include "model/machine/noc_machine.h"

#include "base/status.h"
#include "model/coherence/coherence.h"
#include "model/machine/machine.h"
#include "model/machine/network_options.h"

#include <stdlib.h>

ws_noc_shape ws_noc_machine_shape(const ws_machine *m, unsigned direction)
{
    const ws_network_plan *const p = &m->shape.network[direction];
    return (ws_noc_shape){.nodes = p->nodes,
                          .ejection = p->room,
                          .window = p->window,
                          .width = p->width,
                          .height = p->height,
                          .vc_flits = p->vc_flits,
                          .router = p->router_cycles,
                          .ends = p->end_cycles,
                          .credit = p->credit_cycles,
                          .latency = p->latency,
                          .speedup = p->speedup,
                          .loop = p->loop,
                          .convert = p->convert,
                          .packets = p->packets,
                          .rounds = p->rounds};
}

/* --- Who sends to whom --- */

typedef struct places {
    uint32_t sms, slices, nodes;
    uint32_t *sm, *slice;    /* their nodes */
    double *sent, *received; /* [nodes]: weight of the SMs, and of the slice, that are there */
    double sent_all, received_all;
} places;

static void free_places(places *p)
{
    free(p->sm);
    free(p->slice);
    free(p->sent);
    free(p->received);
}

static int find_places(const ws_machine *m, const ws_noc_spread *spread, places *p)
{
    *p = (places){.sms = m->chip_sms, .slices = ws_machine_chip_slices(m), .nodes = ws_machine_nodes(m)};
    p->sm = calloc(p->sms, sizeof *p->sm);
    p->slice = calloc(p->slices, sizeof *p->slice);
    p->sent = calloc(p->nodes, sizeof *p->sent);
    p->received = calloc(p->nodes, sizeof *p->received);
    if (!p->sm || !p->slice || !p->sent || !p->received)
        return ws_fail(WS_EMEM, "out of memory");
    ws_machine_network_places(m, p->sm, p->slice);
    for (uint32_t i = 0; i < p->sms; i++) {
        const double weight = spread && spread->sm ? spread->sm[i] : 1;
        p->sent[p->sm[i]] += weight;
        p->sent_all += weight;
    }
    for (uint32_t i = 0; i < p->slices; i++) {
        const double weight = spread && spread->slice ? spread->slice[i] : 1;
        p->received[p->slice[i]] += weight;
        p->received_all += weight;
    }
    return p->sent_all > 0 && p->received_all > 0 ? WS_OK : ws_fail(WS_EINPUT, "network: no node sends anything");
}

static uint32_t flits_of(const ws_machine *m, unsigned direction, uint32_t bytes)
{
    const uint32_t width = m->shape.network[direction].flit_bytes;
    return (bytes + width - 1) / width;
}

int ws_noc_machine_flows(const ws_machine *m, unsigned direction, const ws_noc_messages *messages, size_t count,
                         const ws_noc_spread *spread, ws_noc_flow **flow, size_t *flows, double *network)
{
    places p;
    int status = find_places(m, spread, &p);
    *flows = 0;
    *network = 0;
    *flow = status ? NULL : malloc((size_t)p.nodes * p.nodes * count * sizeof **flow);
    if (!status && !*flow)
        status = ws_fail(WS_EMEM, "out of memory");
    for (uint32_t a = 0; a < p.nodes && !status; a++)
        for (uint32_t b = 0; b < p.nodes; b++) {
            const double share = p.sent[a] / p.sent_all * p.received[b] / p.received_all;
            if (a == b || share <= 0) /* no node has SMs and a slice but clusters */
                continue;
            *network += share;
            for (size_t i = 0; i < count; i++)
                (*flow)[(*flows)++] = (ws_noc_flow){.from = direction == WS_REQUESTS ? a : b,
                                                    .to = direction == WS_REQUESTS ? b : a,
                                                    .flits = flits_of(m, direction, messages[i].bytes),
                                                    .rate = share * messages[i].rate};
        }
    free_places(&p);
    return status;
}

uint32_t ws_noc_machine_bytes(const ws_machine *m, unsigned direction)
{
    const uint32_t header = ws_message_default_sizes.header_bytes;
    if (direction == WS_REQUESTS)
        return header;
    return (m->network_answer_header ? header : 0) + (ws_machine_has_protocol(m) ? m->l2_line : m->l2_sector);
}
