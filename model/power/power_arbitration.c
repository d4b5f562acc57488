/* power_arbitration.c - tokens of crossbars of light: taken, and given back. */
#include "model/power/power_internal.h"

enum { DIRECTIONS = 2 };

int ws_power_add_arbitration(ws_power_build *b)
{
    int status = WS_OK;
    for (unsigned d = 0; d < DIRECTIONS && !status; d++) {
        bool light;
        ws_optics_crossbar c;
        status = ws_power_light(b, d, &light, &c);
        if (!status && light)
            status = ws_power_event(b, WS_COUNTER(network_packets, d), 2 * c.token_j,
                                    "a token taken and given back, %g fJ each", c.token_j * 1e15);
    }
    return status;
}
