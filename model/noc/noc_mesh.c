/* noc_mesh.c - a mesh of routers with virtual channels, dimension order.
 *
 * Each channel along a packet's way, those out of the last router included, is a queue of what routes over it. A packet
 * waits there only for what comes from other inputs of the router, for what came over the same input came one flit
 * after the other (output queues of N inputs wait (N - 1) / N of M/D/1: Karol, Hluchyj, Morgan, 1987; for routers so
 * split by input: Kiasari, Lu, Jantsch, An Analytical Latency Model for Networks-on-Chip, 2013). Virtual channels take
 * turns flit by flit, so packets share the channel as a processor does that is shared (Kleinrock, Queueing Systems II,
 * 1976, section 4.4): one of f flits waits (f - 1/2) x load of others / (1 - load), which for one flit is M/D/1. That
 * they do not block each other's channels but by load is what virtual channels are for (Dally, Virtual-Channel Flow
 * Control, 1992). The source's queue is M/G/1, in front of a channel of a flit a cycle, or of vc_flits a round of
 * credits where that is less.
 *
 * One iteration of the allocators leaves channels between routers idle while others want them: SHARE of a flit a cycle
 * is what they carry. It is the one number that is fitted, at the saturation of 64 nodes with uniform packets of one
 * flit (0.416 flits a cycle and node of the 0.486 that channels of a flit a cycle had); all other patterns, sizes and
 * meshes of docs/noc.md are predictions. Units: cycles. Holds for packets of up to about vc_flits, Poisson; contention
 * of bursts between routers is not in it. */
#include "model/noc/noc_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL, EAST, WEST, NORTH, SOUTH, PORTS };

static const double SHARE = 0.86;
/* A channel that carries this part of what it can is full. */
static const double FULL = 0.95;

/* A channel out of a router: flits a cycle in all, and of each input. */
typedef struct channel {
    double flits, from[PORTS];
} channel;

typedef struct mesh {
    const ws_noc_shape *shape;
    channel *out;          /* [routers][PORTS] */
    double *wait;          /* [nodes]: in the source's queue */
    const double *carried; /* [nodes]: part of what sources offer that goes; NULL: all */
    noc_queue *into;       /* [nodes]: rate, rate times flits, rate times their square */
} mesh;

static int opposite(int port)
{
    return port == EAST ? WEST : port == WEST ? EAST : port == NORTH ? SOUTH : port == SOUTH ? NORTH : LOCAL;
}

static int port_to(const mesh *m, uint32_t at, uint32_t to)
{
    const uint32_t x = at % m->shape->width, to_x = to % m->shape->width;
    if (x != to_x)
        return to_x > x ? EAST : WEST;
    return to == at ? LOCAL : to > at ? SOUTH : NORTH;
}

static uint32_t neighbour(const mesh *m, uint32_t at, int port)
{
    return port == EAST ? at + 1 : port == WEST ? at - 1 : port == NORTH ? at - m->shape->width : at + m->shape->width;
}

/* What a channel out of a router carries at most: out of the network, whom it grants takes it. */
static double share_of(int port)
{
    return port == LOCAL ? 1 : SHARE;
}

/* A channel on the way of a flow, the input that it comes from, what the channel carries at most. */
typedef void visit(channel *out, int in, double share, const ws_noc_flow *flow,
                   double *sum); /* `sum`: rates times that, or a sum */

/* Goes along the way; returns the routers on it. */
static unsigned walk(const mesh *m, const ws_noc_flow *flow, visit *see, double *sum)
{
    uint32_t at = flow->from;
    unsigned routers = 1;
    int in = LOCAL;
    for (int port; (port = port_to(m, at, flow->to)) != LOCAL; routers++) {
        see(&m->out[at * PORTS + (uint32_t)port], in, share_of(port), flow, sum);
        at = neighbour(m, at, port);
        in = opposite(port);
    }
    see(&m->out[at * PORTS + LOCAL], in, share_of(LOCAL), flow, sum);
    return routers;
}

static void load(channel *out, int in, double share, const ws_noc_flow *flow, double *sum)
{
    (void)share;
    out->flits += *sum * flow->rate * flow->flits;
    out->from[in] += *sum * flow->rate * flow->flits;
}

static void contend(channel *out, int in, double share, const ws_noc_flow *flow, double *sum)
{
    *sum += (out->flits - out->from[in]) * (flow->flits - 0.5) / (1 - out->flits / share);
}

