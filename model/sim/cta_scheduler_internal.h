/* cta_scheduler_internal.h - the policies of cta_schedulers.def. */
#ifndef WS_CTA_SCHEDULER_INTERNAL_H
#define WS_CTA_SCHEDULER_INTERNAL_H

#include "model/sim/cta_scheduler.h"

#define CTA_SCHEDULER(name) extern const ws_cta_scheduler_ops ws_cta_scheduler_##name;
#include "model/sim/cta_schedulers.def"
#undef CTA_SCHEDULER

extern const ws_option ws_cta_scheduler_no_options[]; /* only the end of a table */

#endif
