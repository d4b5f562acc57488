/* noc_swmr.c - a crossbar of light in which each source has a channel of its own.
 *
 * A source sends its packets one after the other, M/G/1 (Pollaczek and Khinchin), and asks nobody. A packet takes one
 * of the places at its destination from when it begins to move until it was taken there, flits + convert + flight +
 * convert cycles later: when all are taken, the first packet waits as in front of so many servers, and those behind it,
 * too. Idle exact to the cycle. Units: cycles. Holds for nodes that take what arrives. */
#include "model/noc/noc_internal.h"

#include "base/status.h"

#include <math.h>

static noc_pair wait(const noc_front *f, const noc_pair *p)
{
    const noc_end *const d = &f->destination[p->to];
    noc_pair next = *p;
    next.wait = next.ahead = d->rate > 0 ? noc_servers_wait(d->rate, d->busy / d->rate, d->busy2 / d->rate,
                                                            f->problem->shape->ejection, f->problem->carried != NULL)
                                         : 0;
    next.wait2 = 2 * next.wait * next.wait; /* as if exponential */
    return next;
}

static void describe(noc_front *f)
{
    const ws_noc_shape *const s = f->problem->shape;
    f->wait = wait;
    for (size_t i = 0; i < f->pairs; i++) {
        noc_pair *const p = &f->pair[i];
        const double way = p->from == p->to ? 1 : 2 * s->convert + noc_flight(s, p->from, p->to);
        p->held = p->flits + way;
        p->held2 = p->flits2 + 2 * p->flits * way + way * way;
    }
}

int ws_noc_solve_swmr(ws_noc_problem *problem)
{
    noc_front f;
    const int status = noc_front_create(problem, false, &f);
    if (status)
        return status;
    describe(&f);
    problem->saturated = !noc_front_solve(&f);
    for (uint32_t n = 0; n < problem->shape->nodes; n++)
        problem->busiest =
            fmax(problem->busiest, fmax(f.source[n].flits, f.destination[n].busy / problem->shape->ejection));
    noc_front_light(&f, problem, f.source);
    noc_front_destroy(&f);
    return WS_OK;
}
