/* cache_policy_internal.h - what several replacement policies do alike: chance, predicted distances, duels of sets. */
#ifndef WS_CACHE_POLICY_INTERNAL_H
#define WS_CACHE_POLICY_INTERNAL_H

#include "base/mix.h"
#include "model/cache/cache_internal.h"

/* --- Chance: once in `epsilon` times, by the seed and how often it was asked. SplitMix64 (Steele, Lea, Flood 2014).
 * --- */

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
 * Re-Reference Interval Prediction (RRIP)", ISCA 2010. A byte for each line: 0 is used again soon, 2^rrpv - 1 is far.
 * Such policies differ in what a new line gets; their options begin with these. --- */

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

/* A new line: as far as can be, or one nearer. */
static inline void ws_rrip_put(const ws_cache_set *set, uint32_t way, bool last)
{
    set->line[way] = (uint8_t)((1u << set->values[WS_RRIP_RRPV]) - 1 - !last);
}

/* Members of ws_cache_replacement. */
void ws_rrip_hit(const ws_cache_set *set, uint32_t way, const ws_cache_use *use);
uint32_t ws_rrip_victim(const ws_cache_set *set, const ws_cache_use *use);
void ws_rrip_leave(const ws_cache_set *set, uint32_t way, ws_cache_end end);

/* --- A duel of sets: Qureshi, Jaleel, Patt, Steely, Emer, "Adaptive Insertion Policies for High Performance Caching",
 * ISCA 2007. Some sets always follow a first rule, as many a second one; a counter, one up for a miss in the former and
 * one down for one in the latter, says which of them the other sets follow. --- */

#define WS_OPTION_LEADERS \
    { \
        "leaders", "sets", 0, 0, 32768, "that follow each of both rules; 0: an eighth of all, 1 to 32" \
    }
#define WS_OPTION_PSEL \
    { \
        "psel", "bits", 10, 1, 30, "of the counter that chooses for the other sets" \
    }

typedef struct ws_duel {
    uint64_t asked; /* of chance */
    int32_t score;  /* the counter, less its start 2^(psel - 1) - 1: the second rule is better when it is above 0 */
    uint32_t padding;
} ws_duel;

/* WS_EINPUT: there are too few sets. */
int ws_duel_check(const char *name, uint64_t leaders, uint32_t sets);

/* What the rules of a duel say of a new line. */
typedef struct ws_duel_rules {
    uint64_t leaders, psel, epsilon, seed; /* options */
} ws_duel_rules;

/* A miss in the set: is its new line expected to be used last of all? Never by the first rule; by the second but for
 * once in epsilon times. */
bool ws_duel_puts_last(const ws_cache_set *set, const ws_duel_rules *rules);

#endif
