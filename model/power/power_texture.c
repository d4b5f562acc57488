/* power_texture.c - texture caches. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

int ws_power_add_texture(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const ws_power_cache_shape shape = {.bytes = (uint64_t)m->texture_sets * m->texture_ways * m->texture_line,
                                        .ways = m->texture_ways,
                                        .line = m->texture_line,
                                        .sector = m->texture_line,
                                        .cache = WS_ACTIVITY_TEXTURE,
                                        .way_m = b->energies->l1_way * ws_power_sm_side_m(b),
                                        .copies = m->chip_sms,
                                        .in_sms = true,
                                        .cells = m->texture_memory};
    return ws_power_add_cache(b, &shape);
}
