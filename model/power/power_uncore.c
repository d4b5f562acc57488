/* power_uncore.c - leakage of the logic that is in no SM and no router: controllers, what draws pictures. Which has
 * which part is not published. */
#include "model/power/power_internal.h"

#include <math.h>

int ws_power_add_uncore(ws_power_build *b)
{
    const double routers = ws_power_transistors_leakage(b, ws_power_router_transistors(b));
    return ws_power_leak(b, WS_WHILE_RUNNING, fmax(0, ws_power_uncore_leakage(b) - routers),
                         "transistors of logic beyond SMs and routers");
}
