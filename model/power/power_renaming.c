/* power_renaming.c - tables of registers that speculative loads renamed: each access, where a machine counts any. */
#include "model/power/power_internal.h"

int ws_power_add_renaming(ws_power_build *b)
{
    ws_race_costs c;
    int status = ws_power_race_costs(b, &c);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(race_reads, WS_ACTIVITY_RENAMING), c.renaming_read_j, "a register looked up");
    return status ? status : ws_power_event(b, WS_COUNTER(race_writes, WS_ACTIVITY_RENAMING), c.renaming_write_j, "a register put in");
}
