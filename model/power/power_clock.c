/* power_clock.c - clock of SMs: a tree of wires with buffers, and the clocked transistors of all flip-flops: those that
 * other components count, and a share of the transistors of an SM that none counts.
 *
 * The shortest tree to N points of a square is `length` times the root of N times its area (Steele, Growth Rates of
 * Euclidean Minimal Spanning Trees, 1988). Buffers of fan-out f add 1 / f + 1 / f^2 + ... of what they drive. An SM
 * without a block is clocked as far as the gates, behind which it stands still. */
#include "model/power/power_internal.h"

#include <math.h>

/* Metres of wires of a tree with so many leaves in an SM. */
static double tree_m(const ws_power_build *b, double leaves)
{
    return b->energies->clock_length * sqrt(leaves) * ws_power_sm_side_m(b);
}

/* Each cycle charges the wire and discharges it again, whatever the data. */
static double wire_j(const ws_power_build *b, double metres)
{
    const double fanout = b->energies->clock_fanout, buffers = fanout / (fanout - 1);
    return metres * buffers * ws_node_wire_capacitance(b->node) * b->volts * b->volts;
}

int ws_power_add_clock(ws_power_build *b)
{
    const double flipflops = ws_power_counted(b).flipflops + ws_power_uncounted(b).flipflops;
    const double gates = flipflops / b->energies->clock_gate;
    const double trunk = tree_m(b, gates), leaves = tree_m(b, flipflops);
    const int status =
        ws_power_event(b, WS_COUNTER(sm_busy_cycles, 0),
                       wire_j(b, trunk + leaves) + flipflops * ws_power_switched(b, b->energies->logic_clocked),
                       "%.3g flip-flops, %.0f mm of wires", flipflops, 1e3 * (trunk + leaves));
    return status ? status
                  : ws_power_event(b, WS_COUNTER(sm_idle_cycles, 0), wire_j(b, trunk),
                                   "%.0f mm of wires, to %.0f gates", 1e3 * trunk, gates);
}
