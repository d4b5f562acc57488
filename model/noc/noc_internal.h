/* noc_internal.h - output of a network's closed form, and shared parts: queues, and packets at the front of a queue. */
#ifndef WS_NOC_INTERNAL_H
#define WS_NOC_INTERNAL_H

#include "model/noc/noc.h"

typedef struct ws_noc_problem {
    const ws_noc_shape *shape;
    const ws_noc_traffic *traffic;
    /* Output of the form: */
    ws_noc_time *each; /* [flows] */
    double *carried; /* [nodes]: share of each source's load that the network carries; NULL: all, unless `saturated` */
    double busiest, utilization; /* as in ws_noc_result */
    bool saturated;              /* the load exceeds the capacity; `each` is ignored */
} ws_noc_problem;

#define FORM(name, summary) int ws_noc_solve_##name(ws_noc_problem *problem);
#include "model/noc/noc_forms.def"
#undef FORM

/* --- Queue --- */

/* Customers per cycle; mean and mean square of their service cycles; dispersion of arrivals. */
typedef struct noc_queue {
    double rate, service, square, dispersion;
} noc_queue;

/* Returns the mean wait before service; infinite above capacity. Source: the workload of a queue in slotted time, E[U]
 * = E[w (w - 1)] / (2 (1 - rho)), with w the work that arrives in a slot (Bruneel and Kim, Discrete-Time Models for
 * Communication Systems Including ATM, 1993, chapter 1); with Poisson arrivals it is the Pollaczek-Khinchin formula. */
double noc_queue_wait(const noc_queue *q);

/* Returns the share of customers that find all `servers` busy: Erlang C for `load` = rate times service, below
 * `servers`. */
double noc_erlang_c(double load, uint32_t servers);

/* Returns the mean wait for several servers: that of M/M/c, times (1 + c^2) / 2 for services of coefficient of
 * variation c (Lee and Longton, Queueing processes associated with airline passenger check-in, 1959). Infinite above
 * capacity, finite but long with `full`. */
double noc_servers_wait(double rate, double service, double square, uint32_t servers, bool full);

/* --- Packets at the front of their source's queue that wait for their destination --- */

/* All packets between two nodes. */
typedef struct noc_pair {
    uint32_t from, to;
    size_t queue;               /* its queue: one of the front's sources */
    double rate, flits, flits2; /* packets per cycle; mean and mean square of their flits */
    double offered;             /* packets that arrive per cycle: more than `rate` if not all are carried */
    double held,
        held2;  /* mean and mean square of the cycles that such a packet occupies the path to `to`: set by the form */
    double way; /* mwsr: the part shared by packets of one token hold */
    double wait, wait2; /* wait at the front of the queue, mean and mean square: solved for */
    double ahead;       /* part of the wait with priority over later arrivals: set by the form, between 0 and wait */
    double away;        /* mwsr: cycles from a packet's start until its source may take the token again */
} noc_pair;

/* Sums over pairs. */
typedef struct noc_end {
    double rate, flits;
    double busy, busy2; /* rate times held; rate times its square */
    double work;        /* rate times ahead times held: mean waiting work with priority over an arrival */
    double waiting;     /* rate times wait times held: all waiting work */
    double sent;        /* rate times the share of time in which the source has just sent there: rate times away */
    double queue;       /* of a source: wait in its queue */
    double use;         /* of a source: share of time with a packet at the front of its queue */
    double dispersion;  /* of a source: of its arrivals */
    double admitted;    /* of a source: share of its arrivals that it can send; below 1 only if not all are carried */
} noc_end;

typedef struct noc_front {
    const ws_noc_problem *problem;
    noc_pair *pair;
    size_t pairs;
    size_t *pair_of; /* [flows] */
    noc_end *source; /* [sources]: queues, of nodes or of pairs */
    size_t sources;
    noc_end *node, *destination; /* [nodes]; of a node its sent load: rate, flits, and as busy the share of cycles in
                                    which another of its queues precedes one that arbitrates */
    /* Set by the form: returns the pair with new wait, wait2, ahead and away, from those of the others and the sums. */
    noc_pair (*wait)(const struct noc_front *front, const noc_pair *pair);
} noc_front;

/* Creates the pairs and sums of the problem's flows. `queues`: a source's window covers packets to all its
 * destinations, so each pair has a queue. The form sets `held` and `held2` before it solves. WS_EMEM. */
int noc_front_create(const ws_noc_problem *problem, bool queues, noc_front *front);
/* Iterates the waits of pairs and the uses of sources. Returns false if they diverge: the load exceeds the capacity. */
bool noc_front_solve(noc_front *front);
void noc_front_destroy(noc_front *front);

/* --- Light --- */

/* Returns the cycles of the light between two nodes. */
double noc_flight(const ws_noc_shape *shape, uint32_t from, uint32_t to);
/* Stores the times of the problem's flows once pairs are solved, and the utilization of channels: those of sources, or
 * of destinations. Packets of a node to itself use no light. */
void noc_front_light(const noc_front *front, ws_noc_problem *problem, const noc_end *channel);

#endif
