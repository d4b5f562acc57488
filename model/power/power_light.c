/* power_light.c - which networks are crossbars of light, and what one is made of. */
#include "model/power/power_internal.h"

#include "model/sim/network/network.h"
#include "model/machine/network_options.h"
#include "model/machine/machine.h"

#include <math.h>

enum { BITS = 8 };

uint64_t ws_power_flit_bytes(const ws_machine *m, unsigned direction)
{
    return ws_machine_network_option(m, direction, ws_network_common_options, "flit_bytes");
}

uint64_t ws_power_network_option(const ws_machine *m, unsigned direction, const char *name)
{
    return ws_machine_network_option(m, direction, ws_machine_network_kind(m, direction)->options, name);
}

/* Light goes around in the time that the network takes for it, or in less. */
static int check_loop(const ws_power_build *b, const char *network, uint64_t loop, double cycles)
{
    return cycles <= (double)loop ? WS_OK
                                  : ws_fail(WS_EINPUT,
                                            "network %s: loop = %llu cycles, but light takes %.2f of them for the %g "
                                            "mm of [guide] length in %s: give loop = %.0f or more",
                                            network, (unsigned long long)loop, cycles, b->optics->length_mm,
                                            b->machine->power_optics, ceil(cycles));
}

int ws_power_light(const ws_power_build *b, unsigned direction, bool *light, ws_optics_crossbar *out)
{
    const ws_machine *const m = b->machine;
    const ws_network_kind *const network = ws_machine_network_kind(m, direction);
    *light = network->medium == WS_MEDIUM_READERS || network->medium == WS_MEDIUM_WRITERS;
    if (!*light)
        return WS_OK;
    const ws_optics_shape shape = {.kind = network->medium == WS_MEDIUM_READERS ? WS_OPTICS_MWSR : WS_OPTICS_SWMR,
                                   .nodes = ws_machine_nodes(m),
                                   .bits = (uint32_t)(BITS * ws_power_flit_bytes(m, direction)),
                                   .wavelengths = (uint32_t)ws_power_network_option(m, direction, "wavelengths"),
                                   .directions = 1,
                                   .clock_hz = m->chip_network_clock * 1e3};
    const int status = ws_optics_crossbar_of(b->optics, &shape, out);
    return status ? status
                  : check_loop(b, network->name, ws_power_network_option(m, direction, "loop"), out->guide_cycles);
}
