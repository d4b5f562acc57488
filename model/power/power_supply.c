/* power_supply.c - what comes before and after units: instructions, and the registers and clock of pipelines. The
 * leakage of all logic of SMs is here: which unit has which part of the transistors is not published. */
#include "model/power/power_internal.h"

int ws_power_add_supply(ws_power_build *b)
{
    const ws_energies *const e = b->energies;
    int status = WS_OK;
    for (unsigned unit = 0; unit < WS_UNITS && !status; unit++)
        status = ws_power_event(b, WS_COUNTER(unit_instructions, unit), e->supply_instruction * 1e-12 * b->logic,
                                "%g pJ at %s, %g V, times %.3g of C V^2", e->supply_instruction, e->node,
                                e->reference_volts, b->logic);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(sm_busy_cycles, 0), e->supply_cycle * 1e-12 * b->logic,
                                "%g pJ at %s, %g V, times %.3g of C V^2", e->supply_cycle, e->node, e->reference_volts,
                                b->logic);
    return status ? status : ws_power_leak_in_sms(b, ws_power_sm_leakage(b), "transistors of logic in an SM");
}
