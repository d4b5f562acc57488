/* network_traffic.h - an open-loop load for a network: every node creates packets at random and waits for none.
 *
 * Dally and Towles, Principles and Practices of Interconnection Networks (2004), chapter 23: queues at the sources are
 * endless, latency counts from the creation of a packet; after a warm-up, packets created during the measurement are
 * marked, and the run goes on, under load, until they have all arrived. */
#ifndef WS_TEST_NETWORK_TRAFFIC_H
#define WS_TEST_NETWORK_TRAFFIC_H

#include "model/sim/network/network.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

typedef struct traffic {
    uint32_t nodes;
    double rate;                        /* packets a node creates per cycle */
    uint32_t bytes;                     /* of a packet */
    uint64_t warm_up, measure, give_up; /* cycles */
    unsigned long seed;
    uint32_t (*destination)(gsl_rng *rng, uint32_t nodes, uint32_t source);
} traffic;

typedef struct traffic_result {
    double latency, accepted; /* cycles; packets per node and cycle during the measurement */
    double mean_inside;       /* packets between creation and delivery, mean over the measurement */
    uint64_t moves, cycles;   /* flits over channels, cycles, in the whole run */
    int drained;              /* all marked packets arrived before `give_up` */
} traffic_result;

static inline uint32_t uniform_destination(gsl_rng *rng, uint32_t nodes, uint32_t source)
{
    (void)source;
    return (uint32_t)gsl_rng_uniform_int(rng, nodes);
}

typedef struct traffic_packet {
    uint64_t created;
    uint32_t destination;
} traffic_packet;

typedef struct traffic_queue {
    traffic_packet *packets;
    size_t first, end, room;
} traffic_queue;

static inline void traffic_push(traffic_queue *q, traffic_packet packet)
{
    if (q->end == q->room) {
        q->room = q->room ? q->room * 2 : 64;
        q->packets = realloc(q->packets, q->room * sizeof *q->packets);
        if (!q->packets)
            abort();
    }
    q->packets[q->end++] = packet;
}

/* Injects what waits at a node as far as there is room. */
static inline void traffic_inject(ws_network *net, traffic_queue *q, uint32_t node, uint32_t bytes)
{
    while (q->first < q->end) {
        const ws_packet packet = {.tag = q->packets[q->first].created,
                                  .source = node,
                                  .destination = q->packets[q->first].destination,
                                  .bytes = bytes};
        if (!ws_network_inject(net, &packet))
            return;
        q->first++;
    }
    q->first = q->end = 0;
}

static inline traffic_result run_traffic(ws_network *net, const traffic *load)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, load->seed);
    traffic_queue *const queues = calloc(load->nodes, sizeof *queues);
    const uint64_t from = load->warm_up, to = load->warm_up + load->measure;
    uint64_t created = 0, arrived = 0, latency = 0, accepted = 0, inside = 0, inside_sum = 0, now = 0;
    while (now < to || (arrived < created && now < load->give_up)) {
        for (uint32_t n = 0; n < load->nodes; n++) {
            if (gsl_rng_uniform(rng) < load->rate) {
                traffic_push(&queues[n], (traffic_packet){now, load->destination(rng, load->nodes, n)});
                created += now >= from && now < to;
                inside++;
            }
            traffic_inject(net, &queues[n], n, load->bytes);
        }
        inside_sum += now >= from && now < to ? inside : 0;
        ws_network_step(net, ++now);
        for (uint32_t n = 0; n < load->nodes; n++) {
            ws_packet packet;
            while (ws_network_eject(net, n, &packet)) {
                inside--;
                accepted += now > from && now <= to;
                if (packet.tag >= from && packet.tag < to) {
                    arrived++;
                    latency += packet.delivered - packet.tag;
                }
            }
        }
    }
    for (uint32_t n = 0; n < load->nodes; n++)
        free(queues[n].packets);
    free(queues);
    gsl_rng_free(rng);
    return (traffic_result){.latency = arrived ? (double)latency / (double)arrived : 0,
                            .accepted = (double)accepted / (double)load->measure / load->nodes,
                            .mean_inside = (double)inside_sum / (double)load->measure,
                            .moves = ws_network_sum(net).flit_moves,
                            .cycles = now,
                            .drained = arrived == created};
}

#endif
