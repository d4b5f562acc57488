/* placement.h - on which SM would each CTA of a launch run? The CTA schedulers of the simulator, with times that are
 * known beforehand.
 *
 * An SM holds as many CTAs as the simulator would let it; each takes the time that is said of it, and the policy is
 * asked again whenever one ends. What starts before any CTA has ended is the first wave: that is what the simulator
 * does, whatever its times. Behind it, it is the list schedule of R. L. Graham, "Bounds on Multiprocessing Timing
 * Anomalies" (1969), with the policy's list. */
#ifndef WS_PLACEMENT_H
#define WS_PLACEMENT_H

#include "collect/trace/event.h"
#include "model/machine/machine_declared.h"

typedef struct ws_placement {
    uint64_t ctas;
    uint32_t sms, places; /* places: CTAs that an SM holds */
    uint32_t *sm;         /* [ctas] */
    uint64_t *order;      /* [ctas] as they start; */
    uint64_t first_wave;  /* the first so many before any has ended */
    uint64_t *busy;       /* [sms] time of an SM's CTAs, summed */
    uint64_t makespan;    /* until the last one has ended */
} ws_placement;

/* work[ctas]: time of each; 0 is 1. WS_EINPUT: a CTA does not fit, or there is no such policy; WS_EVERIFY: the policy
 * waits for nothing; WS_EMEM. Free with ws_placement_fini, after failures, too. */
int ws_placement_make(const ws_machine *machine, const ws_launch *launch, uint64_t ctas, const uint64_t *work,
                      ws_placement *out);
void ws_placement_fini(ws_placement *placement);

#endif
