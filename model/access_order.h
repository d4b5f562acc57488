/* access_order.h - order in which the SMs of a machine make the accesses of a log, with memory that answers at once.
 *
 * Blocks are assigned to SMs in turn, as many as fit, and later to the first SM that ends one. An SM issues one
 * instruction a cycle and serves its warps in turn, one access a turn; a warp at a barrier gets no turn. The SM whose
 * clock is behind runs next, so clocks stay together. The profile and the functional replay share this order. */
#ifndef WS_ACCESS_ORDER_H
#define WS_ACCESS_ORDER_H

#include "model/access_log.h"

typedef struct ws_access_order ws_access_order;

typedef struct ws_ordered_access {
    uint64_t line;     /* lines of local memory are separate and far above all others */
    uint64_t now;      /* the SM's clock; never falls */
    uint32_t sm, warp; /* warp: its resident slot, below residents * warps_per_block */
    uint32_t mask;
    uint32_t cycles, slack; /* as in the log, since the warp's previous access; the same for all of an instruction */
    uint32_t phase;         /* grows at each barrier that the warp passes, and at each new block in its slot */
    bool more;              /* its instruction has more accesses; otherwise: */
    uint32_t next_before, next_cycles; /* instructions and cycles to the warp's next entry */
    uint64_t clock;                    /* of its SM; `now` is the latest clock of all SMs */
    uint64_t issued;                   /* when the SM had issued the preceding instructions */
    bool released;                     /* a barrier releases its warps, including this one */
    uint32_t tag;                      /* equal for accesses of one instruction, different for the warp's next ones */
    uint8_t kind;                      /* WS_LOG_LOAD, STORE, ATOMIC, FENCE; see ws_access_order_give_all() */
    uint32_t update;                   /* ws_update_code of an update, once for all lanes of a line; 0: none */
    bool again;                        /* update of lanes that an earlier entry represents (WS_LOG_AGAIN) */
    bool poll;
    bool constant; /* the fetch is of a constant, not of a texture */
    bool wide;     /* fence of a wider scope than its block */
} ws_ordered_access;

/* Creates an order of a log, which must outlive it. `residents` is the blocks that fit into an SM. WS_EMEM. */
int ws_access_order_create(const ws_access_log *log, uint32_t sms, uint32_t residents, uint64_t start,
                           ws_access_order **out);
/* Like ws_access_order_create(), with each block assigned to an SM: sm[blocks of the log], each below `sms`. An SM runs
 * its blocks in grid order. `sm` is borrowed for the life of the order. */
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

/* Delivers the next access; returns false after the last. */
bool ws_access_order_next(ws_access_order *order, ws_ordered_access *out);

/* Refuses the last access: its warp retries it at `until` or later. */
void ws_access_order_wait(ws_access_order *order, uint64_t until);

/* Puts the warp of the last access to sleep until `from`. The warp then uses its SM for the instructions before its
 * next access, while other warps wait, and makes that access at `ready` or later. 0: when these are issued. */
void ws_access_order_sleep(ws_access_order *order, uint64_t from, uint64_t ready);

/* Puts the warps that the last barrier released to sleep until `from`; each has its own cycles to its next access. */
void ws_access_order_resume(ws_access_order *order, uint64_t from);

/* Changes the end of a warp's sleep to `until`. */
void ws_access_order_wake(ws_access_order *order, uint32_t sm, uint32_t number, uint64_t until);

/* Returns the clock of the SM that runs next. */
uint64_t ws_access_order_turn(const ws_access_order *order);

/* Returns the latest clock of all SMs. */
uint64_t ws_access_order_now(const ws_access_order *order);

#endif
