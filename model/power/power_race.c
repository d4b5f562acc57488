/* power_race.c - what signatures of race detection cost on a machine: its detector, filters and tables of renamed
 * registers share them. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

#include <limits.h>

int ws_power_race_costs(const ws_power_build *b, ws_race_costs *out)
{
    const ws_machine *const m = b->machine;
    char path[PATH_MAX];
    ws_race_tech tech;
    *out = (ws_race_costs){0};
    if (!ws_machine_races_cost(m))
        return WS_OK;
    int status = ws_power_tech_path(m, "", m->power_race, path);
    if (!status)
        status = ws_race_tech_read(path, &tech);
    if (!status)
        status = ws_race_costs_of(&tech, m->coherence_race_bits, m->chip_sms, out);
    return status ? ws_fail_context(status, "configuration %s, coherence.race_bits", m->name) : WS_OK;
}
