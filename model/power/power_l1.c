/* power_l1.c - L1 data caches. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

int ws_power_add_l1(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const ws_power_cache_shape shape = {.bytes = (uint64_t)m->l1_sets * m->l1_ways * m->l1_line,
                                        .ways = m->l1_ways,
                                        .line = m->l1_line,
                                        .sector = m->l1_sector,
                                        .cache = WS_ACTIVITY_L1,
                                        .way_m = b->energies->l1_way * ws_power_sm_side_m(b),
                                        .copies = m->chip_sms,
                                        .in_sms = true};
    return m->l1_enabled ? ws_power_add_cache(b, &shape) : WS_OK;
}
