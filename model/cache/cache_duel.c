/* cache_duel.c - which of two rules does a set follow? */
#include "model/cache/cache_policy_internal.h"

#include "base/status.h"

typedef enum side { FOLLOWS, FIRST, SECOND } side;

static uint32_t leaders_of(uint64_t given, uint32_t sets)
{
    const uint32_t eighth = sets / 8 < 1 ? 1 : sets / 8 > 32 ? 32 : sets / 8;
    return given ? (uint32_t)given : eighth;
}

/* Sets are cut into as many groups of neighbours as there are leaders; a group has one of each, at places that differ
 * from group to group. */
static side place_of(const ws_cache_set *set, uint64_t given)
{
    const uint32_t leaders = leaders_of(given, set->sets), size = set->sets / leaders;
    const uint32_t group = set->number / size, place = set->number % size;
    if (group >= leaders)
        return FOLLOWS;
    return place == group % size ? FIRST : place == (group + size / 2) % size ? SECOND : FOLLOWS;
}

/* A miss in the set: does its new line follow the second rule? */
static bool follows_second(const ws_cache_set *set, uint64_t given, uint64_t psel)
{
    ws_duel *const duel = set->shared;
    const int32_t half = (int32_t)(1u << (psel - 1));
    const side of = place_of(set, given);
    if (of == FIRST && duel->score < half)
        duel->score++;
    if (of == SECOND && duel->score > 1 - half)
        duel->score--;
    return of == SECOND || (of == FOLLOWS && duel->score > 0);
}

bool ws_duel_puts_last(const ws_cache_set *set, const ws_duel_rules *rules)
{
    ws_duel *const duel = set->shared;
    return follows_second(set, rules->leaders, rules->psel) && !ws_chance(&duel->asked, rules->epsilon, rules->seed);
}

int ws_duel_check(const char *name, uint64_t leaders, uint32_t sets)
{
    if (sets < 2)
        return ws_fail(WS_EINPUT, "%s uses set dueling: expected at least 2 sets, there is %u", name, sets);
    if (leaders > sets / 2)
        return ws_fail(WS_EINPUT, "leaders is %llu, expected at most half of the %u sets for each rule of %s, or 0",
                       (unsigned long long)leaders, sets, name);
    return WS_OK;
}
