/* cycle.h - times of the simulator are cycles of the clock of the component that names them. */
#ifndef WS_CYCLE_H
#define WS_CYCLE_H

#include <stdint.h>

#define WS_NEVER UINT64_MAX /* no cycle: nothing will happen by itself */

#endif
