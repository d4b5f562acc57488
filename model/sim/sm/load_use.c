/* load_use.c - see load_use.h. */
#include "model/sim/sm/load_use.h"

void ws_load_use_add(ws_load_use *sum, const ws_load_use *more)
{
#define USE(name, unit, meaning) sum->name += more->name;
#include "model/sim/sm/load_use.def"
#undef USE
}
