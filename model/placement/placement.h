/* placement.h - predicted SM of each CTA of a launch: the CTA schedulers of the simulator, with known times.
 *
 * An SM holds as many CTAs as in the simulator. Each takes its given time, and the policy is called whenever one ends.
 * CTAs that start before any has ended are the first wave, which equals that of the simulator for any times. Later CTAs
 * follow the list schedule of R. L. Graham, "Bounds on Multiprocessing Timing Anomalies" (1969), with the policy's
 * list. */
#ifndef WS_PLACEMENT_H
#define WS_PLACEMENT_H

#include "collect/trace/event.h"
#include "model/machine/machine_declared.h"

typedef struct ws_placement {
    uint64_t ctas;
    uint32_t sms, places; /* places: CTAs that an SM holds */
    uint32_t *sm;         /* [ctas] */
    uint64_t *order;      /* [ctas] in order of their start */
    uint64_t first_wave;  /* number of CTAs that start before any has ended */
    uint64_t *busy;       /* [sms] sum of the times of an SM's CTAs */
    uint64_t makespan;    /* end of the last CTA */
} ws_placement;

/* Places the CTAs. work[ctas] is the time of each; 0 is 1. WS_EINPUT: a CTA does not fit, or the policy is unknown;
 * WS_EVERIFY: the policy waits without cause; WS_EMEM. Free with ws_placement_fini, also after failures. */
int ws_placement_make(const ws_machine *machine, const ws_launch *launch, uint64_t ctas, const uint64_t *work,
                      ws_placement *out);
void ws_placement_fini(ws_placement *placement);

#endif
