/* noc_machine.c - see noc_machine.h. */
#include "model/machine/noc_machine.h"

#include "base/status.h"
#include "model/coherence/coherence.h"
#include "model/machine/machine.h"
#include "model/sim/network/network.h"
#include "model/machine/network_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REQUEST = 0, MOST_OPTIONS = 64 };

/* How many frames of statistics it keeps is no matter here, but much memory. */
int ws_noc_machine_network(const ws_machine *m, unsigned direction, ws_network **out)
{
    const ws_network_kind *const kind = ws_machine_network_kind(m, direction);
    ws_given list[MOST_OPTIONS];
    size_t count = 0;
    const ws_option *const tables[] = {ws_network_common_options, kind->options};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const ws_option *o = tables[t]; o->name && count < MOST_OPTIONS; o++)
            if (strcmp(o->name, "frames") != 0)
                list[count++] =
                    (ws_given){.name = o->name, .value = ws_machine_network_option(m, direction, tables[t], o->name)};
    return ws_network_create(kind->name, ws_machine_nodes(m), list, count, out);
}

static uint64_t option(const ws_machine *m, unsigned direction, const char *name)
{
    const ws_option *const own = ws_machine_network_kind(m, direction)->options;
    return ws_option_find(own, name) ? ws_machine_network_option(m, direction, own, name) : 0;
}

static uint64_t common(const ws_machine *m, unsigned direction, const char *name)
{
    return ws_machine_network_option(m, direction, ws_network_common_options, name);
}

/* As model/sim/network/network_mesh.c has it: a head is routed, allocated twice, switched, and goes over the link; a
 * credit comes back over the link and counts later. */
static void describe_mesh(const ws_machine *m, unsigned d, ws_noc_shape *s)
{
    const double link = (double)option(m, d, "link_cycles"), through = (double)option(m, d, "switch_cycles");
    s->width = (uint32_t)option(m, d, "width");
    s->height = (uint32_t)option(m, d, "height");
    if (!s->width)
        s->width = (uint32_t)ceil(sqrt(s->nodes));
    if (!s->height)
        s->height = (s->nodes + s->width - 1) / s->width;
    s->vc_flits = (uint32_t)option(m, d, "vc_flits");
    s->router = (double)option(m, d, "route_cycles") + 2 + through + link;
    s->ends = link + 1;
    s->credit = through + 2 * link + (double)option(m, d, "credit_cycles") + 2;
}

int ws_noc_machine_shape(const ws_machine *m, unsigned direction, const char **kind, ws_noc_shape *out)
{
    ws_network *net; /* which knows best what its options must be */
    const int status = ws_noc_machine_network(m, direction, &net);
    const uint32_t room = net ? ws_network_room(net) : 0;
    ws_network_destroy(net);
    *kind = ws_machine_network_kind(m, direction)->name;
    *out = (ws_noc_shape){.nodes = ws_machine_nodes(m),
                          .ejection = room,
                          .window = (uint32_t)option(m, direction, "window"),
                          .latency = (double)option(m, direction, "latency"),
                          .speedup = (uint32_t)option(m, direction, "speedup"),
                          .loop = (double)option(m, direction, "loop"),
                          .convert = (double)option(m, direction, "convert"),
                          .packets = (uint32_t)option(m, direction, "packets"),
                          .rounds = option(m, direction, "rounds") != 0};
    if (ws_machine_network_kind(m, direction)->medium == WS_MEDIUM_GRID)
        describe_mesh(m, direction, out);
    return status;
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
    *p = (places){.sms = m->chip_sms, .slices = m->memory_channels * m->l2_slices, .nodes = ws_machine_nodes(m)};
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
    return p->sent_all > 0 && p->received_all > 0 ? WS_OK : ws_fail(WS_EINPUT, "network: nobody sends anything");
}

static uint32_t flits_of(const ws_machine *m, unsigned direction, uint32_t bytes)
{
    const uint32_t width = (uint32_t)common(m, direction, "flit_bytes");
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
                (*flow)[(*flows)++] = (ws_noc_flow){.from = direction == REQUEST ? a : b,
                                                    .to = direction == REQUEST ? b : a,
                                                    .flits = flits_of(m, direction, messages[i].bytes),
                                                    .rate = share * messages[i].rate};
        }
    free_places(&p);
    return status;
}

uint32_t ws_noc_machine_bytes(const ws_machine *m, unsigned direction)
{
    const uint32_t header = ws_message_default_sizes.header_bytes;
    return direction == REQUEST ? header : header + (ws_machine_has_protocol(m) ? m->l2_line : m->l2_sector);
}
