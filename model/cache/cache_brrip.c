/* cache_brrip.c - as srrip, but most new lines are expected to be used last of all: what does not fit passes through a part of
 * the cache.
 *
 * The bimodal policy of Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using Re-Reference Interval
 * Prediction (RRIP)", ISCA 2010. */
#include "model/cache/cache_policy_internal.h"

enum { RRPV, FREQUENCY, EPSILON, SEED };
static const ws_option options[] = {
    [RRPV] = WS_OPTION_RRPV,
    [FREQUENCY] = WS_OPTION_FREQUENCY,
    [EPSILON] = WS_OPTION_EPSILON,
    [SEED] = WS_OPTION_SEED,
    {NULL, NULL, 0, 0, 0, NULL},
};

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    const bool near = ws_chance(set->shared, set->values[EPSILON], set->values[SEED]);
    set->line[way] = (uint8_t)(ws_rrip_far(set->values[RRPV]) - near);
}

static void hit(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    ws_rrip_hit(set, way, set->values[FREQUENCY]);
}

static uint32_t victim(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)use;
    return ws_rrip_victim(set);
}

static void leave(const ws_cache_set *set, uint32_t way, ws_cache_end end)
{
    ws_rrip_leave(set, way, end, ws_rrip_far(set->values[RRPV]));
}

const ws_cache_replacement ws_cache_replacement_brrip = {
    .name = "brrip",
    .summary = "as srrip, but the distance of most new lines is the greatest",
    .options = options,
    .cache_bytes = sizeof(uint64_t),
    .line_bytes = 1,
    .insert = insert,
    .hit = hit,
    .victim = victim,
    .leave = leave,
};
