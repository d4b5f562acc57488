/* shared_memory_sram.c - banks of one memory, with the times of the machine. */
#include "model/sim/sm/shared_memory_internal.h"

static ws_shared_time serve(void *state, const ws_shared_setup *setup, const ws_shared_access *access)
{
    (void)state;
    return ws_shared_plain(setup, access);
}

const ws_shared_memory_ops ws_shared_memory_sram = {
    .access = serve,
};
