/* atomics_kept.h - what plain caches do with atomic operations, by the rule of the machine (sm.atomics). The rules are
 * those of SMs, which stand above the memory side: model/sim/sm/atomic.h. */
#ifndef WS_ATOMICS_KEPT_H
#define WS_ATOMICS_KEPT_H

#include "model/machine/machine_declared.h"

/* Do updates stay in lines of the machine's L1s? */
bool ws_atomic_stays_in_l1(const ws_machine *machine);
/* Do L1s own lines of atomics? */
bool ws_atomic_owns(const ws_machine *machine);
/* Are lines read for updates that stay there? */
bool ws_atomic_phi_fetches(const ws_machine *machine);

#endif
