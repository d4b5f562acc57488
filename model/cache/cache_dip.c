/* cache_dip.c - lru or bip, whichever misses less in a few sets that always follow it.
 *
 * Qureshi, Jaleel, Patt, Steely, Emer, "Adaptive Insertion Policies for High Performance Caching", ISCA 2007. */
#include "model/cache/cache_policy_internal.h"

#include "base/status.h"

enum { LEADERS, PSEL, EPSILON, SEED };
static const ws_option options[] = {
    [LEADERS] = WS_OPTION_LEADERS,
    [PSEL] = WS_OPTION_PSEL,
    [EPSILON] = WS_OPTION_EPSILON,
    [SEED] = WS_OPTION_SEED,
    {NULL, NULL, 0, 0, 0, NULL},
};

int ws_duel_check(const char *name, uint64_t leaders, uint32_t sets)
{
    if (sets < 2)
        return ws_fail(WS_EINPUT, "%s lets sets compete: expected at least 2 sets, there is %u", name, sets);
    if (leaders > sets / 2)
        return ws_fail(WS_EINPUT, "leaders is %llu, expected at most half of the %u sets for each rule of %s, or 0",
                       (unsigned long long)leaders, sets, name);
    return WS_OK;
}

static int configure(const uint64_t *values, uint32_t sets, uint32_t ways)
{
    (void)ways;
    return ws_duel_check("dip", values[LEADERS], sets);
}

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    ws_duel *const duel = set->shared;
    const uint64_t *const v = set->values;
    const bool last =
        ws_duel_second(set, v[LEADERS], v[PSEL]) && !ws_chance(&duel->asked, v[EPSILON], v[SEED]);
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
