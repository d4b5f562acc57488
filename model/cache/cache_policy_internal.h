/* cache_policy_internal.h - what several replacement policies do alike: chance, predicted distances, duels of sets. */
#ifndef WS_CACHE_POLICY_INTERNAL_H
#define WS_CACHE_POLICY_INTERNAL_H

#include "model/cache/cache_internal.h"

/* --- Chance: once in `epsilon` times, by the seed and how often it was asked. SplitMix64 (Steele, Lea, Flood 2014). --- */

#define WS_OPTION_EPSILON \
    {"epsilon", "", 32, 1, 65536, "one new line in so many is kept longer than the others; 1: all are"}
#define WS_OPTION_SEED {"seed", "", 1, 0, UINT32_MAX, "which ones"}

static inline bool ws_chance(uint64_t *asked, uint64_t epsilon, uint64_t seed)
{
    uint64_t z = (seed << 32 ^ ++*asked) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % epsilon == 0;
}

/* --- Re-reference interval prediction: Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using
 * Re-Reference Interval Prediction (RRIP)", ISCA 2010. A byte for each line: 0 is used again soon, 2^rrpv - 1 is far. --- */

#define WS_OPTION_RRPV {"rrpv", "bits", 2, 1, 8, "of the predicted distance to the next use of a line"}
#define WS_OPTION_FREQUENCY \
    {"frequency", "", 0, 0, 1, "a hit brings its line 0: to distance 0 (hit priority); 1: nearer by one (frequency priority)"}

static inline uint8_t ws_rrip_far(uint64_t bits)
{
    return (uint8_t)((1u << bits) - 1);
}

static inline void ws_rrip_hit(const ws_cache_set *set, uint32_t way, bool frequency)
{
    if (set->line[way])
        set->line[way] = frequency ? (uint8_t)(set->line[way] - 1) : 0;
}

/* The first of those that are farthest. The paper makes all lines older by one until one is far; how much that is, is seen
 * when the line is left. */
static inline uint32_t ws_rrip_victim(const ws_cache_set *set)
{
    uint32_t best = WS_CACHE_NONE;
    for (uint32_t way = 0; way < set->ways; way++)
        if (!ws_cache_is_locked(set, way) && (best == WS_CACHE_NONE || set->line[way] > set->line[best]))
            best = way;
    return best;
}

static inline void ws_rrip_leave(const ws_cache_set *set, uint32_t way, ws_cache_end end, uint8_t far)
{
    const uint32_t older = far - set->line[way];
    for (uint32_t other = 0; end.replaced && other < set->ways; other++)
        if (set->tag[other])
            set->line[other] = (uint8_t)(set->line[other] + older < far ? set->line[other] + older : far);
}

/* --- A duel of sets: Qureshi, Jaleel, Patt, Steely, Emer, "Adaptive Insertion Policies for High Performance Caching", ISCA
 * 2007. Some sets always follow a first rule, as many a second one; a counter, one up for a miss in the former and one down
 * for one in the latter, says which of them the other sets follow. --- */

#define WS_OPTION_LEADERS {"leaders", "sets", 0, 0, 32768, "that follow each of both rules; 0: an eighth of all, 1 to 32"}
#define WS_OPTION_PSEL    {"psel", "bits", 10, 1, 30, "of the counter that chooses for the other sets"}

typedef struct ws_duel {
    uint64_t asked; /* of chance */
    int32_t score;  /* the counter, less its start 2^(psel - 1) - 1: the second rule is better when it is above 0 */
    uint32_t padding;
} ws_duel;

typedef enum ws_duel_side { WS_DUEL_FOLLOWS, WS_DUEL_FIRST, WS_DUEL_SECOND } ws_duel_side;

static inline uint32_t ws_duel_leaders(uint64_t given, uint32_t sets)
{
    const uint32_t eighth = sets / 8 < 1 ? 1 : sets / 8 > 32 ? 32 : sets / 8;
    return given ? (uint32_t)given : eighth;
}

/* WS_EINPUT: there are too few sets. */
int ws_duel_check(const char *name, uint64_t leaders, uint32_t sets);

/* Sets are cut into as many groups of neighbours as there are leaders; a group has one of each, at places that differ from
 * group to group. */
static inline ws_duel_side ws_duel_side_of(const ws_cache_set *set, uint64_t given)
{
    const uint32_t leaders = ws_duel_leaders(given, set->sets), size = set->sets / leaders;
    const uint32_t group = set->number / size, place = set->number % size;
    if (group >= leaders)
        return WS_DUEL_FOLLOWS;
    return place == group % size                ? WS_DUEL_FIRST
           : place == (group + size / 2) % size ? WS_DUEL_SECOND
                                                : WS_DUEL_FOLLOWS;
}

/* A miss in the set: does its new line follow the second rule? */
static inline bool ws_duel_second(const ws_cache_set *set, uint64_t given, uint64_t psel)
{
    ws_duel *const duel = set->shared;
    const int32_t half = (int32_t)(1u << (psel - 1));
    const ws_duel_side side = ws_duel_side_of(set, given);
    if (side == WS_DUEL_FIRST && duel->score < half)
        duel->score++;
    if (side == WS_DUEL_SECOND && duel->score > 1 - half)
        duel->score--;
    return side == WS_DUEL_SECOND || (side == WS_DUEL_FOLLOWS && duel->score > 0);
}

#endif
