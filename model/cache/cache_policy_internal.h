/* cache_policy_internal.h - shared parts of replacement policies: chance, re-reference prediction, set dueling. */
#ifndef WS_CACHE_POLICY_INTERNAL_H
#define WS_CACHE_POLICY_INTERNAL_H

#include "base/mix.h"
#include "model/cache/cache_internal.h"

/* --- Chance: true once in `epsilon` calls, from the seed and the number of calls. SplitMix64 (Steele, Lea, Flood
 * 2014). --- */

#define WS_OPTION_EPSILON \
    { \
        "epsilon", "", 32, 1, 65536, "one new line in so many is kept longer than the others; 1: all are" \
    }
#define WS_OPTION_SEED \
    { \
        "seed", "", 1, 0, UINT32_MAX, "which ones" \
    }

static inline bool ws_chance(uint64_t *asked, uint64_t epsilon, uint64_t seed)
{
    return ws_mix((seed << 32 ^ ++*asked) * WS_MIX_STEP) % epsilon == 0;
}

/* --- Re-reference interval prediction: Jaleel, Theobald, Steely, Emer, "High Performance Cache Replacement Using
 * Re-Reference Interval Prediction (RRIP)", ISCA 2010. One byte per line: 0 predicts a near reuse, 2^rrpv - 1 a distant
 * one. Such policies differ in the prediction of a new line; their options begin with these. --- */

enum { WS_RRIP_RRPV, WS_RRIP_FREQUENCY, WS_RRIP_OPTIONS };
#define WS_OPTION_RRPV \
    { \
        "rrpv", "bits", 2, 1, 8, "of the predicted distance to the next use of a line" \
    }
#define WS_OPTION_FREQUENCY \
    { \
        "frequency", "", 0, 0, 1, \
            "a hit brings its line 0: to distance 0 (hit priority); 1: nearer by one (frequency priority)" \
    }

/* Sets the prediction of a new line: the most distant if `last`, otherwise one nearer. */
static inline void ws_rrip_put(const ws_cache_set *set, uint32_t way, bool last)
{
    set->line[way] = (uint8_t)((1u << set->values[WS_RRIP_RRPV]) - 1 - !last);
}

/* Members of ws_cache_replacement. */
void ws_rrip_hit(const ws_cache_set *set, uint32_t way, const ws_cache_use *use);
uint32_t ws_rrip_victim(const ws_cache_set *set, const ws_cache_use *use);
void ws_rrip_leave(const ws_cache_set *set, uint32_t way, ws_cache_end end);

/* --- Set dueling: Qureshi, Jaleel, Patt, Steely, Emer, "Adaptive Insertion Policies for High Performance Caching",
 * ISCA 2007. Some leader sets follow a first rule, as many follow a second. A counter, incremented for a miss in the
 * former and decremented for one in the latter, selects the rule of all other sets. --- */

#define WS_OPTION_LEADERS \
    { \
        "leaders", "sets", 0, 0, 32768, "that follow each of both rules; 0: an eighth of all, 1 to 32" \
    }
#define WS_OPTION_PSEL \
    { \
        "psel", "bits", 10, 1, 30, "of the counter that chooses for the other sets" \
    }

typedef struct ws_duel {
    uint64_t asked; /* calls of chance */
    int32_t score;  /* counter minus its start 2^(psel - 1) - 1; above 0 the second rule is better */
    uint32_t padding;
} ws_duel;

/* WS_EINPUT for too few sets. */
int ws_duel_check(const char *name, uint64_t leaders, uint32_t sets);

/* Rules of a duel for new lines. */
typedef struct ws_duel_rules {
    uint64_t leaders, psel, epsilon, seed; /* options */
} ws_duel_rules;

/* Returns whether the new line after a miss in the set gets the most distant prediction. The first rule never does so,
 * the second always except once in epsilon times. */
bool ws_duel_puts_last(const ws_cache_set *set, const ws_duel_rules *rules);

#endif
