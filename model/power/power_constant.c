/* power_constant.c - constant caches: a lookup gives all lanes one word. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

enum { WORD = 4 };

int ws_power_add_constant(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const ws_power_cache_shape shape = {.bytes = (uint64_t)m->constant_sets * m->constant_ways * m->constant_line,
                                        .ways = m->constant_ways,
                                        .line = m->constant_line,
                                        .sector = WORD,
                                        .cache = WS_ACTIVITY_CONSTANT,
                                        .way_m = b->energies->l1_way * ws_power_sm_side_m(b),
                                        .copies = m->chip_sms,
                                        .in_sms = true,
                                        .cells = m->constant_memory};
    return ws_power_add_cache(b, &shape);
}
