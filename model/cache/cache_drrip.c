/* cache_drrip.c - srrip or brrip, whichever misses less in a few sets that always follow it.
 *
 * The dynamic policy of Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using Re-Reference Interval
 * Prediction (RRIP)", ISCA 2010. */
#include "model/cache/cache_policy_internal.h"

enum { LEADERS = WS_RRIP_OPTIONS, PSEL, EPSILON, SEED };
static const ws_option options[] = {
    [WS_RRIP_RRPV] = WS_OPTION_RRPV, [WS_RRIP_FREQUENCY] = WS_OPTION_FREQUENCY,
    [LEADERS] = WS_OPTION_LEADERS,   [PSEL] = WS_OPTION_PSEL,
    [EPSILON] = WS_OPTION_EPSILON,   [SEED] = WS_OPTION_SEED,
    {NULL, NULL, 0, 0, 0, NULL},
};

static int configure(const uint64_t *values, uint32_t sets, uint32_t ways)
{
    (void)ways;
    return ws_duel_check("drrip", values[LEADERS], sets);
}

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    const uint64_t *const v = set->values;
    ws_rrip_put(set, way, ws_duel_puts_last(set, &(ws_duel_rules){v[LEADERS], v[PSEL], v[EPSILON], v[SEED]}));
}

const ws_cache_replacement ws_cache_replacement_drrip = {
    .name = "drrip",
    .summary = "srrip or brrip, whichever misses less in a few sets that always follow it",
    .options = options,
    .configure = configure,
    .cache_bytes = sizeof(ws_duel),
    .line_bytes = 1,
    .insert = insert,
    .hit = ws_rrip_hit,
    .victim = ws_rrip_victim,
    .leave = ws_rrip_leave,
};
