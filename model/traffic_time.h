/* traffic_time.h - times of the accesses of a launch's warps with memory latency.
 *
 * The order of accesses remains that of access_order.h, in which memory takes no time. In addition each warp has
 * clocks, one for each way of waiting: leases of some length with stores that wait or do not; logical time with stores
 * that are waited for or are not. A warp waits for a load at its first use, and for the others of its block at
 * barriers. It never runs ahead of the instructions that its SM can issue. */
#ifndef WS_TRAFFIC_TIME_H
#define WS_TRAFFIC_TIME_H

#include "model/access_order.h"
#include "model/traffic_profile.h"

/* Clocks of a profile. */
enum {
    WS_TIME_WEAK = WS_CLOCK_WEAK,     /* one for each lease; stores do not wait */
    WS_TIME_STRONG = WS_CLOCK_STRONG, /* one for each lease; stores wait and are waited for */
    WS_TIME_RC = WS_CLOCK_RC,         /* logical time */
    WS_TIME_SC = WS_CLOCK_SC,         /* logical time; stores are waited for */
    WS_TIME_PLAIN = WS_CLOCK_PLAIN,   /* no leases */
    WS_TIME_FENCED = WS_CLOCK_FENCED, /* no leases, fences end copies */
    WS_TIME_BARE = WS_CLOCK_BARE,     /* no copies */
    WS_TIME_OWN = WS_CLOCK_OWN,       /* owners of lines; accesses are waited for */
    WS_TIMES = WS_PROFILE_CLOCKS
};

typedef struct ws_traffic_time ws_traffic_time;

/* Creates clocks from `first` to before `end`, which start at `start`; other clocks do not run. `pace` is the clock by
 * which the order puts warps to sleep. WS_EMEM. */
int ws_traffic_time_create(uint32_t sms, uint32_t residents, uint32_t warps_per_block, uint64_t start, unsigned first,
                           unsigned end, unsigned pace, ws_traffic_time **out);
void ws_traffic_time_destroy(ws_traffic_time *time); /* accepts NULL */

/* Starts an access of the warp. Returns when L1 takes it by each clock, [WS_TIMES], valid until the next call. L1 takes
 * accesses one after the other, and a load only after the warp's own stores to the line are done. */
const uint64_t *ws_traffic_time_begin(ws_traffic_time *time, const ws_ordered_access *a);

/* The warp arrives at this barrier. Returns the latest arrival of warps of its block, by the clock `pace`. */
uint64_t ws_traffic_time_arrive(ws_traffic_time *time, const ws_ordered_access *a);

/* The warp reads this line of a texture or constant. WS_EMEM. */
int ws_traffic_time_fetch(ws_traffic_time *time, const ws_ordered_access *a);
/* Returns the lines that missed in such a cache. */
uint64_t ws_traffic_time_missed(const ws_traffic_time *time, unsigned kind);

/* Returns when the warp reaches its next access by this clock, without waiting for its turn. Call it after the last
 * access of an instruction. */
uint64_t ws_traffic_time_ready(const ws_traffic_time *time, const ws_ordered_access *a, unsigned clock);
/* Returns when the warp starts the instructions before its next access, by this clock. */
uint64_t ws_traffic_time_next(const ws_traffic_time *time, const ws_ordered_access *a, unsigned clock);

/* The answer to that access arrives at `when`, by this clock; or the ack of a store. */
void ws_traffic_time_answer(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when);
void ws_traffic_time_ack(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when);

/* The warp continues after this fence at `when` or later. */
void ws_traffic_time_fence(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when);

/* L1 requests the line of this access at `from`, or once it has a way for it. The answer takes `latency` cycles if the
 * ports of L2 and of the SM are free. */
typedef struct ws_traffic_read {
    uint64_t granted, there; /* when L2 grants the line; when it arrives */
} ws_traffic_read;
ws_traffic_read ws_traffic_time_read(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t from,
                                     uint64_t latency);
/* The same by the clock WS_TIME_OWN, where answers may arrive out of order: the request waits `waits` cycles at L2
 * without occupying a port. `from` is at least the result of ws_traffic_time_room(). */
ws_traffic_read ws_traffic_time_wait(ws_traffic_time *time, const ws_ordered_access *a, uint64_t from, uint64_t latency,
                                     uint64_t waits);
/* Returns when an MSHR of its SM is free by that clock, with `ahead` requests, fewer than WS_PROFILE_MSHRS, before it.
 */
uint64_t ws_traffic_time_room(const ws_traffic_time *time, const ws_ordered_access *a, uint32_t ahead);

/* Returns the cycles that L1s blocked at lines with an outstanding store of the same warp, by this clock. */
uint64_t ws_traffic_time_held(const ws_traffic_time *time, unsigned clock);

/* Returns the latest time of any warp by this clock. */
uint64_t ws_traffic_time_end(const ws_traffic_time *time, unsigned clock);

#endif
