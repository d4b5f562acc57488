/* cta_sums.h - what the CTAs of launches share, by where a CTA scheduler puts them. */
#ifndef WS_CTA_SUMS_H
#define WS_CTA_SUMS_H

#include "model/mechanism/sharing/touch_log.h"
#include "model/placement/placement.h"

/* Of logs for ws_cta_sums_add. */
ws_touch_log_options ws_cta_log_options(const ws_machine *machine);

/* What is known of launches of a kernel under a CTA scheduler: sums. */
typedef struct ws_cta_sums {
    double launches, ctas, places; /* places: CTAs that an SM holds */
    double wave_ctas;              /* in the first wave */
    double steady; /* CTAs that stay at their SM when times are other ones, up to twice as long: where they run does not
                      hang on time */
    ws_sharers wave, whole; /* first wave; launch */
    double work, longest,
        offered; /* warp instructions; of the SM that has most, times SMs; of all places until the end */
} ws_cta_sums;

/* Adds a launch, by its sorted log; *placement is then the caller's to free, after failures, too. Failures as of
 * ws_placement_make. */
int ws_cta_sums_add(ws_cta_sums *sums, const ws_touch_log *log, const ws_launch *launch, const ws_machine *machine,
                    ws_placement *placement);

#endif
