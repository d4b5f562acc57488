/* cache_replacement.c - lru and fifo: both live in the chain alone. */
#include "model/cache/cache_internal.h"

const ws_cache_replacement ws_cache_replacement_lru = {
    .name = "lru",
    .longest_ago = true,
    .summary = "the line that was not used for longest",
    .chain = true,
    .renews = true,
};

static void stay(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)set, (void)way, (void)use;
}

const ws_cache_replacement ws_cache_replacement_fifo = {
    .name = "fifo",
    .summary = "the line filled first (FIFO)",
    .chain = true,
    .hit = stay,
};
