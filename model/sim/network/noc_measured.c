/* noc_measured.c - see noc_measured.h. */
#include "model/sim/network/noc_measured.h"

#include "base/status.h"
#include "model/machine/network_rows.h"
#include "model/machine/noc_machine.h"
#include "model/sim/network/traffic.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 8, MOST_AFTER = 4096 }; /* frames that say where packets go; frames until all is drained */
/* Messages of reads have one size, others are taken as two sizes around their mean. */
enum { READS, OTHERS, CLASSES, SIZES = CLASSES + 1 };
static const double NONE = 1e-6; /* packets that are as good as none */

typedef struct measure {
    const ws_network *net;
    uint32_t nodes;
    size_t frames;
    double cycles; /* of a frame */
    const char *kind;
    ws_noc_shape shape;
    uint32_t read_flits;
    double (*packets)[CLASSES]; /* [nodes]: of a byte that the source sends */
    double *flits;              /* [nodes]: of a packet that is no read's, on average */
    double (*offer)[CLASSES];   /* [nodes]: packets a cycle */
    double *to;                 /* [nodes]: bytes that a group of frames brought there */
    double (*backlog)[CLASSES]; /* [nodes]: packets that wait in front of the source's queue */
    double *carried;            /* [nodes] */
    ws_noc_flow *flow;
    ws_noc_time *each;
    double sent, time, idle, waited; /* packets; cycles of these */
} measure;

static double kind_bytes(const measure *m, uint32_t node, bool in, size_t from, size_t upto, uint32_t kind)
{
    double bytes = 0;
    for (size_t f = from; f < upto && f < m->frames; f++)
        bytes += (double)ws_network_frame_bytes(m->net, node, kind, in, f);
    return bytes;
}

static int class_of(uint32_t kind)
{
    static const bool reads[WS_NETWORK_KINDS] = {[WS_TRAFFIC_global_read] = true, [WS_TRAFFIC_local_read] = true};
    return reads[kind] ? READS : OTHERS;
}

static double class_bytes(const measure *m, uint32_t node, size_t from, size_t upto, int class)
{
    double bytes = 0;
    for (uint32_t kind = 0; kind < WS_NETWORK_KINDS; kind++)
        bytes += class_of(kind) == class ? kind_bytes(m, node, true, from, upto, kind) : 0;
    return bytes;
}

/* Packets of `rate` to a node. */
static size_t add_flow(const measure *m, size_t flows, uint32_t from, uint32_t to, double share)
{
    const double *const rate = m->offer[from], mean = m->flits[from], more = mean - floor(mean);
    if (rate[READS] > 0)
        m->flow[flows++] = (ws_noc_flow){from, to, m->read_flits, share * rate[READS]};
    if (rate[OTHERS] > 0)
        m->flow[flows++] = (ws_noc_flow){from, to, (uint32_t)mean, share * rate[OTHERS] * (1 - more)};
    if (rate[OTHERS] > 0 && more > 0)
        m->flow[flows++] = (ws_noc_flow){from, to, (uint32_t)mean + 1, share * rate[OTHERS] * more};
    return flows;
}

/* Flows of what sources offer, to where bytes go; their number. */
static size_t add_flows(const measure *m)
{
    double all = 0;
    size_t flows = 0;
    for (uint32_t n = 0; n < m->nodes; n++)
        all += m->to[n];
    for (uint32_t a = 0; a < m->nodes; a++)
        for (uint32_t b = 0; b < m->nodes; b++)
            if (a != b && m->to[b] > 0)
                flows = add_flow(m, flows, a, b, m->to[b] / (all - m->to[a]));
    return flows;
}

static void find_destinations(const measure *m, size_t from, size_t upto)
{
    for (uint32_t n = 0; n < m->nodes; n++) {
        m->to[n] = 0;
        for (uint32_t kind = 0; kind < WS_NETWORK_KINDS; kind++)
            m->to[n] += kind_bytes(m, n, false, from, upto, kind);
    }
}

/* A queue of a stationary load, but no more than what comes together in a frame: of a queue at its limit that was
 * empty, 2/3 sqrt(2 t s / pi), t the frame, s a service (reflected Brownian motion: Kleinrock, Queueing Systems II,
 * 1976, section 2.8). Backlog from before comes besides. */
