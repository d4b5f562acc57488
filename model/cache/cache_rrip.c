/* cache_rrip.c - what policies of predicted distances do alike with lines that are there. */
#include "model/cache/cache_policy_internal.h"

void ws_rrip_hit(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    if (set->line[way])
        set->line[way] = set->values[WS_RRIP_FREQUENCY] ? (uint8_t)(set->line[way] - 1) : 0;
}

/* The first of those that are farthest. The paper makes all lines older by one until one is far; how much that is, is
 * seen when the line is left. */
uint32_t ws_rrip_victim(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)use;
    uint32_t best = WS_CACHE_NONE;
    for (uint32_t way = 0; way < set->ways; way++)
        if (!ws_cache_is_locked(set, way) && (best == WS_CACHE_NONE || set->line[way] > set->line[best]))
            best = way;
    return best;
}

void ws_rrip_leave(const ws_cache_set *set, uint32_t way, ws_cache_end end)
{
    const uint32_t far = (1u << set->values[WS_RRIP_RRPV]) - 1, older = far - set->line[way];
    for (uint32_t other = 0; end.replaced && other < set->ways; other++)
        if (set->tag[other])
            set->line[other] = (uint8_t)(set->line[other] + older < far ? set->line[other] + older : far);
}
