/* residents.h - CTAs of a launch that an SM of a machine holds at once (model/residency.h). */
#ifndef WS_RESIDENTS_H
#define WS_RESIDENTS_H

#include "collect/trace/event.h"
#include "model/machine/machine_declared.h"
#include "model/residency.h"

/* Return the 32-bit registers, and the bytes of shared memory, that an SM allocates to a CTA. */
uint64_t ws_residents_registers(const ws_machine *machine, const ws_launch *launch);
uint64_t ws_residents_shared(const ws_machine *machine, const ws_launch *launch);

/* As ws_residency_limits(). */
ws_resident_limit ws_residents_limits(const ws_machine *machine, const ws_launch *launch,
                                      uint64_t ctas[WS_RESIDENT_LIMITS]);

/* Returns WS_EINPUT, naming the resource that runs out, if an empty SM has no room for a CTA. */
int ws_residents_check(const ws_machine *machine, const ws_launch *launch);

/* Returns the CTAs that an SM holds, of a launch that was checked. */
uint64_t ws_residents_of(const ws_machine *machine, const ws_launch *launch);

/* Both: on WS_EINPUT, *places is 0. */
int ws_residents_places(const ws_machine *machine, const ws_launch *launch, uint32_t *places);

/* Returns WS_EINPUT, naming the resource that runs out, if the CTAs of the launch cannot all be resident at once. */
int ws_residents_check_together(const ws_machine *machine, const ws_launch *launch);

#endif
