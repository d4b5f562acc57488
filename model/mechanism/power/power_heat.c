/* power_heat.c - power to temperature and back until both stay. */
#include "model/mechanism/power/power_heat.h"

#include "base/status.h"
#include "model/control/thermal.h"
#include "model/machine/machine_declared.h"

#include <limits.h>
#include <math.h>

enum { TURNS = 200 };
static const double close_k = 0.01, hottest_k = 500;

/* Of the die in the steady state, at so many watts that the chip turns into heat. */
static double hottest(const ws_thermal *thermal, const ws_thermal_chip *chip, double watts)
{
    double power[WS_THERMAL_BLOCKS], k[WS_THERMAL_BLOCKS], area = 0, most = 0;
    for (size_t i = 0; i < chip->blocks; i++)
        area += chip->block[i].width_m * chip->block[i].height_m;
    for (size_t i = 0; i < chip->blocks; i++)
        power[i] = watts * chip->block[i].width_m * chip->block[i].height_m / area;
    ws_thermal_steady(thermal, power, WS_THERMAL_DIE, k);
    for (size_t i = 0; i < chip->blocks; i++)
        most = fmax(most, k[i]);
    return most;
}

/* Of the chip: memory parts and the rest of the card have their heat elsewhere. */
static int watts_at(const ws_machine *machine, ws_power_options o, double kelvin, const ws_activity *did, double *watts)
{
    ws_power *power;
    ws_energy e = {0};
    o.temperature_k = kelvin;
    const int status = ws_power_create(machine, &o, &power);
    if (status)
        return status;
    ws_power_energy(power, did, &e);
    const double elsewhere = e.dynamic[WS_POWER_dram] + e.leakage[WS_POWER_dram] + e.leakage[WS_POWER_rest];
    *watts = e.seconds > 0 ? (ws_energy_total(&e) - elsewhere) / e.seconds : 0;
    ws_power_destroy(power);
    return WS_OK;
}

int ws_power_heat(const ws_machine *machine, const ws_power_options *options, const char *name, const ws_activity *did,
                  double *kelvin)
{
    char path[PATH_MAX];
    ws_thermal_chip chip;
    ws_thermal *thermal = NULL;
    int status = ws_power_tech_path(machine, "thermal_", name, path);
    if (!status)
        status = ws_thermal_chip_read(path, &chip);
    if (!status)
        status = ws_thermal_create(&chip, 1, &thermal);
    double now = status ? 0 : ws_thermal_ambient_k(thermal), last = 0, watts = 0;
    for (unsigned turn = 0; turn < TURNS && fabs(now - last) > close_k && now < hottest_k && !status; turn++) {
        last = now;
        status = watts_at(machine, *options, last, did, &watts);
        now = status ? last : hottest(thermal, &chip, watts);
    }
    ws_thermal_destroy(thermal);
    *kelvin = now;
    if (!status && !(fabs(now - last) <= close_k && now < hottest_k))
        status = ws_fail(WS_EINPUT,
                         "%s: at %.0f W the die passes %.0f K and leaks more than it loses: a cooler package, or a "
                         "lower voltage, is needed",
                         path, watts, now);
    return status;
}
