/* power_registers.c - banks of 32 lanes' registers, collectors, and the way to the lanes. A lane that takes no part reads and writes
 * nothing. */
#include "model/power/power_internal.h"

#include "model/sim/sim_activity.h"

enum { BITS = 32, BYTES = 4 };

int ws_power_add_registers(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const uint64_t banks = ws_register_banks(m), bytes = (uint64_t)m->sm_registers * BYTES;
    const double way = BITS * b->energies->registers_way * 1e-3 * b->wire;
    ws_array_result bank = {0};
    int status = ws_power_array(b, bytes / banks, WS_WARP * BYTES, 0, &bank);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(registers_read_lanes, 0), bank.read_j / WS_WARP + way,
                                "1/32 of a row of %d bytes of a bank of %g KB, %g mm of wires", WS_WARP * BYTES,
                                (double)bytes / (double)banks / 1024, b->energies->registers_way);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(registers_write_lanes, 0), bank.write_j / WS_WARP + way,
                                "1/32 of a row of %d bytes of a bank of %g KB, %g mm of wires", WS_WARP * BYTES,
                                (double)bytes / (double)banks / 1024, b->energies->registers_way);
    return status ? status : ws_power_leak_in_sms(b, bank.leakage_w * (double)banks, "banks of registers of an SM");
}
