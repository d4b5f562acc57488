/* noc_mwsr.c - a crossbar of light in which a token for each reader says who writes.
 *
 * A token goes around in passes from its reader to its reader: each lasts `loop` when nobody takes it, and flits +
 * convert + flight + flight when somebody does, who is the only one of that pass. With each node's clock set back by
 * the light's way to it, that is a queue with one server and vacations of a loop (M/G/1: Fuhrmann and Cooper,
 * Stochastic Decompositions in the M/G/1 Queue with Generalized Vacations, 1985), or polling with one packet a pass
 * (Takagi, Queuing Analysis of Polling Models, 1988). A packet that is first in its source's queue waits
 *
 *     for the rest of the pass, rate x pass^2 / 2 of passes that carry, (1 - rate x pass) x (loop - 1) / 2 of those
 * that do not: idle, half a loop, less half of the cycle in which the token may come at once; then for others that are
 * first in their queues for the same reader,
 *
 * each sum without its own source, which has one packet in front (noc_front.c). Sources are kept meanwhile, so what
 * waits behind, for other readers too, is in `queue`.
 *
 * rounds: who has sent lets the token pass until it has gone around untaken. That takes the pass itself, the passes of
 * those who wait and of those who come meanwhile (a busy period of rate x pass), and an idle pass, which is begun again
 * when one who has not sent comes in it: exp(rate x loop) tries. A source finds its own token so when its next packet
 * is for the same reader, at once (its queue was not empty: all of that time), or later (half of it, as often as it
 * sends). Then it competes with the others who waited for rounds: half of them are before it in what is left of its own
 * round, half in the new one. Those who come have only the others before them that have not sent. Without rounds the
 * time is that of the pass alone.
 *
 * packets: those of the same queue that wait when one is sent go with it, and pay for their flits alone.
 *
 * A window that reaches behind packets to all readers makes a queue for each of them; a source lets tokens pass while
 * it sends. Idle exact to the cycle. Sources: Poisson, or geometric batches. Units: cycles. Holds for window = 1, for
 * windows as large as a source has readers, and for passes that find room: nodes that take what arrives. */
#include "model/noc/noc_internal.h"

#include "base/status.h"

#include <math.h>

/* Of its time a token that is always wanted carries, where the rest is divided by. */
static const double FULL = 0.98;

/* What goes on at the reader of a pair, without the pair's source. */
typedef struct others {
    double rate, busy, rest; /* packets; passes that carry; rests of these that one who comes finds */
    double work, late; /* passes that wait: of those who go before one who comes, of those who wait for a new round */
    double fresh;      /* share of the rate that has not sent in this round */
} others;

static others others_of(const noc_front *f, const noc_pair *p)
{
    const noc_end *const d = &f->destination[p->to];
    others o = {.rate = fmax(0, d->rate - p->rate),
                .busy = fmin(1, d->busy - p->rate * p->held),
                .rest = (d->busy2 - p->rate * p->held2) / 2,
                .work = d->work - p->rate * p->ahead * p->held};
    if (f->problem->carried) /* a token carries no more, whatever is offered */
        o.rate = fmin(o.rate, 1 / p->held);
    o.late = d->waiting - p->rate * p->wait * p->held - o.work;
    o.fresh = o.rate > 0 ? fmax(0, 1 - (d->sent - p->rate * p->rate * p->away) / o.rate) : 1;
    return o;
}

/* Cycles from the start of a packet until its source may take the token again. */
static double away(const ws_noc_shape *s, const noc_pair *p, const others *o)
{
    if (!s->rounds)
        return p->held;
    const double rate = o->rate * o->fresh, rest = 1 - fmin(FULL, o->busy * o->fresh);
    const double comers =
        rate > 0 ? rate * s->loop / (1 - exp(-rate * s->loop)) : 1; /* in a pass that somebody comes in */
    return (p->held + o->work) / rest + s->loop + (exp(rate * s->loop) - 1) * (s->loop + comers * p->held / rest);
}

/* Share of packets that become first in their queue when the one before them has been sent: all of a batch but its
 * first, and those who find others. */
static double follow(const noc_end *source)
{
    return 1 - (1 - source->use) * 2 / (source->dispersion + 1);
}

/* Of the packets a share follows another one with its token. */
static void set_held(noc_pair *p, double together)
{
    p->held = p->flits + (1 - together) * p->way;
    p->held2 = p->flits2 + (1 - together) * (2 * p->flits + p->way) * p->way;
}

/* Tokens come by while a source with several queues sends to another reader: a pass more, as often as it does. */
static double let_pass(const noc_front *f, const noc_pair *p)
{
    const bool queues = f->sources != f->problem->shape->nodes;
    const double sends = queues ? fmin(FULL, fmax(0, f->node[p->from].busy - p->rate * p->flits)) : 0;
    return sends / (1 - sends) * f->problem->shape->loop;
}

static noc_pair wait(const noc_front *f, const noc_pair *p)
{
    const ws_noc_shape *const s = f->problem->shape;
    const noc_end *const source = &f->source[p->queue];
    noc_pair next = *p;
    if (p->from == p->to)
        return next; /* is no light, needs no token */
    const others o = others_of(f, p);
    const double idle = (s->loop - 1) / 2, base = o.rest + (1 - o.busy) * idle + o.work;
    next.away = away(s, p, &o);
    const double own = fmax(0, next.away - p->flits); /* of its own round, when it has sent */
    const double at_once = follow(source) * p->offered / source->rate, later = (1 - at_once) * fmin(1, p->rate * own);
    const double free = 1 - at_once - later, jam = base - idle;
    const double together = fmin(at_once, 1 - 1 / fmax(1, s->packets)), again = at_once - together;
    set_held(&next, together);
    next.wait = free * base + again * own + later * own / 2 + (again + later) * o.late;
    next.ahead = s->rounds ? free * base : next.wait;
    next.wait += let_pass(f, p);
    /* The part of the token's way is uniform, that of others as if exponential. */
    next.wait2 = free * (s->loop * s->loop / 12 + base * base + jam * jam) + again * own * own + later * own * own / 3;
    return next;
}

static void describe(noc_front *f)
{
    const ws_noc_shape *const s = f->problem->shape;
    f->wait = wait;
    for (size_t i = 0; i < f->pairs; i++) {
        noc_pair *const p = &f->pair[i];
        if (p->from == p->to)
            continue;
        p->way = s->convert + noc_flight(s, p->from, p->to) + noc_flight(s, p->to, p->from);
        set_held(p, 0);
    }
}

int ws_noc_solve_mwsr(ws_noc_problem *problem)
{
    noc_front f;
    const int status = noc_front_create(problem, true, &f);
    if (status)
        return status;
    describe(&f);
    problem->saturated = !noc_front_solve(&f);
    for (uint32_t n = 0; n < problem->shape->nodes; n++)
        problem->busiest = fmax(problem->busiest, f.destination[n].busy);
    noc_front_light(&f, problem, f.destination);
    noc_front_destroy(&f);
    return WS_OK;
}
