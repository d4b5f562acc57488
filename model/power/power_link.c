/* power_link.c - links between the chips of a package. */
#include "model/power/power_internal.h"

enum { BITS = 8, FIRST = 2 };

int ws_power_add_link(ws_power_build *b)
{
    int status = WS_OK;
    for (unsigned d = FIRST; d < WS_ACTIVITY_DIRECTIONS && !status; d++)
        status = ws_power_event(b, WS_COUNTER(network_bytes, d), BITS * b->energies->link_bit * 1e-12,
                                "8 bits of %g pJ", b->energies->link_bit);
    return status;
}
