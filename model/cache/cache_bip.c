/* cache_bip.c - new lines are the next to go, but for one now and then: what does not fit passes through a part of the
 * cache.
 *
 * Bimodal insertion, in Qureshi, Jaleel, Patt, Steely, Emer, "Adaptive Insertion Policies for High Performance
 * Caching", ISCA 2007; with `epsilon` at its greatest nearly their LIP, with 1 it is lru. */
#include "model/cache/cache_policy_internal.h"

enum { EPSILON, SEED };
static const ws_option options[] = {
    [EPSILON] = WS_OPTION_EPSILON,
    [SEED] = WS_OPTION_SEED,
    {NULL, NULL, 0, 0, 0, NULL},
};

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    const bool front = ws_chance(set->shared, set->values[EPSILON], set->values[SEED]);
    ws_chain_put(set->chain, set->ways, way, front ? 0 : set->ways);
}

const ws_cache_replacement ws_cache_replacement_bip = {
    .name = "bip",
    .summary = "as lru, but most new lines are the next to go",
    .options = options,
    .cache_bytes = sizeof(uint64_t),
    .chain = true,
    .insert = insert,
};
