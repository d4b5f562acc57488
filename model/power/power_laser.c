/* power_laser.c - lasers of crossbars of light: they shine whatever is carried. */
#include "model/power/power_internal.h"

enum { DIRECTIONS = 2 };

int ws_power_add_laser(ws_power_build *b)
{
    int status = WS_OK;
    for (unsigned d = 0; d < DIRECTIONS && !status; d++) {
        bool light;
        ws_optics_crossbar c;
        status = ws_power_light(b, d, &light, &c);
        if (!status && light)
            status = ws_power_leak(b, WS_WHILE_RUNNING, c.laser_w,
                                   "%.1f dB from the laser to a detector, %.3g mW of a wavelength", c.loss_db,
                                   c.light_w * 1e3);
    }
    return status;
}
