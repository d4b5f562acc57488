/* occlusion.h - closed forms of memory occlusion: cost of loads that find no free MSHR, and the gain of throttling
 * loads.
 *
 * Memory occlusion: a load of many blocks takes the last MSHR; its next access and all later ones wait for an answer.
 * Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, sections 2.3 and 5.1 describe
 * and measure it. The forms follow from that machine: one access a cycle, MSHRs held for the latency of memory, warps
 * that issue oldest first. They assume back-to-back loads. */
#ifndef WS_OCCLUSION_H
#define WS_OCCLUSION_H

#include <stdint.h>

/* Stream of loads and its machine. */
typedef struct ws_occlusion {
    double accesses; /* accesses of a load to the L1, one a cycle */
    double misses;   /* accesses that take an MSHR each */
    double mshrs;
    double latency; /* cycles from a miss to its answer */
} ws_occlusion;

/* Returns the cycles that a load waits for MSHRs: max(0, misses x latency / mshrs - accesses). The misses of a load
 * hold MSHRs for misses x latency / mshrs cycles, and its accesses overlap part of them. */
double ws_occlusion_cycles(const ws_occlusion *o);

/* Returns the loads of `lanes` lanes admitted to memory at a time, if each is predicted to miss in `percent` of its
 * lanes; UINT32_MAX: any number. `percent` is at most 100. */
uint32_t ws_occlusion_admitted(uint32_t mshrs, uint32_t lanes, uint32_t percent);

/* Growth of a quantity with the rank of warps: a line through its means by rank, up to the first rank with 95 % of the
 * greatest mean. Ranks with less than a hundredth of the events are left out; the others are weighted by events. */
typedef struct ws_rank_trend {
    double knee;  /* that first rank; NaN without events */
    double slope; /* per rank; NaN for fewer than two ranks */
    double fit;   /* R^2; NaN for fewer than three ranks, or if all are equal */
} ws_rank_trend;

ws_rank_trend ws_rank_trend_of(const uint64_t *events, const uint64_t *amount, uint32_t ranks);

#endif
