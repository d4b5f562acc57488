/* noc_internal.h - what a closed form of a network writes, and what several of them need: queues, and packets that are
 * first in one. */
#ifndef WS_NOC_INTERNAL_H
#define WS_NOC_INTERNAL_H

#include "model/noc/noc.h"

typedef struct ws_noc_problem {
    const ws_noc_shape *shape;
    const ws_noc_traffic *traffic;
    /* What the form says: */
    ws_noc_time *each; /* [flows] */
    double *carried; /* [nodes]: share of each source's load that the network carries; NULL: all, unless `saturated` */
    double busiest, utilization; /* as in ws_noc_result */
    bool saturated;              /* the load is too much; `each` is not looked at */
} ws_noc_problem;

#define FORM(name, summary) int ws_noc_solve_##name(ws_noc_problem *problem);
#include "model/noc/noc_forms.def"
#undef FORM

/* --- A queue --- */

/* Customers a cycle; mean and mean square of the cycles for which each keeps the server; dispersion of arrivals. */
typedef struct noc_queue {
    double rate, service, square, dispersion;
} noc_queue;

/* Mean wait before service, infinite when there is too much to do. Source: the workload of a queue in slotted time,
 * E[U] = E[w (w - 1)] / (2 (1 - rho)), w the work that comes in a slot (Bruneel and Kim, Discrete-Time Models for
 * Communication Systems Including ATM, 1993, chapter 1); with Poisson arrivals it is the formula of Pollaczek and
 * Khinchin. */
double noc_queue_wait(const noc_queue *q);

/* Share of the customers who wait that find `servers` busy: Erlang C for `load` = rate times service, below `servers`.
 */
double noc_erlang_c(double load, uint32_t servers);

/* Mean wait in front of several servers: that of M/M/c, times (1 + c^2) / 2 for services of coefficient of variation c
 * (Lee and Longton, Queueing processes associated with airline passenger check-in, 1959). Infinite for too much load,
 * or with `full` long. */
double noc_servers_wait(double rate, double service, double square, uint32_t servers, bool full);

/* --- Packets that are first in their source's queue, and wait for their destination --- */

/* All packets from a node to a node. */
typedef struct noc_pair {
    uint32_t from, to;
    size_t queue;               /* that it waits in: one of the front's sources */
    double rate, flits, flits2; /* packets a cycle; mean and mean square of their flits */
    double offered;             /* packets a cycle that come: more than `rate` where not all are carried */
    double held,
        held2;  /* mean and mean square of the cycles that the way to `to` is kept by such a packet: the form's */
    double way; /* mwsr: of that, the part that packets of one grab share */
    double wait, wait2; /* first in the queue before it may go, mean and mean square: solved for */
    double ahead; /* of the wait, the part in which it goes before others that come: the form's, between 0 and wait */
    double away;  /* mwsr: cycles from a packet's start until its source may take the token again */
} noc_pair;

/* Sums over pairs. */
typedef struct noc_end {
    double rate, flits;
    double busy, busy2; /* rate times held, times its square */
    double work;        /* rate times ahead times held: what waits at any time and goes before who comes */
    double waiting;     /* rate times wait times held: all that waits */
    double sent;        /* rate times the share of time in which the source has just sent there: rate times away */
    double queue;       /* of a source: wait in its queue */
    double use;         /* of a source: share of the time in which a packet is first in its queue */
    double dispersion;  /* of a source: of what comes */
    double admitted;    /* of a source: share of what comes that it can send; 1 but where less is carried */
} noc_end;

typedef struct noc_front {
    const ws_noc_problem *problem;
    noc_pair *pair;
    size_t pairs;
    size_t *pair_of; /* [flows] */
    noc_end *source; /* [sources]: queues, of nodes or of pairs */
    size_t sources;
    noc_end *node, *destination; /* [nodes]; of a node what it sends: rate, flits, and as busy, the share of cycles in
                                    which another of its queues is before one that asks */
    /* The form's: the pair with another wait, wait2, ahead and away, from those of the others and the sums. */
    noc_pair (*wait)(const struct noc_front *front, const noc_pair *pair);
} noc_front;

/* Pairs and sums of the problem's flows; `queues`: where a source's window reaches behind packets to all its
 * destinations, each pair has a queue of its own. The form then fills in `held` and `held2`, and solves. WS_EMEM. */
int noc_front_create(const ws_noc_problem *problem, bool queues, noc_front *front);
/* Iterates waits of pairs and uses of sources; false when there is no end to it: the load is too much. */
bool noc_front_solve(noc_front *front);
void noc_front_destroy(noc_front *front);

/* --- Light --- */

/* Cycles of the light from a node to another. */
double noc_flight(const ws_noc_shape *shape, uint32_t from, uint32_t to);
/* Times of the problem's flows when pairs are solved, and how far channels are used: those of sources, or of
 * destinations. What a node sends to itself is no light. */
void noc_front_light(const noc_front *front, ws_noc_problem *problem, const noc_end *channel);

#endif