/* The fullest channel on the way. */
static void find_fullest(channel *out, int in, double share, const ws_noc_flow *flow, double *sum)
{
    (void)in, (void)flow;
    *sum = fmax(*sum, out->flits / share);
}

/* Flits a cycle that a packet's one virtual channel takes. */
static double source_speed(const ws_noc_shape *s)
{
    return fmin(1, s->vc_flits / s->credit);
}

static void add_sources(const mesh *m, const ws_noc_traffic *t)
{
    for (size_t i = 0; i < t->flows; i++) {
        noc_queue *const q = &m->into[t->flow[i].from];
        const double cycles = t->flow[i].flits / source_speed(m->shape);
        q->rate += t->flow[i].rate;
        q->service += t->flow[i].rate * cycles;
        q->square += t->flow[i].rate * cycles * cycles;
    }
}

static void wait_at_sources(const mesh *m, double dispersion)
{
    for (uint32_t n = 0; n < m->shape->nodes; n++) {
        const noc_queue *const q = &m->into[n];
        const noc_queue one = {q->rate, q->rate > 0 ? q->service / q->rate : 0, q->rate > 0 ? q->square / q->rate : 0,
                               dispersion};
        m->wait[n] = noc_queue_wait(&one);
    }
}

static void use_channels(const mesh *m, ws_noc_problem *p)
{
    double used = 0;
    for (uint32_t c = 0; c < m->shape->width * m->shape->height * PORTS; c++) {
        const double flits = m->out[c].flits;
        p->busiest = fmax(p->busiest, flits / share_of(c % PORTS));
        p->utilization += flits;
        used += flits > 0;
    }
    for (uint32_t n = 0; n < m->shape->nodes; n++)
        p->busiest = fmax(p->busiest, m->into[n].service * (m->carried ? m->carried[n] : 1));
    p->utilization /= used;
    p->saturated = p->busiest >= 1;
}

static void load_channels(const mesh *m, const ws_noc_traffic *t)
{
    memset(m->out, 0, (size_t)m->shape->width * m->shape->height * PORTS * sizeof *m->out);
    for (size_t i = 0; i < t->flows; i++) {
        double times = m->carried ? m->carried[t->flow[i].from] : 1;
        walk(m, &t->flow[i], load, &times);
    }
}

/* Of a source as much goes as the fullest channel on any of its ways lets. */
static void find_carried(const mesh *m, const ws_noc_traffic *t, double *carried)
{
    double *const fullest = m->wait; /* not known yet */
    for (uint32_t n = 0; n < m->shape->nodes; n++) {
        carried[n] = fmin(1, FULL / m->into[n].service);
        fullest[n] = 0;
    }
    load_channels(m, t);
    for (size_t i = 0; i < t->flows; i++)
        if (t->flow[i].rate > 0)
            walk(m, &t->flow[i], find_fullest, &fullest[t->flow[i].from]);
    for (uint32_t n = 0; n < m->shape->nodes; n++)
        carried[n] *= fullest[n] > FULL ? FULL / fullest[n] : 1;
    load_channels(m, t);
}

static void solve(mesh *m, ws_noc_problem *p)
{
    const ws_noc_traffic *const t = p->traffic;
    add_sources(m, t);
    if (p->carried) {
        m->carried = p->carried;
        find_carried(m, t, p->carried);
    } else {
        load_channels(m, t);
    }
    wait_at_sources(m, t->dispersion);
    use_channels(m, p);
    for (size_t i = 0; i < t->flows && !p->saturated; i++) {
        double sum = 0;
        const bool backs_up = p->carried && p->carried[t->flow[i].from] < 1;
        const unsigned routers = walk(m, &t->flow[i], contend, &sum);
        p->each[i] = (ws_noc_time){.queue = backs_up ? INFINITY : m->wait[t->flow[i].from],
                                   .token = sum,
                                   .serialization = (t->flow[i].flits - 1) / source_speed(p->shape),
                                   .flight = routers * p->shape->router + p->shape->ends};
    }
}

int ws_noc_solve_mesh(ws_noc_problem *p)
{
    const ws_noc_shape *const s = p->shape;
    mesh m = {.shape = s,
              .out = calloc((size_t)s->width * s->height * PORTS, sizeof *m.out),
              .wait = calloc(s->nodes, sizeof *m.wait),
              .into = calloc(s->nodes, sizeof *m.into)};
    const int status = m.out && m.wait && m.into ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        solve(&m, p);
    free(m.out);
    free(m.wait);
    free(m.into);
    return status;
}