static double queue_within(const measure *m, const ws_noc_time *t)
{
    const double service = t->token + t->serialization + 1;
    return fmin(t->queue, 2.0 / 3 * sqrt(2 * m->cycles * service / M_PI));
}

static double time_of(const measure *m, const ws_noc_traffic *t)
{
    double time = 0, goes = 0;
    for (size_t i = 0; i < t->flows; i++) {
        ws_noc_time one = m->each[i];
        const double rate = t->flow[i].rate * m->carried[t->flow[i].from];
        one.queue = queue_within(m, &one);
        time += rate * ws_noc_sum(&one);
        goes += rate;
    }
    return time / goes;
}

/* What went in the frame took its time; what did not waits, on average half of the frame longer than it waited before.
 */
static void add_times(measure *m, double latency, double idle)
{
    double goes = 0;
    for (uint32_t n = 0; n < m->nodes; n++)
        for (int c = 0; c < CLASSES; c++) {
            const double before = m->backlog[n][c], packets = m->offer[n][c] * m->cycles;
            m->backlog[n][c] = packets * (1 - m->carried[n]);
            m->waited += (before + m->backlog[n][c]) / 2 * m->cycles;
            goes += packets * m->carried[n];
        }
    m->sent += goes;
    m->time += goes * latency;
    m->idle += goes * idle;
}

/* A frame in which so many bytes came in, besides what waits from before; *any: there was something. */
static int run_frame(measure *m, size_t frame, bool *any)
{
    ws_noc_result loaded = {.latency = INFINITY}, idle = {.latency = 0};
    double offered = 0;
    for (uint32_t n = 0; n < m->nodes; n++)
        for (int c = 0; c < CLASSES; c++) {
            const double came = class_bytes(m, n, frame, frame + 1, c) * m->packets[n][c] + m->backlog[n][c];
            m->offer[n][c] = came > NONE ? came / m->cycles : 0;
            offered += m->offer[n][c];
        }
    const ws_noc_traffic t = {.flow = m->flow, .flows = add_flows(m), .dispersion = 1};
    *any = offered > 0 && t.flows;
    if (!*any)
        return WS_OK;
    int status = ws_noc_carry(m->kind, &m->shape, &t, m->carried, m->each, &loaded);
    if (!status)
        status = ws_noc_idle(m->kind, &m->shape, &t, &idle);
    if (!status && isinf(loaded.latency))
        status = ws_fail(WS_EINPUT, "network %s: no end to a load of %g packets a cycle", m->kind, offered);
    if (!status)
        add_times(m, time_of(m, &t), idle.latency);
    return status;
}

static int run_frames(measure *m)
{
    int status = WS_OK;
    bool any = true;
    for (size_t f = 0; f < m->frames && !status; f++) {
        if (f % GROUP == 0)
            find_destinations(m, f, f + GROUP);
        status = run_frame(m, f, &any);
    }
    find_destinations(m, 0, m->frames); /* what is left goes to where anything went, until all is drained */
    for (size_t f = 0; f < MOST_AFTER && any && !status; f++)
        status = run_frame(m, m->frames, &any);
    return status;
}

/* Packets and flits of reads are known from their bytes; the rest of what the source sent is the others'. */
static void know_source(const measure *m, uint32_t n, uint32_t read_bytes)
{
    const ws_network_node *const node = ws_network_node_totals(m->net, n);
    const double reads = class_bytes(m, n, 0, m->frames, READS) / read_bytes,
                 bytes = class_bytes(m, n, 0, m->frames, OTHERS);
    const double others = (double)node->packets_in - reads;
    m->packets[n][READS] = 1.0 / read_bytes;
    m->packets[n][OTHERS] = bytes > 0 ? others / bytes : 0;
    m->flits[n] = bytes > 0 && others > 0 ? fmax(1, ((double)node->flits_in - reads * m->read_flits) / others) : 1;
}

static int prepare(measure *m, uint32_t read_bytes, uint32_t flit_bytes)
{
    m->read_flits = (read_bytes + flit_bytes - 1) / flit_bytes;
    const size_t flows = (size_t)m->nodes * m->nodes * SIZES;
    m->packets = calloc(m->nodes, sizeof *m->packets);
    m->offer = calloc(m->nodes, sizeof *m->offer);
    m->to = calloc(m->nodes, sizeof *m->to);
    m->backlog = calloc(m->nodes, sizeof *m->backlog);
    m->flits = calloc(m->nodes, sizeof *m->flits);
    m->carried = calloc(m->nodes, sizeof *m->carried);
    m->flow = calloc(flows, sizeof *m->flow);
    m->each = calloc(flows, sizeof *m->each);
    if (!m->packets || !m->offer || !m->to || !m->backlog || !m->flits || !m->carried || !m->flow || !m->each)
        return ws_fail(WS_EMEM, "out of memory");
    for (uint32_t n = 0; n < m->nodes; n++)
        know_source(m, n, read_bytes);
    return WS_OK;
}

