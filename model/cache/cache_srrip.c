/* cache_srrip.c - new lines are expected to be used late, lines that were hit soon: a scan leaves these alone.
 *
 * The static policy of Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using Re-Reference Interval
 * Prediction (RRIP)", ISCA 2010. */
#include "model/cache/cache_policy_internal.h"

static const ws_option options[] = {
    [WS_RRIP_RRPV] = WS_OPTION_RRPV,
    [WS_RRIP_FREQUENCY] = WS_OPTION_FREQUENCY,
    {NULL, NULL, 0, 0, 0, NULL},
};

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    ws_rrip_put(set, way, false);
}

const ws_cache_replacement ws_cache_replacement_srrip = {
    .name = "srrip",
    .summary = "by a predicted distance to the next use, long for new lines",
    .options = options,
    .line_bytes = 1,
    .insert = insert,
    .hit = ws_rrip_hit,
    .victim = ws_rrip_victim,
    .leave = ws_rrip_leave,
};
