/* cache_srrip.c - new lines are expected to be used late, lines that were hit soon: a scan leaves these alone.
 *
 * The static policy of Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using Re-Reference Interval
 * Prediction (RRIP)", ISCA 2010. */
#include "model/cache/cache_policy_internal.h"

enum { RRPV, FREQUENCY };
static const ws_option options[] = {
    [RRPV] = WS_OPTION_RRPV,
    [FREQUENCY] = WS_OPTION_FREQUENCY,
    {NULL, NULL, 0, 0, 0, NULL},
};

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    set->line[way] = (uint8_t)(ws_rrip_far(set->values[RRPV]) - 1);
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

const ws_cache_replacement ws_cache_replacement_srrip = {
    .name = "srrip",
    .summary = "by a predicted distance to the next use, long for new lines",
    .options = options,
    .line_bytes = 1,
    .insert = insert,
    .hit = hit,
    .victim = victim,
    .leave = leave,
};
