/* residents.h - how many CTAs of a launch does an SM hold? */
#ifndef WS_RESIDENTS_H
#define WS_RESIDENTS_H

#include "collect/trace/event.h"
#include "model/machine/machine_declared.h"

/* WS_EINPUT, naming the resource that runs out, when an empty SM has no room for a CTA. */
int ws_residents_check(const ws_machine *machine, const ws_launch *launch);

/* CTAs that an SM holds, of a launch that was checked. */
uint64_t ws_residents_of(const ws_machine *machine, const ws_launch *launch);

/* Both: WS_EINPUT, and no places. */
int ws_residents_places(const ws_machine *machine, const ws_launch *launch, uint32_t *places);

/* WS_EINPUT, naming the resource that runs out, when the CTAs of the launch cannot all be resident at once. */
int ws_residents_check_together(const ws_machine *machine, const ws_launch *launch);

#endif
