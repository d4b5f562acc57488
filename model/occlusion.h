/* occlusion.h - what does it cost that loads find no MSHR, and what may be expected of holding loads back? Closed
 * forms.
 *
 * Memory occlusion: a load of many blocks takes the last MSHR, its next access has to wait for an answer, and so does
 * all behind it. Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, sections 2.3
 * and 5.1 describe it and measure it; the forms follow from its machine: one access a cycle, MSHRs that are taken for
 * the latency of memory, warps that issue oldest first. They are for loads that come without a pause. */
#ifndef WS_OCCLUSION_H
#define WS_OCCLUSION_H

#include <stdint.h>

/* A stream of loads, and what they run on. */
typedef struct ws_occlusion {
    double accesses; /* of a load to the L1, one a cycle */
    double misses;   /* of these, that take an MSHR each */
    double mshrs;
    double latency; /* cycles from a miss to its answer */
} ws_occlusion;

/* Cycles that a load waits for MSHRs: in the time of a load its misses hold MSHRs for misses x latency / mshrs cycles,
 * of which its accesses take some; max(0, misses x latency / mshrs - accesses). */
double ws_occlusion_cycles(const ws_occlusion *o);

/* Loads of `lanes` lanes that are let to memory at the same time when each is predicted to miss in `percent` of them;
 * UINT32_MAX: any number. `percent` up to 100. */
uint32_t ws_occlusion_admitted(uint32_t mshrs, uint32_t lanes, uint32_t percent);

/* How something grows with the rank of warps: a line through its means by rank, up to the first rank that has 95 % of
 * the greatest mean. Ranks with less than a hundredth of the events are left out; the others count by their events. */
typedef struct ws_rank_trend {
    double knee;  /* that rank; NaN without events */
    double slope; /* by rank; NaN for fewer than two ranks */
    double fit;   /* R^2; NaN for fewer than three ranks, or when all are equal */
} ws_rank_trend;

ws_rank_trend ws_rank_trend_of(const uint64_t *events, const uint64_t *amount, uint32_t ranks);

#endif
