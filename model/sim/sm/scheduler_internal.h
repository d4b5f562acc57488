/* scheduler_internal.h - policies of warp_schedulers.def, and shared functions. */
#ifndef WS_SCHEDULER_INTERNAL_H
#define WS_SCHEDULER_INTERNAL_H

#include "model/machine/scheduler_rows.h"
#include "model/sim/sm/scheduler.h"

#define WARP_SCHEDULER(name, ...) extern const ws_warp_scheduler_ops ws_warp_scheduler_##name;
#include "model/machine/warp_schedulers.def"

/* Greedy-then-oldest: first member of the state of such policies, which have or call these functions. */
typedef struct ws_greedy {
    uint64_t order[WS_SM_WARPS];
    uint8_t last; /* slot + 1 of the last issuing warp, 0: none */
} ws_greedy;
void ws_greedy_started(const ws_warp_scheduler *s, unsigned warp, uint64_t order);
void ws_greedy_ended(const ws_warp_scheduler *s, unsigned warp);
int ws_greedy_choose(const ws_warp_scheduler *s, uint64_t candidates);
void ws_greedy_issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue);

/* Greedy policies with an option `patience`: their state begins with this. `since` is the cycle in which a warp came,
 * issued or was unblocked last: it waits only for its turn after that. Kept with a patience only. */
typedef struct ws_patient {
    ws_greedy greedy;
    uint64_t since[WS_SM_WARPS];
} ws_patient;
void ws_patient_started(const ws_warp_scheduler *s, unsigned warp, uint64_t order);
void ws_patient_unblocked(const ws_warp_scheduler *s, unsigned warp);
void ws_patient_issued(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue);

/* Returns the candidate that has waited longest, if that is for `patience` cycles; -1: none has, or patience is 0. */
int ws_out_of_patience(const ws_warp_scheduler *s, uint64_t candidates);

/* Returns whether fewer than `most` warps of the mask `among` are older, without those at a barrier. */
bool ws_is_of_oldest(const ws_warp_scheduler *s, unsigned warp, uint64_t among, uint64_t most);

/* Returns the first candidate from slot `first`, cyclically. `candidates` is not 0; `first` is a slot. */
static inline int ws_next_warp(uint64_t candidates, unsigned first)
{
    const uint64_t behind = candidates >> first << first;
    return __builtin_ctzll(behind ? behind : candidates);
}

/* Returns the candidate with the least order[slot]. `candidates` is not 0. */
static inline int ws_oldest_warp(const uint64_t *order, uint64_t candidates)
{
    int best = __builtin_ctzll(candidates);
    for (uint64_t rest = candidates; rest; rest &= rest - 1) {
        const int warp = __builtin_ctzll(rest);
        if (order[warp] < order[best])
            best = warp;
    }
    return best;
}

/* The candidate with the most of order[slot]. `candidates` is not 0. */
static inline int ws_youngest_warp(const uint64_t *order, uint64_t candidates)
{
    int best = __builtin_ctzll(candidates);
    for (uint64_t rest = candidates; rest; rest &= rest - 1) {
        const int warp = __builtin_ctzll(rest);
        if (order[warp] > order[best])
            best = warp;
    }
    return best;
}

/* Returns whether the instruction accesses an L1: loads, stores and atomics except those of shared memory and of
 * parameters. A generic address may be of any space. */
static inline bool ws_uses_cache(const ws_instr *instr)
{
    return instr && instr->access != WS_ACCESS_NONE && instr->space != WS_SPACE_SHARED &&
           instr->space != WS_SPACE_PARAM;
}

#endif
