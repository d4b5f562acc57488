/* noc_crossbar.c - queues of inputs whose first packets compete for outputs.
 *
 * An output keeps a packet for its flits. A first packet waits for the rest of the one that has the output, and for the
 * first packets of other inputs that were there before it: M/G/1, without what is its own input's. With uniform packets
 * of one flit to many outputs, queues are full at 2 - sqrt 2 of what outputs could carry (Karol, Hluchyj, Morgan, Input
 * Versus Output Queueing on a Space-Division Packet Switch, 1987), from which this form comes out near. With `speedup`
 * ports an output keeps inputs waiting as several servers do, and its link, which carries a flit a cycle, makes up the
 * rest of the wait of one server. Units: cycles. Holds for nodes that take what arrives; a window is an approximation
 * (noc_front.c). */
#include "model/noc/noc_internal.h"

#include "base/status.h"

#include <math.h>

static double at_link(const noc_front *f, const noc_pair *p)
{
    const noc_end *const d = &f->destination[p->to];
    const noc_queue q = {d->rate, d->rate > 0 ? d->busy / d->rate : 0, d->rate > 0 ? d->busy2 / d->rate : 0, 1};
    const double wait = noc_queue_wait(&q);
    return f->problem->carried && isinf(wait) ? 0 : fmax(0, wait - p->wait);
}

static noc_pair wait(const noc_front *f, const noc_pair *p)
{
    const noc_end *const d = &f->destination[p->to];
    const double rate = d->rate - p->rate, busy = d->busy - p->rate * p->held, busy2 = d->busy2 - p->rate * p->held2;
    noc_pair next = *p;
    if (f->problem->shape->speedup == 1)
        next.wait = busy2 / 2 + d->work - p->rate * p->ahead * p->held;
    else
        next.wait = rate > 0 && busy > 0 ? noc_servers_wait(rate, busy / rate, busy2 / rate, f->problem->shape->speedup,
                                                            f->problem->carried != NULL)
                                         : 0;
    next.ahead = next.wait;
    next.wait2 = 2 * next.wait * next.wait; /* as if exponential */
    return next;
}

static void use_channels(const noc_front *f, ws_noc_problem *problem)
{
    double used = 0;
    for (uint32_t n = 0; n < problem->shape->nodes; n++) {
        const double out = f->destination[n].flits;
        problem->busiest = fmax(problem->busiest, fmax(out, f->source[n].flits));
        problem->utilization += out;
        used += out > 0;
        problem->saturated = problem->saturated || (out >= 1 && !problem->carried);
    }
    problem->utilization /= used;
}

int ws_noc_solve_crossbar(ws_noc_problem *problem)
{
    noc_front f;
    const int status = noc_front_create(problem, false, &f);
    if (status)
        return status;
    f.wait = wait;
    for (size_t i = 0; i < f.pairs; i++) {
        f.pair[i].held = f.pair[i].flits;
        f.pair[i].held2 = f.pair[i].flits2;
    }
    problem->saturated = !noc_front_solve(&f);
    use_channels(&f, problem);
    for (size_t i = 0; i < problem->traffic->flows; i++) {
        const noc_pair *const p = &f.pair[f.pair_of[i]];
        problem->each[i] = (ws_noc_time){.queue = f.source[p->from].queue,
                                         .token = p->wait + (problem->shape->speedup > 1 ? at_link(&f, p) : 0),
                                         .serialization = problem->traffic->flow[i].flits - 1.0,
                                         .flight = problem->shape->latency};
    }
    noc_front_destroy(&f);
    return WS_OK;
}
