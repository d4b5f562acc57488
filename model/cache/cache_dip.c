/* cache_dip.c - lru or bip, whichever misses less in a few sets that always follow it.
 *
 * Qureshi, Jaleel, Patt, Steely, Emer, "Adaptive Insertion Policies for High Performance Caching", ISCA 2007. */
#include "model/cache/cache_policy_internal.h"

enum { LEADERS, PSEL, EPSILON, SEED };
static const ws_option options[] = {
    [LEADERS] = WS_OPTION_LEADERS, [PSEL] = WS_OPTION_PSEL,     [EPSILON] = WS_OPTION_EPSILON,
    [SEED] = WS_OPTION_SEED,       {NULL, NULL, 0, 0, 0, NULL},
};

static int configure(const uint64_t *values, uint32_t sets, uint32_t ways)
{
    (void)ways;
    return ws_duel_check("dip", values[LEADERS], sets);
}

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    const uint64_t *const v = set->values;
    const bool last = ws_duel_puts_last(set, &(ws_duel_rules){v[LEADERS], v[PSEL], v[EPSILON], v[SEED]});
    ws_chain_put(set->chain, set->ways, way, last ? set->ways : 0);
}

const ws_cache_replacement ws_cache_replacement_dip = {
    .name = "dip",
    .summary = "lru or bip, whichever misses less in a few sets that always follow it",
    .options = options,
    .configure = configure,
    .cache_bytes = sizeof(ws_duel),
    .chain = true,
    .insert = insert,
};
