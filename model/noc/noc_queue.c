/* noc_queue.c - one queue: noc_internal.h has the formulas' sources. */
#include "model/noc/noc_internal.h"

#include <math.h>

/* Load of servers that are all busy: where customers wait until they come more slowly, the wait is found that this
 * takes. */
static const double FULL = 0.995;

double noc_queue_wait(const noc_queue *q)
{
    const double load = q->rate * q->service;
    if (q->rate <= 0 || q->service <= 0)
        return 0;
    if (load >= 1)
        return INFINITY;
    const double variance = q->square - q->service * q->service;
    const double work =
        q->rate * variance + q->service * q->service * q->dispersion * q->rate; /* variance of what comes in a slot */
    const double ahead = (work + load * load - load) / (2 * (1 - load));
    const double beside = q->service * (q->dispersion + q->rate - 1) / 2; /* of the same slot */
    return fmax(0, ahead + beside);
}

double noc_erlang_c(double load, uint32_t servers)
{
    double blocked = 1; /* Erlang B, by its recursion */
    for (uint32_t n = 1; n <= servers; n++)
        blocked = load * blocked / (n + load * blocked);
    return blocked / (1 - load / servers * (1 - blocked));
}

double noc_servers_wait(double rate, double service, double square, uint32_t servers, bool full)
{
    double load = rate * service;
    if (load <= 0)
        return 0;
    if (full)
        load = fmin(load, FULL * servers);
    if (load >= servers)
        return INFINITY;
    return noc_erlang_c(load, servers) * service / (servers - load) * square / (2 * service * service);
}
