/* power_uncore.c - leakage of the logic that is in no SM: routers, controllers, what draws pictures. Which has which part is not published. */
#include "model/power/power_internal.h"

int ws_power_add_uncore(ws_power_build *b)
{
    return ws_power_leak(b, WS_WHILE_RUNNING, ws_power_uncore_leakage(b), "transistors of logic beyond the SMs");
}
