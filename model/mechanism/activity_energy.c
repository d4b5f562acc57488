/* activity_energy.c - see activity_energy.h. */
#include "model/mechanism/activity_energy.h"

#include "base/status.h"

int ws_activity_energy(const ws_machine *machine, const ws_activity *did, ws_energy *out)
{
    ws_power *power;
    *out = (ws_energy){0};
    const int status = ws_power_create(machine, &(ws_power_options){0}, &power);
    if (status)
        return status;
    ws_power_energy(power, did, out);
    ws_power_destroy(power);
    return WS_OK;
}
