/* power_scoreboard.c - which registers of a warp wait for a result.
 *
 * A warp has a few entries, each the number of a register; those of an instruction are compared with all of its warp's
 * (Coon, Mills, Oberman, Siu, US patent 7,434,032, 2008). An entry is written at issue and cleared at the result. Since
 * Volta there are as many counters, which the instruction names. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

enum { WRITES = 2 };

static double comparators(const ws_power_build *b)
{
    const ws_energies *const e = b->energies;
    return b->machine->sm_scoreboard * e->scoreboard_name * e->scoreboard_operands * e->logic_comparator;
}

ws_power_size ws_power_scoreboard_size(const ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const double warps = (double)m->sm_threads / WS_WARP, issued = (double)m->sm_schedulers * m->sm_issue;
    const double flipflops = warps * m->sm_scoreboard * b->energies->scoreboard_name;
    return (ws_power_size){flipflops, flipflops * b->energies->logic_flipflop + issued * comparators(b)};
}

int ws_power_add_scoreboard(ws_power_build *b)
{
    const ws_energies *const e = b->energies;
    const double each =
        ws_power_switched(b, comparators(b) * e->wire_swing) + WRITES * e->scoreboard_name * ws_power_latched(b);
    const int status = ws_power_instructions(b, each, "%g registers of %g bits against %u entries, one written twice",
                                             e->scoreboard_operands, e->scoreboard_name, b->machine->sm_scoreboard);
    return status ? status : ws_power_leak_of(b, ws_power_scoreboard_size(b), "scoreboards of an SM");
}
