/* traffic_time.h - when would the warps of a launch make their accesses, if memory took time?
 *
 * The order of accesses stays that of access_order.h, in which memory takes none. Beside it each warp has clocks, one
 * for each way of waiting: leases of some length, with stores that wait or do not; logical time with stores that are
 * waited for or are not. A warp waits for what it loads where it needs it first, at barriers for the others of its
 * block, and it is never ahead of the instructions that its SM can issue. */
#ifndef WS_TRAFFIC_TIME_H
#define WS_TRAFFIC_TIME_H

#include "model/access_order.h"
#include "model/traffic_profile.h"

/* The clocks of a profile. */
enum {
    WS_TIME_WEAK = WS_CLOCK_WEAK,     /* a clock for each lease, stores do not wait */
    WS_TIME_STRONG = WS_CLOCK_STRONG, /* a clock for each lease, stores wait and are waited for */
    WS_TIME_RC = WS_CLOCK_RC,         /* logical time */
    WS_TIME_SC = WS_CLOCK_SC,         /* logical time, stores are waited for */
    WS_TIME_PLAIN = WS_CLOCK_PLAIN,   /* no leases */
    WS_TIME_FENCED = WS_CLOCK_FENCED, /* no leases, fences end copies */
    WS_TIME_BARE = WS_CLOCK_BARE,     /* no copies */
    WS_TIME_OWN = WS_CLOCK_OWN,       /* lines have owners, accesses are waited for */
    WS_TIMES = WS_PROFILE_CLOCKS
};

typedef struct ws_traffic_time ws_traffic_time;

/* Only the clocks from `first` to before `end` go; they start at `start`. `pace` is the one by which
 * the order puts warps to sleep. WS_EMEM. */
int ws_traffic_time_create(uint32_t sms, uint32_t residents, uint32_t warps_per_block, uint64_t start, unsigned first,
                           unsigned end, unsigned pace, ws_traffic_time **out);
void ws_traffic_time_destroy(ws_traffic_time *time); /* accepts NULL */

/* The warp comes to this access: when L1 takes it by each clock, [WS_TIMES], valid until the next call. L1 takes them
 * one after the other, and a load not before the warp's own stores to the line are done. */
const uint64_t *ws_traffic_time_begin(ws_traffic_time *time, const ws_ordered_access *a);

/* The warp comes to this barrier. The latest that warps of its block have come to, by the clock `pace`. */
uint64_t ws_traffic_time_arrive(ws_traffic_time *time, const ws_ordered_access *a);

/* The warp reads this line of a texture or constant. WS_EMEM. */
int ws_traffic_time_fetch(ws_traffic_time *time, const ws_ordered_access *a);
/* Lines of such a cache that were missing. */
uint64_t ws_traffic_time_missed(const ws_traffic_time *time, unsigned kind);

/* After its last access of an instruction: when will the warp be at its next access, by this clock, if it need not wait
 * for its turn? */
uint64_t ws_traffic_time_ready(const ws_traffic_time *time, const ws_ordered_access *a, unsigned clock);
/* And when will the warp start with the instructions before its next, by this clock? */
uint64_t ws_traffic_time_next(const ws_traffic_time *time, const ws_ordered_access *a, unsigned clock);

/* What it asked for with that access arrives then, by this clock; of a store, its ack. */
void ws_traffic_time_answer(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when);
void ws_traffic_time_ack(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when);

/* The warp does not go on behind this fence before `when`. */
void ws_traffic_time_fence(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when);

/* L1 asks for the line of this access at `from`, or when it has a way to note that, and would get it so many cycles
 * later if the ports of L2 and of the SM were free. */
typedef struct ws_traffic_read {
    uint64_t granted, there; /* when L2 gives it, when it is back */
} ws_traffic_read;
ws_traffic_read ws_traffic_time_read(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t from,
                                     uint64_t latency);
/* The same by the clock WS_TIME_OWN, where answers do not come in the order of their requests: the request waits
 * `waits` cycles at L2, in which it occupies no port. `from` is at least what ws_traffic_time_room() says. */
ws_traffic_read ws_traffic_time_wait(ws_traffic_time *time, const ws_ordered_access *a, uint64_t from, uint64_t latency,
                                     uint64_t waits);
/* When an MSHR of its SM is free by that clock, with `ahead` requests, fewer than WS_PROFILE_MSHRS, to come before it.
 */
uint64_t ws_traffic_time_room(const ws_traffic_time *time, const ws_ordered_access *a, uint32_t ahead);

/* The latest that a warp has come to by this clock. */
uint64_t ws_traffic_time_end(const ws_traffic_time *time, unsigned clock);

#endif
