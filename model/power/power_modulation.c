/* power_modulation.c - bits of crossbars of light: drivers, modulators, detectors, receivers. */
#include "model/power/power_internal.h"

enum { BITS = 8, DIRECTIONS = 2 };

int ws_power_add_modulation(ws_power_build *b)
{
    int status = WS_OK;
    for (unsigned d = 0; d < DIRECTIONS && !status; d++) {
        bool light;
        ws_optics_crossbar c;
        status = ws_power_light(b, d, &light, &c);
        if (!status && light)
            status = ws_power_event(b, WS_COUNTER(network_bytes, d), BITS * c.bit_j, "8 bits of %g fJ", c.bit_j * 1e15);
    }
    return status;
}
