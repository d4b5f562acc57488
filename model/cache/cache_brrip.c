/* cache_brrip.c - as srrip, but most new lines are expected to be used last of all: what does not fit passes through a
 * part of the cache.
 *
 * The bimodal policy of Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using Re-Reference Interval
 * Prediction (RRIP)", ISCA 2010. */
#include "model/cache/cache_policy_internal.h"

enum { EPSILON = WS_RRIP_OPTIONS, SEED };
static const ws_option options[] = {
    [WS_RRIP_RRPV] = WS_OPTION_RRPV, [WS_RRIP_FREQUENCY] = WS_OPTION_FREQUENCY,
    [EPSILON] = WS_OPTION_EPSILON,   [SEED] = WS_OPTION_SEED,
    {NULL, NULL, 0, 0, 0, NULL},
};

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    ws_rrip_put(set, way, !ws_chance(set->shared, set->values[EPSILON], set->values[SEED]));
}

const ws_cache_replacement ws_cache_replacement_brrip = {
    .name = "brrip",
    .summary = "as srrip, but the distance of most new lines is the greatest",
    .options = options,
    .cache_bytes = sizeof(uint64_t),
    .line_bytes = 1,
    .insert = insert,
    .hit = ws_rrip_hit,
    .victim = ws_rrip_victim,
    .leave = ws_rrip_leave,
};
