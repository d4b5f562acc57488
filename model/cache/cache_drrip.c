/* cache_drrip.c - srrip or brrip, whichever misses less in a few sets that always follow it.
 *
 * The dynamic policy of Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using Re-Reference Interval
 * Prediction (RRIP)", ISCA 2010. */
#include "model/cache/cache_policy_internal.h"

enum { RRPV, FREQUENCY, LEADERS, PSEL, EPSILON, SEED };
static const ws_option options[] = {
    [RRPV] = WS_OPTION_RRPV,
    [FREQUENCY] = WS_OPTION_FREQUENCY,
    [LEADERS] = WS_OPTION_LEADERS,
    [PSEL] = WS_OPTION_PSEL,
    [EPSILON] = WS_OPTION_EPSILON,
    [SEED] = WS_OPTION_SEED,
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
    ws_duel *const duel = set->shared;
    const uint64_t *const v = set->values;
    const bool last =
        ws_duel_second(set, v[LEADERS], v[PSEL]) && !ws_chance(&duel->asked, v[EPSILON], v[SEED]);
    set->line[way] = (uint8_t)(ws_rrip_far(v[RRPV]) - !last);
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

const ws_cache_replacement ws_cache_replacement_drrip = {
    .name = "drrip",
    .summary = "srrip or brrip, whichever misses less in a few sets that always follow it",
    .options = options,
    .configure = configure,
    .cache_bytes = sizeof(ws_duel),
    .line_bytes = 1,
    .insert = insert,
    .hit = hit,
    .victim = victim,
    .leave = leave,
};
