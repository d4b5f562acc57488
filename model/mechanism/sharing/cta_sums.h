/* cta_sums.h - sharing between the CTAs of launches, by their placement. */
#ifndef WS_CTA_SUMS_H
#define WS_CTA_SUMS_H

#include "model/mechanism/sharing/touch_log.h"
#include "model/placement/placement.h"

/* Returns the log options for ws_cta_sums_add. */
ws_touch_log_options ws_cta_log_options(const ws_machine *machine);

/* Sums over launches of a kernel under a CTA scheduler. */
typedef struct ws_cta_sums {
    double launches, ctas, places; /* places: CTAs that an SM holds */
    double wave_ctas;              /* in the first wave */
    double steady; /* CTAs that keep their SM if times change by up to a factor of two: placement independent of time */
    ws_sharers wave, whole; /* first wave; launch */
    double work, longest,
        offered; /* warp instructions; those of the busiest SM times SMs; capacity of all slots until the end */
} ws_cta_sums;

/* Adds a launch, by its sorted log; the caller frees *placement, also after failures. Fails as ws_placement_make. */
int ws_cta_sums_add(ws_cta_sums *sums, const ws_touch_log *log, const ws_launch *launch, const ws_machine *machine,
                    ws_placement *placement);

#endif
