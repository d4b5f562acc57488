/* power_heat.c - power to temperature and back until both stay. */
#include "model/mechanism/power/power_heat.h"

#include "base/status.h"
#include "model/control/thermal.h"
#include "model/machine/machine_declared.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { TURNS = 200 };
static const double close_k = 0.01, hottest_k = 500;

typedef struct package {
    char path[PATH_MAX];
    ws_thermal_chip chip;
    ws_thermal *thermal;
} package;

static bool is_power(const char *name)
{
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        if (!strcmp(name, ws_power_component_name(i)) || !strcmp(name, ws_power_component_group(i)))
            return true;
    return false;
}

static int open_package(const ws_machine *machine, const char *name, package *p)
{
    p->thermal = NULL;
    int status = ws_power_tech_path(machine, "thermal_", name, p->path);
    if (!status)
        status = ws_thermal_chip_read(p->path, &p->chip);
    for (size_t i = 0; !status && i < p->chip.parts; i++)
        if (!is_power(p->chip.part[i].name))
            status = ws_fail(WS_EINPUT, "%s: [parts] %s is neither a component of power nor a group of them", p->path,
                             p->chip.part[i].name);
    return status ? status : ws_thermal_create(&p->chip, 1, &p->thermal);
}

/* The blocks that a component heats; NULL: all. */
static const bool *heated_by(const ws_thermal_chip *chip, size_t component)
{
    const bool *of_group = NULL;
    for (size_t i = 0; i < chip->parts; i++) {
        if (!strcmp(chip->part[i].name, ws_power_component_name(component)))
            return chip->part[i].heats;
        if (!strcmp(chip->part[i].name, ws_power_component_group(component)))
            of_group = chip->part[i].heats;
    }
    return of_group;
}

static double area_of(const ws_thermal_block *block)
{
    return block->width_m * block->height_m;
}

/* Watts of a component to its blocks. */
static void spread(const ws_thermal_chip *chip, const bool *heats, double watts, double *power_w)
{
    double area = 0;
    for (size_t i = 0; i < chip->blocks; i++)
        area += !heats || heats[i] ? area_of(&chip->block[i]) : 0;
    for (size_t i = 0; i < chip->blocks; i++)
        power_w[i] += !heats || heats[i] ? watts * area_of(&chip->block[i]) / area : 0;
}

/* Memory parts and the rest of the card have their heat elsewhere. */
static bool is_on_chip(size_t component)
{
    return component != WS_POWER_dram && component != WS_POWER_rest;
}

/* Of the blocks, on a chip that leaks as at that temperature. */
static int watts_at(const ws_machine *machine, ws_power_options o, double kelvin, const ws_activity *did,
                    const ws_thermal_chip *chip, double *power_w)
{
    ws_power *power;
    ws_energy e = {0};
    o.temperature_k = kelvin;
    const int status = ws_power_create(machine, &o, &power);
    if (status)
        return status;
    ws_power_energy(power, did, &e);
    memset(power_w, 0, chip->blocks * sizeof *power_w);
    for (size_t i = 0; e.seconds > 0 && i < WS_POWER_COMPONENTS; i++)
        if (is_on_chip(i))
            spread(chip, heated_by(chip, i), (e.dynamic[i] + e.leakage[i]) / e.seconds, power_w);
    ws_power_destroy(power);
    return WS_OK;
}

static double hottest(const package *p, const double *power_w)
{
    double k[WS_THERMAL_BLOCKS], most = 0;
    ws_thermal_steady(p->thermal, power_w, WS_THERMAL_DIE, k);
    for (size_t i = 0; i < p->chip.blocks; i++)
        most = fmax(most, k[i]);
    return most;
}

static int settle(const ws_machine *machine, const ws_power_options *options, const package *p, const ws_activity *did,
                  double *kelvin)
{
    double power_w[WS_THERMAL_BLOCKS] = {0}, now = ws_thermal_ambient_k(p->thermal), last = 0, watts = 0;
    int status = WS_OK;
    for (unsigned turn = 0; turn < TURNS && fabs(now - last) > close_k && now < hottest_k && !status; turn++) {
        last = now;
        status = watts_at(machine, *options, last, did, &p->chip, power_w);
        now = status ? last : hottest(p, power_w);
    }
    *kelvin = now;
    for (size_t i = 0; i < p->chip.blocks; i++)
        watts += power_w[i];
    if (!status && !(fabs(now - last) <= close_k && now < hottest_k))
        status = ws_fail(WS_EINPUT,
                         "%s: at %.0f W the die passes %.0f K and leaks more than it loses: a cooler package, or a "
                         "lower voltage, is needed",
                         p->path, watts, now);
    return status;
}

int ws_power_heat(const ws_machine *machine, const ws_power_options *options, const char *name, const ws_activity *did,
                  double *kelvin)
{
    package p;
    int status = open_package(machine, name, &p);
    if (!status)
        status = settle(machine, options, &p, did, kelvin);
    ws_thermal_destroy(p.thermal);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the map */

static int add_blocks(const package *p, const double *power_w, ws_frame *frame)
{
    double k[WS_THERMAL_BLOCKS];
    int status = WS_OK;
    ws_thermal_steady(p->thermal, power_w, WS_THERMAL_DIE, k);
    for (size_t i = 0; i < p->chip.blocks && !status; i++) {
        const ws_thermal_block *const b = &p->chip.block[i];
        const char *const name = b->name;
        const double value[] = {b->x_m * 1e3,
                                b->y_m * 1e3,
                                b->width_m * 1e3,
                                b->height_m * 1e3,
                                power_w[i],
                                power_w[i] / (area_of(b) * 1e6),
                                k[i]};
        status = ws_frame_add_row(frame, &name, value);
    }
    return status;
}

int ws_power_heat_frame(const ws_machine *machine, const ws_power_options *options, const char *name,
                        const ws_activity *did, ws_frame **out)
{
    static const ws_frame_column columns[] = {{"x", "mm"},         {"y", "mm"},    {"width", "mm"},
                                              {"height", "mm"},    {"watts", "W"}, {"density", "W/mm2"},
                                              {"temperature", "K"}};
    static const ws_frame_layout layout = {{"block"}, columns, sizeof columns / sizeof *columns, "heat"};
    double power_w[WS_THERMAL_BLOCKS];
    package p;
    int status = open_package(machine, name, &p);
    if (!status)
        status = watts_at(machine, *options, options->temperature_k, did, &p.chip, power_w);
    if (!status)
        status = ws_frame_begin(&layout, out);
    if (!status)
        status = add_blocks(&p, power_w, *out);
    ws_thermal_destroy(p.thermal);
    return status;
}
