/* power_controller.c - memory controllers and the chip's side of the pins. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

enum { BITS = 8 };

int ws_power_add_controller(ws_power_build *b)
{
    const double burst = BITS * b->machine->shape.part.burst_bytes,
                 bit = b->energies->controller_bit * 1e-12 * b->logic;
    const int status = ws_power_event(b, WS_COUNTER(dram_reads, 0), burst * bit, "%g bits of %g pJ", burst, bit * 1e12);
    return status ? status
                  : ws_power_event(b, WS_COUNTER(dram_writes, 0), burst * bit, "%g bits of %g pJ", burst, bit * 1e12);
}
