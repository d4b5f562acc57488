/* noc_queue.c - one queue: noc_internal.h has the formulas' sources. */
#include "model/noc/noc_internal.h"

#include <math.h>

static double endless(const noc_queue *q, double load)
{
    const double variance = q->square - q->service * q->service;
    const double dispersion = 1 + (q->dispersion - 1) * fmax(0, 1 - q->gap / q->service);
    const double work = q->rate * variance + q->service * q->service * dispersion * q->rate; /* variance of what comes in a slot */
    const double ahead = (work + load * load - load) / (2 * (1 - load));
    const double beside = q->service * (dispersion + q->rate - 1) / 2; /* of the same slot */
    return fmax(0, ahead + beside);
}

/* Mean of a geometric distribution of ratio `part`, cut behind `most`; beyond a ratio of 1 the last are the likeliest. */
static double cut_geometric(double part, double most)
{
    if (fabs(part - 1) < 1e-6)
        return most / 2;
    const double full = pow(part, most);
    return isinf(full) ? most - part / (part - 1) : part / (1 - part) - most * full / (1 - full);
}

double noc_queue_wait(const noc_queue *q)
{
    const double load = q->rate * q->service;
    if (q->rate <= 0 || q->service <= 0)
        return 0;
    if (q->room <= 0)
        return load < 1 ? endless(q, load) : INFINITY;
    const double wait = load < 1 ? endless(q, load) : 0;
    return q->service * cut_geometric(load < 1 ? wait / (wait + q->service) : load, q->room);
}

double noc_erlang_c(double load, uint32_t servers)
{
    double blocked = 1; /* Erlang B, by its recursion */
    for (uint32_t n = 1; n <= servers; n++)
        blocked = load * blocked / (n + load * blocked);
    return blocked / (1 - load / servers * (1 - blocked));
}

double noc_servers_wait(double rate, double service, double square, uint32_t servers)
{
    const double load = rate * service;
    if (load <= 0)
        return 0;
    if (load >= servers)
        return INFINITY;
    return noc_erlang_c(load, servers) * service / (servers - load) * square / (2 * service * service);
}
