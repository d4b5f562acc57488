/* cycle.h - cycles as the simulator's unit of time, each of the clock of the component that names it. */
#ifndef WS_CYCLE_H
#define WS_CYCLE_H

#include <stdint.h>

#define WS_NEVER UINT64_MAX /* no cycle: no event is pending */

#endif
