/* cta_scheduler_internal.h - policies of cta_schedulers.def. */
#ifndef WS_CTA_SCHEDULER_INTERNAL_H
#define WS_CTA_SCHEDULER_INTERNAL_H

#include "model/placement/cta_scheduler.h"

#define CTA_SCHEDULER(name) extern const ws_cta_scheduler_ops ws_cta_scheduler_##name;
#include "model/placement/cta_schedulers.def"
#undef CTA_SCHEDULER

/* Finds the next SM with room from *next on, cyclically, and advances *next past it. Returns false if none has room. */
bool ws_cta_next_in_turn(const ws_cta_scheduler *s, uint32_t *next, uint32_t *sm);

#endif
