/* shared_memory_stt.c - banks of magnetic memory: written whole, or only where bits change, or with writes that end
 * early. */
#include "model/sim/sm/shared_memory_internal.h"

static ws_shared_time serve(void *state, const ws_shared_setup *s, const ws_shared_access *access)
{
    ws_cells c;
    (void)state;
    c = ws_shared_stt_cells(s->values);
    return ws_shared_magnetic(s, &c, access);
}

const ws_shared_memory_ops ws_shared_memory_stt = {
    .access = serve,
};
