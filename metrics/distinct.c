/* distinct.c - how many different keys were there? */
#include "metrics/distinct.h"

#include "base/status.h"
#include "metrics/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 6, REGISTERS = 1 << WS_DISTINCT_BITS, RANKS = 64 - WS_DISTINCT_BITS };

void ws_distinct_fini(ws_distinct *set)
{
    free(set->key);
    free(set->rank);
    *set = (ws_distinct){0};
}

void ws_distinct_clear(ws_distinct *set)
{
    if (set->used)
        memset(set->key, 0, set->slots * sizeof *set->key);
    set->used = 0;
    free(set->rank);
    set->rank = NULL;
}

/* Rank of a hash: position of its first one behind the register bits. */
static void rank_key(uint8_t *rank, uint64_t key)
{
    const uint64_t hash = ws_tally_hash(key);
    const uint64_t rest = hash << WS_DISTINCT_BITS;
    const unsigned r = rest ? (unsigned)__builtin_clzll(rest) + 1 : RANKS + 1;
    uint8_t *const at = &rank[hash >> RANKS];
    *at = r > *at ? (uint8_t)r : *at;
}

static uint64_t *find(const ws_distinct *set, uint64_t key)
{
    size_t at = key * 0x9E3779B97F4A7C15u >> (64 - set->slot_bits);
    while (set->key[at] && set->key[at] != key + 1)
        at = (at + 1) & (set->slots - 1);
    return &set->key[at];
}

static int grow(ws_distinct *set)
{
    ws_distinct fresh = *set;
    fresh.slot_bits = set->slots ? set->slot_bits + 1 : FIRST_BITS;
    fresh.slots = (size_t)1 << fresh.slot_bits;
    fresh.key = calloc(fresh.slots, sizeof *fresh.key);
    if (!fresh.key)
        return ws_fail(WS_EMEM, "no memory for %zu distinct addresses", fresh.slots);
    for (size_t i = 0; i < set->slots; i++)
        if (set->key[i])
            *find(&fresh, set->key[i] - 1) = set->key[i];
    free(set->key);
    *set = fresh;
    return WS_OK;
}

/* From the exact set to the sketch of it. */
static int start_sketch(ws_distinct *set)
{
    set->rank = calloc(REGISTERS, sizeof *set->rank);
    if (!set->rank)
        return ws_fail(WS_EMEM, "no memory for a sketch of distinct addresses");
    for (size_t i = 0; i < set->slots; i++)
        if (set->key[i])
            rank_key(set->rank, set->key[i] - 1);
    free(set->key);
    set->key = NULL;
    set->slots = set->used = 0;
    return WS_OK;
}

int ws_distinct_add(ws_distinct *set, uint64_t key)
{
    if (set->rank) {
        rank_key(set->rank, key);
        return WS_OK;
    }
    if (set->used * 2 >= set->slots) {
        const int status = grow(set);
        if (status != WS_OK)
            return status;
    }
    uint64_t *const at = find(set, key);
    if (*at)
        return WS_OK;
    *at = key + 1;
    return ++set->used > WS_DISTINCT_EXACT ? start_sketch(set) : WS_OK;
}

int ws_distinct_merge(ws_distinct *into, const ws_distinct *from)
{
    int status = WS_OK;
    if (from->rank && !into->rank)
        status = start_sketch(into);
    if (from->rank && status == WS_OK)
        for (size_t i = 0; i < REGISTERS; i++)
            into->rank[i] = from->rank[i] > into->rank[i] ? from->rank[i] : into->rank[i];
    for (size_t i = 0; i < from->slots && status == WS_OK; i++)
        if (from->key[i])
            status = ws_distinct_add(into, from->key[i] - 1);
    return status;
}

/* Ertl 2017: sigma(x) = x + sum over k >= 1 of x^(2^k) 2^(k-1). */
static double sigma(double x)
{
    double z = x, y = 1, before;
    if (x == 1)
        return INFINITY;
    do {
        x *= x;
        before = z;
        z += x * y;
        y += y;
    } while (z != before);
    return z;
}

/* Ertl 2017: tau(x) = (1 - x - sum over k >= 1 of (1 - x^(2^-k))^2 2^-k) / 3. */
static double tau(double x)
{
    double z = 1 - x, y = 1, before;
    if (x == 0 || x == 1)
        return 0;
    do {
        x = sqrt(x);
        before = z;
        y /= 2;
        z -= (1 - x) * (1 - x) * y;
    } while (z != before);
    return z / 3;
}

double ws_distinct_count(const ws_distinct *set)
{
    if (!set->rank)
        return (double)set->used;
    size_t with[RANKS + 2] = {0};
    for (size_t i = 0; i < REGISTERS; i++)
        with[set->rank[i]]++;
    const double m = REGISTERS;
    double z = m * tau(1 - (double)with[RANKS + 1] / m);
    for (unsigned r = RANKS; r >= 1; r--)
        z = (z + (double)with[r]) / 2;
    z += m * sigma((double)with[0] / m);
    return rint(m * m / (2 * log(2) * z));
}
