/* fuzz_control.c - can any bytes break the readers of supply classes, chips, laws of fatigue and plants? What they
 * accept must work. */
#include "base/status.h"
#include "model/control/lifetime.h"
#include "model/control/supply_file.h"
#include "model/control/thermal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void generate(const ws_supply_class *type)
{
    ws_supply supply;
    if (ws_supply_generate(type, 100, 3600, 1, &supply))
        return;
    for (size_t i = 0; i < supply.count; i++)
        if (!(supply.power_w[i] >= 0 && supply.power_w[i] < INFINITY))
            abort();
    ws_supply_fini(&supply);
}

static void heat(const ws_thermal_chip *chip)
{
    ws_thermal *thermal;
    if (ws_thermal_create(chip, 1, &thermal))
        return;
    ws_thermal_state state;
    double power[WS_THERMAL_BLOCKS], k[WS_THERMAL_BLOCKS];
    for (size_t b = 0; b < WS_THERMAL_BLOCKS; b++)
        power[b] = 1;
    ws_thermal_start(thermal, NULL, &state);
    for (int i = 0; i < 3; i++)
        ws_thermal_step(thermal, &state, power, k);
    for (size_t b = 0; b < ws_thermal_blocks(thermal); b++)
        if (!(k[b] >= 99 && k[b] < INFINITY))
            abort();
    ws_thermal_destroy(thermal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const text = size ? (const char *)data : "";
    ws_supply_class type;
    ws_thermal_chip chip;
    ws_fatigue law;
    ws_supply_plant plant;
    if (!ws_supply_class_parse("fuzz", text, size, &type))
        generate(&type);
    if (!ws_thermal_chip_parse("fuzz", text, size, &chip))
        heat(&chip);
    if (!ws_fatigue_parse("fuzz", text, size, &law) && !(ws_fatigue_cycles(&law, 10) > 0))
        abort();
    if (ws_supply_plant_parse("fuzz", text, size, &plant) && !*ws_message())
        abort();
    return 0;
}
