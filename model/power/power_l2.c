/* power_l2.c - slices of L2. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

int ws_power_add_l2(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const ws_power_cache_shape shape = {.bytes = (uint64_t)m->l2_sets * m->l2_ways * m->l2_line,
                                        .ways = m->l2_ways,
                                        .line = m->l2_line,
                                        .sector = m->l2_sector,
                                        .cache = WS_ACTIVITY_L2,
                                        .way_m = b->energies->l2_way * 1e-3,
                                        .copies = ws_machine_slices(m)};
    return ws_power_add_cache(b, &shape);
}
