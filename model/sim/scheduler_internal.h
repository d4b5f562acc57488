/* scheduler_internal.h - the policies of warp_schedulers.def, and what they share. */
#ifndef WS_SCHEDULER_INTERNAL_H
#define WS_SCHEDULER_INTERNAL_H

#include "model/sim/scheduler.h"

#define WARP_SCHEDULER(name) extern const ws_warp_scheduler_ops ws_warp_scheduler_##name;
#include "model/sim/warp_schedulers.def"
#undef WARP_SCHEDULER

extern const ws_option ws_warp_scheduler_no_options[]; /* only the end of a table */
/* For a policy that has no use for an event. */
void ws_warp_scheduler_ignore(void *state, const uint64_t *values, unsigned warp);

/* The first candidate from slot `first` on, around the end. `candidates` is not 0; `first` is a slot. */
static inline int ws_next_warp(uint64_t candidates, unsigned first)
{
    const uint64_t behind = candidates >> first << first;
    return __builtin_ctzll(behind ? behind : candidates);
}

#endif
