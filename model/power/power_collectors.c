/* power_collectors.c - operand collectors: what a bank gives waits there until its instruction has all operands.
 *
 * A collector keeps three registers of a warp; a crossbar brings each bank to each collector (Lim et al., Power
 * Modeling for GPU Architectures Using McPAT, 2014; Leng et al., GPUWattch, 2013). Its wires are the way of
 * `registers`. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"
#include "model/machine/register_kind.h"

enum { BITS = 32, OPERANDS = 3 };

ws_power_size ws_power_collectors_size(const ws_power_build *b)
{
    const double collectors = ws_register_collectors(b->machine), banks = ws_register_banks(b->machine);
    const double row = BITS * WS_WARP, flipflops = collectors * OPERANDS * row;
    return (ws_power_size){flipflops, flipflops * b->energies->logic_flipflop +
                                          banks * collectors * row * b->energies->logic_crossing};
}

int ws_power_add_collectors(ws_power_build *b)
{
    const ws_energies *const e = b->energies;
    const double bit = ws_power_latched(b) + ws_power_switched(b, e->logic_crossing * e->wire_swing);
    const uint32_t collectors = ws_register_collectors(b->machine);
    if (!collectors)
        return WS_OK;
    const int status = ws_power_event(b, WS_COUNTER(registers_read_lanes, 0), BITS * bit,
                                      "32 bits through a switch into one of %u collectors", collectors);
    return status ? status : ws_power_leak_of(b, ws_power_collectors_size(b), "collectors of an SM");
}
