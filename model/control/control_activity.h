/* control_activity.h - variation of a load's dynamic power and throughput around a mean of 1: memory phases, and small
 * changes that decay with time. The model is chosen here; its parameters are the section [activity] of control.def. */
#ifndef WS_CONTROL_ACTIVITY_H
#define WS_CONTROL_ACTIVITY_H

#include "model/control/control.h"

#include <stdint.h>

/* Fills activity[count], one value per fine period; the long-run mean is 1, and no value is negative. Equal seeds give
 * equal values. WS_EMEM. */
int ws_activity_generate(const ws_control *control, uint64_t seed, double *activity, size_t count);

#endif
