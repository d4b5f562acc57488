/* noc_bus.c - one medium for all: one queue, whoever sends.
 *
 * A packet keeps the bus for its flits and is there `latency` cycles after the last one went: sources take turns, which
 * does not change the mean wait as no turn looks at sizes (Kleinrock, Queueing Systems II, 1976, section 3.4: the
 * conservation law). What a packet waits for others of its own source is its queue, the rest its turn. Broadcasts are
 * one packet here. Units: cycles. Holds up to the bus's own flit a cycle. */
#include "model/noc/noc_internal.h"

#include "base/status.h"

#include <math.h>

/* So near to its flit a cycle a bus is full. */
static const double FULL = 0.98;

static double share_of(const ws_noc_problem *p, double flits)
{
    const double share = p->carried ? fmin(1, FULL / flits) : 1;
    for (uint32_t n = 0; p->carried && n < p->shape->nodes; n++)
        p->carried[n] = share;
    return share;
}

int ws_noc_solve_bus(ws_noc_problem *p)
{
    const ws_noc_traffic *const t = p->traffic;
    double rate = 0, flits = 0, square = 0;
    for (size_t i = 0; i < t->flows; i++) {
        rate += t->flow[i].rate;
        flits += t->flow[i].rate * t->flow[i].flits;
        square += t->flow[i].rate * t->flow[i].flits * t->flow[i].flits;
    }
    const double goes = share_of(p, flits);
    const noc_queue q = {rate * goes, flits / rate, square / rate, t->dispersion};
    const double wait = noc_queue_wait(&q);
    p->busiest = p->utilization = flits * goes;
    p->saturated = !isfinite(wait);
    for (size_t i = 0; i < t->flows; i++)
        p->each[i] = (ws_noc_time){.queue = goes < 1 ? INFINITY : 0,
                                   .token = wait,
                                   .serialization = t->flow[i].flits - 1.0,
                                   .flight = p->shape->latency};
    return WS_OK;
}
