/* concentration.c - sets that a load touches, counted and by rank. */
#include "model/cache/concentration.h"

#include <math.h>

ws_set_load ws_set_load_of(const ws_cache *cache, const uint64_t *line, size_t count, uint32_t *in_set)
{
    ws_set_load load = {.lines = (uint32_t)count};
    for (size_t i = 0; i < count; i++) {
        const uint32_t n = ++in_set[ws_cache_set_of(cache, line[i])];
        load.sets += n == 1;
        load.most = n > load.most ? n : load.most;
        load.excess += n > cache->ways;
    }
    for (size_t i = 0; i < count; i++)
        in_set[ws_cache_set_of(cache, line[i])] = 0;
    return load;
}

double ws_concentration(const ws_set_load *load)
{
    return load->sets ? (double)load->lines / load->sets : NAN;
}

double ws_set_balance(const uint64_t *accesses, uint32_t sets)
{
    double sum = 0, all = 0;
    for (uint32_t i = 0; i < sets; i++) {
        const double n = (double)accesses[i];
        sum += n * (n + 1) / 2;
        all += n;
    }
    return all > 0 ? sum / (all / (2.0 * sets) * (all + 2.0 * sets - 1)) : NAN;
}

/* --- In closed form --- */

static uint32_t product(const ws_index_matrix *matrix, uint64_t block)
{
    uint32_t set = 0;
    for (; block; block &= block - 1)
        set ^= matrix->column[__builtin_ctzll(block)];
    return set;
}

bool ws_index_matrix_of(const ws_cache *cache, ws_index_matrix *out)
{
    enum { TRIED = 256 };
    const uint64_t bits = (UINT64_C(1) << WS_INDEX_BITS) - 1;
    for (unsigned i = 0; i < WS_INDEX_BITS; i++)
        out->column[i] = ws_cache_set_of(cache, UINT64_C(1) << i);
    if (ws_cache_set_of(cache, 0))
        return false;
    for (unsigned i = 0; i < WS_INDEX_BITS; i++)
        for (unsigned k = 0; k < i; k++) {
            const uint64_t pair = UINT64_C(1) << i | UINT64_C(1) << k;
            if (ws_cache_set_of(cache, pair) != product(out, pair))
                return false;
        }
    /* Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4. */
    for (uint64_t n = 1; n <= TRIED; n++) {
        const uint64_t block = n * UINT64_C(0x9e3779b97f4a7c15) >> (64 - WS_INDEX_BITS) & bits;
        if (ws_cache_set_of(cache, block) != product(out, block))
            return false;
    }
    return true;
}

uint32_t ws_index_concentration(const ws_index_matrix *matrix, const uint64_t *basis, unsigned count)
{
    uint32_t leading[32] = {0}; /* reduced sets by their highest bit */
    unsigned rank = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t set = product(matrix, basis[i]);
        while (set && leading[31 - __builtin_clz(set)])
            set ^= leading[31 - __builtin_clz(set)];
        if (set)
            leading[31 - __builtin_clz(set)] = set;
        rank += set != 0;
    }
    return UINT32_C(1) << (count - rank);
}