static void free_measure(measure *m)
{
    free(m->packets);
    free(m->offer);
    free(m->to);
    free(m->backlog);
    free(m->flits);
    free(m->carried);
    free(m->flow);
    free(m->each);
}

/* Cycles in which anything was sent. */
static double busy_cycles(const measure *m)
{
    double cycles = 0;
    for (size_t f = 0; f < m->frames; f++) {
        double bytes = 0;
        for (uint32_t n = 0; n < m->nodes; n++)
            bytes += class_bytes(m, n, f, f + 1, READS) + class_bytes(m, n, f, f + 1, OTHERS);
        cycles += bytes > 0 ? m->cycles : 0;
    }
    return cycles;
}

/* Flows of the whole run as if spread over `cycles`. */
static size_t whole_load(const measure *m, double cycles)
{
    find_destinations(m, 0, m->frames);
    for (uint32_t n = 0; n < m->nodes; n++)
        for (int c = 0; c < CLASSES; c++)
            m->offer[n][c] = class_bytes(m, n, 0, m->frames, c) * m->packets[n][c] / cycles;
    return add_flows(m);
}

static int find_busiest(const measure *m, double *busiest)
{
    const ws_noc_traffic t = {.flow = m->flow, .flows = whole_load(m, busy_cycles(m)), .dispersion = 1};
    double times = 1;
    const int status = ws_noc_saturation(m->kind, &m->shape, &t, &times);
    *busiest = 1 / times;
    return status;
}

/* How many frames of statistics it keeps is no matter here, but much memory. */
int ws_noc_machine_network(const ws_machine *machine, unsigned direction, ws_network **out)
{
    ws_network_plan plan = machine->shape.network[direction];
    plan.common[WS_NETWORK_common_frames] = ws_network_common_options[WS_NETWORK_common_frames].fallback;
    return ws_network_make(&plan, out);
}

static uint32_t flit_bytes(const ws_machine *machine, unsigned direction)
{
    return machine->shape.network[direction].flit_bytes;
}

static measure measure_of(const ws_network *net)
{
    return (measure){.net = net,
                     .nodes = ws_network_nodes(net),
                     .frames = ws_network_frames(net),
                     .cycles = (double)ws_network_frame_cycles(net)};
}

int ws_noc_measure(const ws_machine *machine, unsigned direction, const ws_network *net, ws_noc_measured *out)
{
    const ws_network_totals t = ws_network_sum(net);
    measure m = measure_of(net);
    double busiest = 0;
    if (!t.packets_out)
        return ws_fail(WS_EINPUT, "the network carried nothing");
    m.kind = machine->shape.network[direction].kind->name;
    m.shape = ws_noc_machine_shape(machine, direction);
    int status = prepare(&m, ws_noc_machine_bytes(machine, direction), flit_bytes(machine, direction));
    if (!status)
        status = find_busiest(&m, &busiest);
    if (!status)
        status = run_frames(&m);
    *out = (ws_noc_measured){.simulated = (double)t.latency_sum / (double)t.packets_out,
                             .predicted = (m.time + m.waited) / m.sent,
                             .idle = m.idle / m.sent,
                             .busiest = busiest,
                             .backlog = m.waited / m.sent,
                             .packets = t.packets_out};
    free_measure(&m);
    return status;
}

int ws_noc_measured_flows(const ws_machine *machine, unsigned direction, const ws_network *net, ws_noc_flow **flow,
                          size_t *flows)
{
    measure m = measure_of(net);
    const int status = prepare(&m, ws_noc_machine_bytes(machine, direction), flit_bytes(machine, direction));
    *flow = NULL;
    *flows = 0;
    if (!status) {
        *flows = whole_load(&m, (double)ws_network_now(net));
        *flow = m.flow;
        m.flow = NULL;
    }
    free_measure(&m);
    return status;
}
