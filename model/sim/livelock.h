/* livelock.h - report of warps that only wait for each other. */
#ifndef WS_LIVELOCK_H
#define WS_LIVELOCK_H

#include "model/sim/sm/sm.h"

/* Reports a launch in which no warp has left its loop for `cycles` cycles: writes a line for each polled word, the most
 * polled first, and returns WS_EVERIFY with a message that names the first. `left`: blocks that have not started. */
int ws_livelock_report(ws_sm *const *sm, uint32_t sms, const ws_launch *launch, uint64_t now, uint64_t cycles,
                       uint64_t left, void (*say)(void *context, const char *line), void *context);

#endif
