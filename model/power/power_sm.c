/* power_sm.c - the size of an SM and of its logic, with energy and leakage, as components share them. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"
#include "model/machine/operation_times.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

double ws_power_sm_side_m(const ws_power_build *b)
{
    return sqrt(b->chip->area_mm2 * 1e-6 * b->chip->sm_share / b->chip->sms);
}

double ws_power_lane_side_m(const ws_power_build *b)
{
    double cycles[WS_OPERATIONS];
    uint8_t unit[WS_OPERATIONS];
    ws_decode_operations(b->machine, cycles, unit);
    return ws_power_sm_side_m(b) * sqrt(b->energies->lanes_share * cycles[WS_OPERATION_fp_mad]);
}

double ws_power_switched(const ws_power_build *b, double transistors)
{
    const double gate = b->energies->logic_width * ws_node_gate_capacitance(b->node);
    return transistors * gate * b->volts * b->volts;
}

double ws_power_latched(const ws_power_build *b)
{
    const ws_energies *const e = b->energies;
    return ws_power_switched(b, (e->logic_flipflop - e->logic_clocked) * e->wire_swing);
}

ws_power_size ws_power_counted(const ws_power_build *b)
{
    const ws_power_size part[] = {ws_power_lanes_size(b), ws_power_decode_size(b), ws_power_scoreboard_size(b),
                                  ws_power_scheduler_size(b), ws_power_collectors_size(b)};
    ws_power_size sum = {0};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        sum.flipflops += part[i].flipflops;
        sum.transistors += part[i].transistors;
    }
    return sum;
}

int ws_power_leak_of(ws_power_build *b, ws_power_size size, const char *why)
{
    return ws_power_leak_in_sms(b, ws_power_transistors_leakage(b, size.transistors), why);
}

int ws_power_instructions(ws_power_build *b, double joules, const char *why, ...)
{
    char text[sizeof((ws_power_term){0}.why)];
    va_list arguments;
    int status = WS_OK;
    va_start(arguments, why);
    vsnprintf(text, sizeof text, why, arguments);
    va_end(arguments);
    for (unsigned unit = 0; unit < WS_UNITS && !status; unit++)
        status = ws_power_event(b, WS_COUNTER(unit_instructions, unit), joules, "%s", text);
    return status;
}
