/* fuzz_power.c - can any bytes break the readers of nodes, cells, chips, energies, optics, magnetic memories and their
 * organisations? What they accept must work. */
#include "base/status.h"
#include "model/array/array.h"
#include "model/memory/organisation.h"
#include "model/power/chip.h"
#include "model/tech/optics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hold(bool good)
{
    if (!good)
        abort();
}

/* Leakage rises with temperature and voltage, and there is none without one; any node makes arrays. */
static void use_node(const ws_node *node)
{
    static const ws_cell cell = {
        .area_f2 = 146, .aspect = 1.46, .access_f = 1.31, .leak_f = 4.6, .sense_v = 0.08, .sense_f2 = 1e4};
    const ws_array_shape shape = {.bytes = 32768, .word = 64};
    ws_array_result r;
    hold(ws_node_off_current(node, 350, node->nominal_v) >= ws_node_off_current(node, 300, node->nominal_v));
    hold(!ws_array_evaluate(node, &cell, &shape, node->nominal_v, 350, &r) && r.read_j > 0 && r.area_m2 > 0);
    hold(!ws_array_evaluate(node, &cell, &shape, 0, 350, &r) && r.leakage_w == 0);
}

static void use_chip(const ws_chip *chip)
{
    double volts;
    for (size_t i = 0; i < chip->levels; i++)
        hold(!ws_chip_volts(chip, chip->level[i].clock_mhz, &volts) &&
             fabs(volts - chip->level[i].volts) < 1e-9 * volts);
    hold(ws_chip_volts(chip, chip->level[chip->levels - 1].clock_mhz * 2, &volts) && *ws_message());
}

/* A crossbar and links cost something, or the message says what a laser does not give. */
static void use_optics(const ws_optics *optics)
{
    const ws_optics_shape shape = {
        .kind = WS_OPTICS_SWMR, .nodes = 16, .bits = 256, .wavelengths = 64, .directions = 1, .clock_hz = 5e9};
    ws_optics_crossbar c;
    hold(ws_optics_crossbar_of(optics, &shape, &c) ? *ws_message()
                                                   : c.laser_w > 0 && c.heating_w >= 0 && c.guide_cycles > 0);
    const ws_optics_group group = {.wavelengths = 64, .writers = 1, .readers = 8};
    ws_optics_links l;
    hold(ws_optics_links_of(optics, &group, 1, 64, &l) ? *ws_message()
                                                       : l.laser_w > 0 && l.heating_w >= 0 && l.flight_ps > 0);
}

/* An organisation is a row of the table and values within the bounds of its options, or the message says what is wrong.
 */
static void use_organisation(const char *data, size_t size)
{
    for (unsigned part = 0; part < WS_MEMORY_PARTS; part++) {
        char *const text = strndup(data, size);
        const ws_memory_ops *ops = NULL;
        uint64_t values[WS_MEMORY_OPTIONS] = {0};
        hold(text != NULL);
        if (ws_organisation_parse((ws_memory_part)part, text, &ops, values))
            hold(*ws_message());
        else
            for (unsigned i = 0; ops->options && ops->options[i].name; i++)
                hold(values[i] >= ops->options[i].least && values[i] <= ops->options[i].most);
        free(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const text = size ? (const char *)data : "";
    ws_node node;
    ws_cell cell;
    ws_chip chip;
    ws_energies energies;
    ws_memory_energies memory;
    ws_optics optics;
    ws_memory_tech tech;
    if (!ws_node_parse("fuzz", text, size, &node))
        use_node(&node);
    if (ws_cell_parse("fuzz", text, size, &cell))
        hold(*ws_message());
    if (!ws_chip_parse("fuzz", text, size, &chip))
        use_chip(&chip);
    if (!ws_energies_parse("fuzz", text, size, &energies))
        hold(energies.reference_volts > 0);
    if (ws_memory_energies_parse("fuzz", text, size, &memory))
        hold(*ws_message());
    if (!ws_optics_parse("fuzz", text, size, &optics))
        use_optics(&optics);
    if (!ws_memory_tech_parse("fuzz", text, size, &tech))
        hold(tech.cell_retention > 0 && tech.write_sram > 0);
    use_organisation(text, size);
    return 0;
}
