/* livelock.h - do warps only wait for one another, and for what? */
#ifndef WS_LIVELOCK_H
#define WS_LIVELOCK_H

#include "model/sim/sm/sm.h"

/* Of a launch no warp of which has left its loop for `cycles` cycles: says by lines which words they look at, the most
 * wanted first, and gives WS_EVERIFY with a message that names the first of them. `left`: blocks that have not begun.
 */
int ws_livelock_report(ws_sm *const *sm, uint32_t sms, const ws_launch *launch, uint64_t now, uint64_t cycles,
                       uint64_t left, void (*say)(void *context, const char *line), void *context);

#endif
