/* power_filter.c - filters of race detection at L1s: each address that is looked up, each signature that takes the
 * place of the one before. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

int ws_power_add_filter(ws_power_build *b)
{
    const unsigned bits = b->machine->coherence_race_bits;
    ws_race_costs c;
    int status = ws_power_race_costs(b, &c);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(race_reads, WS_ACTIVITY_FILTER), c.filter_access_j,
                                "an address, in a signature of %u bits", bits);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(race_writes, WS_ACTIVITY_FILTER), c.filter_access_j,
                                "a signature of %u bits taken, as one access", bits);
    const unsigned depth = b->machine->coherence_race_depth;
    return status || !depth
               ? status
               : ws_power_leak_in_sms(b, depth * c.filter_leakage_w, depth > 1 ? "signatures" : "a signature");
}
