/* noc_front.c - sources with a queue each, whose first packet waits for its destination while those behind it wait for
 * their turn.
 *
 * The wait of a first packet depends on how many others are first in their queues for the same destination, and that on
 * how long they wait. Solved by going round until nothing changes, as in mean value analysis (Reiser and Lavenberg,
 * Mean-Value Analysis of Closed Multichain Queuing Networks, 1980): who comes finds what others have waiting on
 * average, without what is its own source's, for a source has one packet in front. */
#include "model/noc/noc_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 400, HOPELESS = 8 }; /* the latter: rounds in a row in which a source has too much to do */
static const double STEP = 0.5,
                    ENOUGH = 1e-6; /* part of the way that a round goes; change of waits, in cycles, that ends it */
/* Of flits: what two queues of a source ask for in one cycle each may get. A half, were tokens anywhere; fitted to one
 * source that sends to 15 readers. */
static const double TIE = 0.15;
static const double SETTLES = 0.9, LEAST_STEP = 0.02;

static int by_ends(const void *a, const void *b)
{
    const noc_pair *const x = a, *const y = b;
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->from > y->from) - (x->from < y->from);
}

static noc_pair *find(const noc_front *f, const ws_noc_flow *flow)
{
    const noc_pair key = {.from = flow->from, .to = flow->to};
    return bsearch(&key, f->pair, f->pairs, sizeof *f->pair, by_ends);
}

static void merge_pairs(noc_front *f, const ws_noc_traffic *t)
{
    for (size_t i = 0; i < t->flows; i++)
        f->pair[i] = (noc_pair){.from = t->flow[i].from, .to = t->flow[i].to};
    qsort(f->pair, t->flows, sizeof *f->pair, by_ends);
    for (size_t i = 0; i < t->flows; i++)
        if (!f->pairs || by_ends(&f->pair[f->pairs - 1], &f->pair[i]))
            f->pair[f->pairs++] = f->pair[i];
    for (size_t i = 0; i < t->flows; i++) {
        const ws_noc_flow *const flow = &t->flow[i];
        noc_pair *const p = find(f, flow);
        f->pair_of[i] = (size_t)(p - f->pair);
        p->rate += flow->rate;
        p->flits += flow->rate * flow->flits;
        p->flits2 += flow->rate * flow->flits * flow->flits;
    }
}

/* Does a source's window reach behind packets to all its destinations, as if each had a queue? */
static bool window_is_all(const noc_front *f)
{
    const ws_noc_shape *const s = f->problem->shape;
    bool all = s->window > 1;
    for (uint32_t n = 0; n < s->nodes && all; n++) {
        uint32_t destinations = 0;
        for (size_t i = 0; i < f->pairs; i++)
            destinations += f->pair[i].from == n;
        all = destinations <= s->window;
    }
    return all;
}

