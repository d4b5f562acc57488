/* power_scheduler.c - which warp issues, and where it goes on.
 *
 * In each cycle all warps of an SM take part in a tree of arbiters, for each instruction that a scheduler may issue
 * (Palacharla, Jouppi, Smith, Complexity-Effective Superscalar Processors, ISCA 1997); the warp that issues reads and
 * writes its state: program counter, active lanes, where they meet again. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

static double warps(const ws_power_build *b)
{
    return (double)b->machine->sm_threads / WS_WARP;
}

static double arbiters(const ws_power_build *b)
{
    return warps(b) * b->machine->sm_issue * b->energies->scheduler_pick;
}

ws_power_size ws_power_scheduler_size(const ws_power_build *b)
{
    const double flipflops = warps(b) * b->energies->scheduler_state;
    return (ws_power_size){flipflops, flipflops * b->energies->logic_flipflop + arbiters(b)};
}

int ws_power_add_scheduler(ws_power_build *b)
{
    const ws_energies *const e = b->energies;
    int status = ws_power_event(b, WS_COUNTER(sm_busy_cycles, 0), ws_power_switched(b, arbiters(b) * e->wire_swing),
                                "%g warps, %u issued by each scheduler, %g transistors each", warps(b),
                                b->machine->sm_issue, e->scheduler_pick);
    if (!status)
        status = ws_power_instructions(
            b, e->scheduler_state * (ws_power_latched(b) + ws_power_switched(b, e->logic_crossing * e->wire_swing)),
            "%g bits of a warp read and written", e->scheduler_state);
    return status ? status : ws_power_leak_of(b, ws_power_scheduler_size(b), "schedulers of an SM");
}
