/* noc_measured.c - see noc_measured.h. */
#include "model/sim/noc_measured.h"

#include "base/status.h"
#include "model/sim/noc_machine.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 8, SIZES = 2 }; /* frames of one load; sizes of a source's packets, around their mean */

typedef struct measure {
    const ws_network *net;
    uint32_t nodes;
    uint64_t cycles; /* of a frame */
    size_t frames;
    const char *kind;
    ws_noc_shape shape;
    double gap; /* cycles between packets of a source that come one after the other */
    double dispersion;
    double *in, *out; /* [nodes]: bytes of a group */
    ws_noc_flow *flow;
} measure;

static double bytes_of(const measure *m, uint32_t node, bool in, size_t from, size_t upto)
{
    double bytes = 0;
    for (size_t f = from; f < upto; f++)
        for (uint32_t kind = 0; kind < WS_NETWORK_KINDS; kind++)
            bytes += (double)ws_network_frame_bytes(m->net, node, kind, in, f);
    return bytes;
}

static double whole(const measure *m, uint32_t node)
{
    return bytes_of(m, node, true, 0, m->frames);
}

/* Variance over mean of a source's packets in frames, about the mean of their group; over all sources. */
static double dispersion_of(const measure *m)
{
    double squares = 0, packets = 0;
    for (uint32_t n = 0; n < m->nodes; n++) {
        const double all = whole(m, n), each = all > 0 ? (double)ws_network_node_totals(m->net, n)->packets_in / all : 0;
        for (size_t g = 0; g < m->frames && each > 0; g += GROUP) {
            const size_t upto = g + GROUP < m->frames ? g + GROUP : m->frames;
            const double mean = bytes_of(m, n, true, g, upto) / (double)(upto - g);
            for (size_t f = g; f < upto && upto - g > 1; f++) {
                const double apart = (bytes_of(m, n, true, f, f + 1) - mean) * each;
                squares += apart * apart * (double)(upto - g) / (double)(upto - g - 1);
                packets += bytes_of(m, n, true, f, f + 1) * each;
            }
        }
    }
    return packets > 0 ? fmax(1, squares / packets) : 1;
}

/* Packets of `rate` to a node, of two sizes whose mean is that of the source. */
static size_t add_flows(const measure *m, size_t flows, uint32_t from, uint32_t to, double rate)
{
    const ws_network_node *const n = ws_network_node_totals(m->net, from);
    const double mean = (double)n->flits_in / (double)n->packets_in, more = mean - floor(mean);
    m->flow[flows++] = (ws_noc_flow){from, to, (uint32_t)mean, rate * (1 - more)};
    if (more > 0)
        m->flow[flows++] = (ws_noc_flow){from, to, (uint32_t)mean + 1, rate * more};
    return flows;
}

/* The load of a group of frames; its packets a cycle. */
static size_t load_of(const measure *m, size_t from, size_t upto, double *rate)
{
    const double cycles = (double)(m->cycles * (upto - from));
    double got = 0;
    size_t flows = 0;
    *rate = 0;
    for (uint32_t n = 0; n < m->nodes; n++) {
        m->in[n] = bytes_of(m, n, true, from, upto);
        m->out[n] = bytes_of(m, n, false, from, upto);
        got += m->out[n];
    }
    for (uint32_t a = 0; a < m->nodes; a++)
        for (uint32_t b = 0; b < m->nodes && m->in[a] > 0; b++) {
            if (a == b || m->out[b] <= 0 || got <= m->out[a])
                continue;
            const double packets = m->in[a] / whole(m, a) * (double)ws_network_node_totals(m->net, a)->packets_in / cycles;
            const double r = packets * m->out[b] / (got - m->out[a]);
            *rate += r;
            flows = add_flows(m, flows, a, b, r);
        }
    return flows;
}

/* Sums, weighted by packets. */
typedef struct sums {
    double packets, beyond, latency, idle, busiest;
} sums;

static int add_group(const measure *m, size_t from, size_t upto, sums *s)
{
    double rate;
    ws_noc_result loaded, idle;
    const ws_noc_traffic t = {.flow = m->flow, .flows = load_of(m, from, upto, &rate), .dispersion = m->dispersion, .gap = m->gap};
    if (rate <= 0)
        return WS_OK;
    int status = ws_noc_solve(m->kind, &m->shape, &t, NULL, &loaded);
    if (!status)
        status = ws_noc_idle(m->kind, &m->shape, &t, &idle);
    if (status)
        return status;
    const double packets = rate * (double)(upto - from);
    if (isinf(loaded.latency)) {
        s->beyond += packets;
        return WS_OK;
    }
    s->packets += packets;
    s->latency += packets * loaded.latency;
    s->idle += packets * idle.latency;
    s->busiest += packets * loaded.busiest;
    return WS_OK;
}

static int run(measure *m, ws_noc_measured *out)
{
    const ws_network_totals t = ws_network_sum(m->net);
    sums s = {.packets = 0};
    int status = WS_OK;
    m->dispersion = dispersion_of(m);
    for (size_t g = 0; g < m->frames && !status; g += GROUP)
        status = add_group(m, g, g + GROUP < m->frames ? g + GROUP : m->frames, &s);
    *out = (ws_noc_measured){.simulated = (double)t.latency_sum / (double)t.packets_out,
                             .predicted = s.latency / s.packets,
                             .idle = s.idle / s.packets,
                             .busiest = s.busiest / s.packets,
                             .dispersion = m->dispersion,
                             .beyond = s.beyond / (s.packets + s.beyond),
                             .packets = t.packets_out};
    return status;
}

int ws_noc_measure(const ws_machine *machine, unsigned direction, const ws_network *net, ws_noc_measured *out)
{
    measure m = {.net = net, .nodes = ws_network_nodes(net), .cycles = ws_network_frame_cycles(net), .frames = ws_network_frames(net)};
    if (!ws_network_sum(net).packets_out)
        return ws_fail(WS_EINPUT, "the network carried nothing");
    int status = ws_noc_machine_shape(machine, direction, &m.kind, &m.shape);
    if (status)
        return status;
    m.gap = (double)machine->chip_network_clock / (direction ? machine->chip_l2_clock : machine->chip_core_clock);
    m.in = calloc(m.nodes, sizeof *m.in);
    m.out = calloc(m.nodes, sizeof *m.out);
    m.flow = calloc((size_t)m.nodes * m.nodes * SIZES, sizeof *m.flow);
    status = m.in && m.out && m.flow ? run(&m, out) : ws_fail(WS_EMEM, "out of memory");
    free(m.in);
    free(m.out);
    free(m.flow);
    return status;
}
