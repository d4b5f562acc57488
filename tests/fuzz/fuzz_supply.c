/* fuzz_supply.c - can any bytes break the reader of measured supplies, and is what it accepts a supply? */
#include "base/status.h"
#include "model/control/supply_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* data/tech/plant.ini need not be there when this runs. */
static const ws_supply_plant plant = {.panel_area_m2 = 2,
                                      .panel_efficiency = 0.2,
                                      .panel_coefficient = -0.004,
                                      .panel_noct_c = 45,
                                      .turbine_w = 400,
                                      .turbine_cut_in = 3,
                                      .turbine_rated = 12,
                                      .turbine_cut_out = 25,
                                      .turbine_hub_m = 80,
                                      .turbine_shear = 0.143};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ws_supply_options options[] = {
        {0}, {.hybrid = 1, .gap_s = 1e6}, {.column = "Wind Speed", .scale_mean_w = 135}, {.step_s = 3600}};
    static const char nothing[1] = "";
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        ws_supply supply;
        ws_supply_report report;
        if (ws_supply_parse("fuzz", size ? (const char *)data : nothing, size, &plant, &options[o], &supply, &report)) {
            if (!*ws_message() || supply.power_w)
                abort();
            continue;
        }
        if (!supply.count || !(supply.step_s > 0) || report.rows < 2 || !*report.columns)
            abort();
        for (size_t i = 0; i < supply.count; i++)
            if (!(supply.power_w[i] >= 0 && supply.power_w[i] < INFINITY))
                abort();
        ws_supply_fini(&supply);
    }
    return 0;
}
