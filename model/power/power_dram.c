/* power_dram.c - memory parts. Their voltage is their own. */
#include "model/power/power_internal.h"

#include "model/machine/machine.h"
enum { BITS = 8 };

int ws_power_add_dram(ws_power_build *b)
{
    const ws_memory_energies *const e = b->memory;
    const ws_memory_shape *const shape = &b->machine->shape.memory;
    const double burst = BITS * b->machine->shape.part.burst_bytes;
    int status = ws_power_event(b, WS_COUNTER(dram_activates, 0), e->activate * 1e-12, "open and close a row: %g pJ",
                                e->activate);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(dram_reads, 0), burst * (e->read + e->io) * 1e-12,
                                "%g bits of %g pJ to the pins and %g through them", burst, e->read, e->io);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(dram_writes, 0), burst * (e->write + e->io) * 1e-12,
                                "%g bits of %g pJ from the pins and %g through them", burst, e->write, e->io);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(dram_refreshes, 0), e->refresh * 1e-12, "a refresh: %g pJ", e->refresh);
    if (status)
        return status;
    const double parts = ws_machine_channels(b->machine) * shape->parts;
    return ws_power_leak(b, WS_WHILE_RUNNING, parts * e->standby * 1e-3, "%g channels%s of %g mW", parts,
                         shape->parts > 1 ? " or stacks" : "", e->standby);
}
