/* power_heating.c - rings of crossbars of light: kept warmer than what is around them. */
#include "model/power/power_internal.h"

enum { DIRECTIONS = 2 };

int ws_power_add_heating(ws_power_build *b)
{
    int status = WS_OK;
    for (unsigned d = 0; d < DIRECTIONS && !status; d++) {
        bool light;
        ws_optics_crossbar c;
        status = ws_power_light(b, d, &light, &c);
        if (!status && light)
            status = ws_power_leak(b, WS_WHILE_RUNNING, c.heating_w, "%llu rings of %g uW/K, %g K",
                                   (unsigned long long)c.rings, b->optics->heating_uw_k, b->optics->span_k);
    }
    return status;
}
