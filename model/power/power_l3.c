/* power_l3.c - caches between L2 and memory. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

int ws_power_add_l3(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const ws_power_cache_shape shape = {.bytes = m->l3_size,
                                        .ways = m->l3_ways,
                                        .line = m->l2_line,
                                        .sector = m->l3_sector ? m->l3_sector : m->l2_sector,
                                        .cache = WS_ACTIVITY_L3,
                                        .way_m = b->energies->l2_way * 1e-3,
                                        .copies = ws_machine_channels(m)};
    return m->l3_size ? ws_power_add_cache(b, &shape) : WS_OK;
}
