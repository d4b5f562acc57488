/* access_order.h - in which order do the SMs of a machine ask for what a log holds, if memory answered at once?
 *
 * Blocks go to SMs in turn, as many to one as fit, and then to whichever SM ends one. An SM issues one instruction a
 * cycle and lets its warps take turns, an access a turn; a warp that waits at a barrier has none. The SM whose clock is
 * behind goes next, so clocks stay together. This one order serves the profile and the functional replay. */
#ifndef WS_ACCESS_ORDER_H
#define WS_ACCESS_ORDER_H

#include "model/access_log.h"

typedef struct ws_access_order ws_access_order;

typedef struct ws_ordered_access {
    uint64_t line;     /* local memory has lines of its own, far above all others */
    uint64_t now;      /* the SM's clock; never falls */
    uint32_t sm, warp; /* the latter: where it is resident, below residents * warps_per_block */
    uint32_t mask;
    uint32_t cycles, slack; /* as in the log, since the warp's access before: all of an instruction have them */
    uint32_t phase;         /* grows at each barrier that the warp passed, and from block to block in its place */
    bool more;              /* its instruction has more accesses, else: */
    uint32_t next_before, next_cycles; /* instructions, cycles to what its warp does next */
    uint64_t clock;                    /* of its SM; `now` is the latest of all */
    uint64_t issued;                   /* when the SM had issued the instructions before it */
    bool released;                     /* a barrier lets its warps go, this one among them */
    uint32_t tag;                      /* equal for accesses of one instruction, different for the warp's next ones */
    uint8_t kind;                      /* WS_LOG_LOAD, STORE, ATOMIC, FENCE; see ws_access_order_give_all() */
    uint32_t update;                   /* ws_update_code of an update, once for all lanes of a line; 0: none */
    bool again;                        /* an update of lanes behind others, which that one stands for */
    bool poll;
    bool constant; /* is fetched, not a texture */
    bool wide;     /* a fence that is of a wider scope than its block */
} ws_ordered_access;

/* The log must outlive the order. `residents` blocks fit into an SM. WS_EMEM. */
int ws_access_order_create(const ws_access_log *log, uint32_t sms, uint32_t residents, uint64_t start,
                           ws_access_order **out);
/* The same with CTAs at given SMs: sm[blocks of the log], each below `sms`; an SM takes its own as they stand in the
 * grid. It is borrowed for as long as the order lives. */
int ws_access_order_create_placed(const ws_access_log *log, uint32_t sms, uint32_t residents, uint64_t start,
                                  const uint32_t *sm, ws_access_order **out);
void ws_access_order_destroy(ws_access_order *order); /* accepts NULL */

/* Return the number of SMs of such an order that get a CTA, the first ones, and the most CTAs that one of them has at a
 * time. At least 1. */
uint32_t ws_access_order_cores(const ws_access_log *log, uint32_t sms);
uint32_t ws_access_order_residents(const ws_access_log *log, uint32_t sms, uint32_t residents);

/* Gives what is fetched, too, and barriers at which warps arrive: kinds WS_LOG_FETCH, WS_LOG_BARRIER (without a line).
 */
void ws_access_order_give_all(ws_access_order *order);

/* The next access; false when there is none. */
bool ws_access_order_next(ws_access_order *order, ws_ordered_access *out);

/* The access just given was refused: its warp tries again, not before `until`. */
void ws_access_order_wait(ws_access_order *order, uint64_t until);

/* The warp of the access just given does nothing before `from`; then it takes its SM for the instructions before its
 * next access, while others wait, and comes to that not before `ready`. 0: when its instructions are issued. */
void ws_access_order_sleep(ws_access_order *order, uint64_t from, uint64_t ready);

/* So do the warps which the barrier just given lets go; each has its own cycles to its next access. */
void ws_access_order_resume(ws_access_order *order, uint64_t from);

/* A warp that was told to do nothing does nothing before `until` instead. */
void ws_access_order_wake(ws_access_order *order, uint32_t sm, uint32_t number, uint64_t until);

/* The clock of the SM that goes next. */
uint64_t ws_access_order_turn(const ws_access_order *order);

/* The latest of the SMs' clocks. */
uint64_t ws_access_order_now(const ws_access_order *order);

#endif
