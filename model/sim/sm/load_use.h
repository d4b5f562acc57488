/* load_use.h - outcome of each load instruction of a launch: misses and stalls. */
#ifndef WS_LOAD_USE_H
#define WS_LOAD_USE_H

#include <stdint.h>

/* USE( name, unit, meaning ) in load_use.def. */
typedef struct ws_load_use {
#define USE(name, unit, meaning) uint64_t name;
#include "model/sim/sm/load_use.def"
#undef USE
} ws_load_use;

void ws_load_use_add(ws_load_use *sum, const ws_load_use *more);

#endif
