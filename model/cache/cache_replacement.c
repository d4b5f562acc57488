/* cache_replacement.c - which line of a full set is given up? */
#include "model/cache/cache_internal.h"

uint32_t ws_cache_last_unlocked(const ws_cache_chain *chain, uint32_t first)
{
    for (uint32_t position = chain->used; position-- > first;)
        if (!chain->locked[chain->order[position]])
            return position;
    return WS_CACHE_NONE;
}

static uint32_t at_the_head(void *state, const ws_cache_chain *chain, const ws_cache_use *use)
{
    (void)state, (void)chain, (void)use;
    return 0;
}

static uint32_t to_the_head(void *state, const ws_cache_chain *chain, uint32_t position, const ws_cache_use *use)
{
    (void)state, (void)chain, (void)position, (void)use;
    return 0;
}

static uint32_t stay(void *state, const ws_cache_chain *chain, uint32_t position, const ws_cache_use *use)
{
    (void)state, (void)chain, (void)use;
    return position;
}

static uint32_t last_unlocked(const void *state, const ws_cache_chain *chain, const ws_cache_use *use)
{
    (void)state, (void)use;
    return ws_cache_last_unlocked(chain, 0);
}

const ws_cache_replacement ws_cache_replacement_lru = {
    .name = "lru",
    .summary = "the line that was not used for longest",
    .insert = at_the_head,
    .promote = to_the_head,
    .victim = last_unlocked,
};

const ws_cache_replacement ws_cache_replacement_fifo = {
    .name = "fifo",
    .summary = "the line that came first",
    .insert = at_the_head,
    .promote = stay,
    .victim = last_unlocked,
};
