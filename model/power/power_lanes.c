/* power_lanes.c - lanes beyond their operations: operands and results on their way, pipeline registers.
 *
 * A lane is a square of an SM's area. Words cross it; its pipeline has a stage for each cycle of a multiply-add of
 * floats, and a register between stages, which McPAT counts as two words (Li et al., MICRO 2009). A lane for doubles
 * has twice the width. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"
#include "model/machine/operation_times.h"

enum { BITS = 32, WIDE = 2 };

static double stage_bits(const ws_power_build *b, unsigned unit)
{
    return b->energies->lanes_bits * (unit == WS_UNIT_DP ? WIDE : 1);
}

static double stages(const ws_power_build *b)
{
    return b->machine->latency_fp_mad;
}

/* Lanes of each kind of unit: operations that a cycle begins. Accesses have as many as a warp at most. */
static void count_lanes(const ws_machine *m, double lanes[WS_UNITS])
{
    static const ws_operation of[] = {WS_OPERATION_fp_mad, WS_OPERATION_int_add, WS_OPERATION_dp_mad,
                                      WS_OPERATION_special, WS_OPERATION_matrix_mixed};
    static const unsigned own[] = {WS_UNIT_SP, WS_UNIT_INT, WS_UNIT_DP, WS_UNIT_SFU, WS_UNIT_TENSOR};
    double cycles[WS_OPERATIONS];
    uint8_t unit[WS_OPERATIONS];
    ws_decode_operations(m, cycles, unit);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        lanes[own[i]] = unit[of[i]] == own[i] && cycles[of[i]] > 0 ? 1 / cycles[of[i]] : 0;
    lanes[WS_UNIT_MEMORY] = m->sm_lanes;
    lanes[WS_UNIT_NONE] = 0;
}

ws_power_size ws_power_lanes_size(const ws_power_build *b)
{
    double lanes[WS_UNITS], bits = 0;
    count_lanes(b->machine, lanes);
    for (unsigned unit = 0; unit < WS_UNITS; unit++)
        bits += lanes[unit] * (unit == WS_UNIT_TENSOR ? b->energies->lanes_product : stage_bits(b, unit));
    bits *= stages(b);
    return (ws_power_size){bits, bits * b->energies->logic_flipflop};
}

static int add_words(ws_power_build *b)
{
    const double way = b->energies->lanes_way * ws_power_lane_side_m(b), word = BITS * way * b->wire;
    const int status = ws_power_event(b, WS_COUNTER(registers_read_lanes, 0), word,
                                      "an operand, %.3f mm of wires of a lane", way * 1e3);
    return status ? status
                  : ws_power_event(b, WS_COUNTER(registers_write_lanes, 0), word,
                                   "a result, %.3f mm of wires of a lane", way * 1e3);
}

int ws_power_add_lanes(ws_power_build *b)
{
    int status = add_words(b);
    for (unsigned unit = 0; unit < WS_UNITS && !status; unit++)
        if (unit != WS_UNIT_NONE)
            status =
                ws_power_event(b, WS_COUNTER(unit_lanes, unit), stages(b) * stage_bits(b, unit) * ws_power_latched(b),
                               "%g stages of %g bits", stages(b), stage_bits(b, unit));
    return status ? status : ws_power_leak_of(b, ws_power_lanes_size(b), "pipeline registers of an SM's lanes");
}