/* A queue of a source for all, or one for each destination: of a pair. */
static int place_queues(noc_front *f, bool queues)
{
    f->sources = queues ? f->pairs : f->problem->shape->nodes;
    f->source = calloc(f->sources, sizeof *f->source);
    for (size_t i = 0; f->source && i < f->pairs; i++) {
        noc_pair *const p = &f->pair[i];
        p->queue = queues ? i : p->from;
        f->node[p->from].rate += p->rate;
        f->node[p->from].flits += p->flits;
        f->source[p->queue].rate += p->rate;
        f->source[p->queue].flits += p->flits;
    }
    for (size_t i = 0; f->source && i < f->pairs; i++) {
        noc_end *const e = &f->source[f->pair[i].queue];
        const double share =
            e->rate > 0 ? e->rate / f->node[f->pair[i].from].rate : 1; /* batches of a source spread over its queues */
        e->dispersion = 1 + (f->problem->traffic->dispersion - 1) * share;
    }
    return f->source ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

int noc_front_create(const ws_noc_problem *problem, bool queues, noc_front *f)
{
    const ws_noc_traffic *const t = problem->traffic;
    const uint32_t nodes = problem->shape->nodes;
    *f = (noc_front){.problem = problem};
    f->pair = calloc(t->flows, sizeof *f->pair);
    f->pair_of = calloc(t->flows, sizeof *f->pair_of);
    f->node = calloc(nodes, sizeof *f->node);
    f->destination = calloc(nodes, sizeof *f->destination);
    if (!f->pair || !f->pair_of || !f->node || !f->destination) {
        noc_front_destroy(f);
        return ws_fail(WS_EMEM, "out of memory");
    }
    merge_pairs(f, t);
    if (place_queues(f, queues && window_is_all(f))) {
        noc_front_destroy(f);
        return WS_EMEM;
    }
    for (size_t i = 0; i < f->pairs; i++) {
        noc_pair *const p = &f->pair[i];
        f->destination[p->to].rate += p->rate;
        f->destination[p->to].flits += p->flits;
        p->offered = p->rate;
        p->flits = p->rate > 0 ? p->flits / p->rate : 1;
        p->flits2 = p->rate > 0 ? p->flits2 / p->rate : 1;
    }
    return WS_OK;
}

void noc_front_destroy(noc_front *f)
{
    free(f->pair);
    free(f->pair_of);
    free(f->source);
    free(f->node);
    free(f->destination);
}

static void sum_destinations(noc_front *f)
{
    for (uint32_t n = 0; n < f->problem->shape->nodes; n++) {
        f->destination[n] = (noc_end){.flits = f->destination[n].flits};
        f->node[n].busy = 0;
    }
    for (size_t i = 0; i < f->pairs; i++) {
        noc_pair *const p = &f->pair[i];
        noc_end *const d = &f->destination[p->to];
        p->rate = p->offered * f->source[p->queue].admitted;
        f->node[p->from].busy += p->rate * (p->flits - TIE);
        d->rate += p->rate;
        d->busy += p->rate * p->held;
        d->busy2 += p->rate * p->held2;
        d->work += p->rate * p->ahead * p->held;
        d->waiting += p->rate * p->wait * p->held;
        d->sent += p->rate * p->rate * p->away;
    }
}

/* Queue and use of each source by the waits so far; false when one has more to do than it can. With a window, those
 * behind the first go past it while it waits, so its wait keeps the others less: an approximation. A source that is
 * asked what is carried sends no more than it can. */
static bool sum_sources(noc_front *f)
{
    bool fits = true;
    const ws_noc_shape *const s = f->problem->shape;
    const double window = s->window && f->sources == s->nodes ? s->window : 1;
    for (size_t n = 0; n < f->sources; n++)
        f->source[n].busy = f->source[n].busy2 = 0;
    for (size_t i = 0; i < f->pairs; i++) {
        const noc_pair *const p = &f->pair[i];
        const double wait = p->wait / window, wait2 = p->wait2 / (window * window);
        f->source[p->queue].busy += p->offered * (wait + p->flits);
        f->source[p->queue].busy2 += p->offered * (wait2 + 2 * wait * p->flits + p->flits2);
    }
    for (size_t n = 0; n < f->sources; n++) {
        noc_end *const e = &f->source[n];
        const noc_queue q = {e->rate, e->rate > 0 ? e->busy / e->rate : 0, e->rate > 0 ? e->busy2 / e->rate : 0,
                             e->dispersion};
        e->use = fmin(1, e->busy);
        e->admitted = f->problem->carried && e->busy > 1 ? 1 / e->busy : 1;
        e->queue = noc_queue_wait(&q);
        fits = fits && isfinite(e->queue);
    }
    return fits;
}

/* Of a node, over its queues. */
static void tell_carried(const noc_front *f)
{
    double *const carried = f->problem->carried;
    for (uint32_t n = 0; n < f->problem->shape->nodes; n++)
        carried[n] = f->node[n].rate > 0 ? 0 : 1;
    for (size_t i = 0; i < f->pairs; i++) {
        const noc_pair *const p = &f->pair[i];
        if (f->node[p->from].rate > 0)
            carried[p->from] += f->source[p->queue].admitted * p->offered / f->node[p->from].rate;
    }
}

bool noc_front_solve(noc_front *f)
{
    bool fits = true;
    int hopeless = 0;
    double change = INFINITY, before = INFINITY, step = STEP;
    for (size_t n = 0; n < f->sources; n++)
        f->source[n].admitted = f->problem->carried && f->source[n].flits > 1 ? 1 / f->source[n].flits
                                                                              : 1; /* a flit a cycle at the very most */
    for (int round = 0; round < ROUNDS && change > ENOUGH; round++) {
        sum_destinations(f);
        fits = sum_sources(f);
        hopeless = fits ? 0 : hopeless + 1;
        if (hopeless == HOPELESS && !f->problem->carried)
            return false;
        before = change;
        change = 0;
        for (size_t i = 0; i < f->pairs; i++) {
            noc_pair *const p = &f->pair[i];
            const noc_pair next = f->wait(f, p);
            if (!isfinite(next.wait))
                return false;
            change = fmax(change, fabs(next.wait - p->wait));
            p->wait += step * (next.wait - p->wait);
            p->wait2 += step * (next.wait2 - p->wait2);
            p->ahead += step * (next.ahead - p->ahead);
            p->held += step * (next.held - p->held);
            p->held2 += step * (next.held2 - p->held2);
            p->away += step * (next.away - p->away);
        }
        if (f->problem->carried && change > SETTLES * before) /* what is full swings: shorter steps */
            step = fmax(LEAST_STEP, step * SETTLES);
    }
    if (f->problem->carried)
        tell_carried(f);
    return (fits || f->problem->carried) && isfinite(change);
}
