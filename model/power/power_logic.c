/* power_logic.c - leakage of the logic of SMs that no other component counts: arithmetic, texture units, control. */
#include "model/power/power_internal.h"

#include <math.h>

ws_power_size ws_power_uncounted(const ws_power_build *b)
{
    const double all = b->chip->transistors * b->chip->sm_share / b->chip->sms;
    const double rest = fmax(0, all - ws_power_counted(b).transistors);
    return (ws_power_size){rest * b->energies->clock_share / b->energies->logic_flipflop, rest};
}

int ws_power_add_logic(ws_power_build *b)
{
    return ws_power_leak_of(b, ws_power_uncounted(b), "transistors of an SM that no other part counts");
}
