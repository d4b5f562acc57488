/* power_light.c - which networks are crossbars of light, and what one is made of. */
#include "model/power/power_internal.h"

#include "model/machine/machine.h"
#include "model/machine/network_kind.h"

#include <math.h>

enum { BITS = 8 };

/* Light goes around in the time that the network takes for it, or in less. */
static int check_loop(const ws_power_build *b, const char *network, uint32_t loop, double cycles)
{
    return cycles <= loop
               ? WS_OK
               : ws_fail(WS_EINPUT,
                         "network %s: loop = %u cycles, but light takes %.2f of them for the %g mm of [guide] length "
                         "in %s: give loop = %.0f or more",
                         network, loop, cycles, b->optics->length_mm, b->machine->power_optics, ceil(cycles));
}

int ws_power_light(const ws_power_build *b, unsigned direction, bool *light, ws_optics_crossbar *out)
{
    const ws_machine *const m = b->machine;
    const ws_network_plan *const network = &m->shape.network[direction];
    const ws_network_medium medium = network->kind->medium;
    *light = medium == WS_MEDIUM_READERS || medium == WS_MEDIUM_WRITERS;
    if (!*light)
        return WS_OK;
    const ws_optics_shape shape = {.kind = medium == WS_MEDIUM_READERS ? WS_OPTICS_MWSR : WS_OPTICS_SWMR,
                                   .nodes = network->nodes,
                                   .bits = BITS * network->flit_bytes,
                                   .wavelengths = network->wavelengths,
                                   .directions = 1,
                                   .clock_hz = m->chip_network_clock * 1e3};
    const int status = ws_optics_crossbar_of(b->optics, &shape, out);
    return status ? status : check_loop(b, network->kind->name, network->loop, out->guide_cycles);
}
