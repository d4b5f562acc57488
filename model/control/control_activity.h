/* control_activity.h - how a load's dynamic power and throughput move around their mean of 1: phases that wait for
 * memory, and small changes that are forgotten after a while. Chosen; parameters are the section [activity] of
 * control.def. */
#ifndef WS_CONTROL_ACTIVITY_H
#define WS_CONTROL_ACTIVITY_H

#include "model/control/control.h"

#include <stdint.h>

/* activity[count], a value a fine period; the mean over a long time is 1, none is negative. Same seed, same values.
 * WS_EMEM. */
int ws_activity_generate(const ws_control *control, uint64_t seed, double *activity, size_t count);

#endif
