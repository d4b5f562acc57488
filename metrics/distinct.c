/* distinct.c - how many different keys were there? */
#include "metrics/distinct.h"

#include "base/mix.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

enum { REGISTERS = 1 << WS_DISTINCT_BITS, RANKS = 64 - WS_DISTINCT_BITS };

void ws_distinct_fini(ws_distinct *set)
{
    ws_table_fini(&set->keys);
    free(set->rank);
    *set = (ws_distinct){0};
}

void ws_distinct_clear(ws_distinct *set)
{
    ws_table_clear(&set->keys);
    free(set->rank);
    set->rank = NULL;
}

/* Rank of a hash: position of its first one behind the register bits. */
static void rank_key(uint8_t *rank, uint64_t key)
{
    const uint64_t hash = ws_hash(key);
    const uint64_t rest = hash << WS_DISTINCT_BITS;
    const unsigned r = rest ? (unsigned)__builtin_clzll(rest) + 1 : RANKS + 1;
    uint8_t *const at = &rank[hash >> RANKS];
    *at = r > *at ? (uint8_t)r : *at;
}

/* From the exact set to the sketch of it. */
static int start_sketch(ws_distinct *set)
{
    set->rank = calloc(REGISTERS, sizeof *set->rank);
    if (!set->rank)
        return ws_fail(WS_EMEM, "no memory for a sketch of distinct addresses");
    uint64_t key;
    for (size_t i = 0; ws_table_next(&set->keys, &i, &key); i++)
        rank_key(set->rank, key);
    ws_table_fini(&set->keys);
    return WS_OK;
}

int ws_distinct_add(ws_distinct *set, uint64_t key)
{
    if (set->rank) {
        rank_key(set->rank, key);
        return WS_OK;
    }
    size_t slot;
    const int status = ws_table_add(&set->keys, key, &slot);
    if (status)
        return ws_fail(WS_EMEM, "no memory for %zu distinct addresses", 2 * set->keys.slots);
    return set->keys.used > WS_DISTINCT_EXACT ? start_sketch(set) : WS_OK;
}

int ws_distinct_merge(ws_distinct *into, const ws_distinct *from)
{
    int status = WS_OK;
    if (from->rank && !into->rank)
        status = start_sketch(into);
    if (from->rank && status == WS_OK)
        for (size_t i = 0; i < REGISTERS; i++)
            into->rank[i] = from->rank[i] > into->rank[i] ? from->rank[i] : into->rank[i];
    uint64_t key;
    for (size_t i = 0; status == WS_OK && ws_table_next_apart(&from->keys, &i, &key); i++)
        status = ws_distinct_add(into, key);
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
        return (double)set->keys.used;
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
