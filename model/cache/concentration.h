/* concentration.h - how do the lines of one load spread over the sets of a cache?
 *
 * Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, sections 3.1 and 3.3:
 * concentration is lines of a load over the sets that they fall into (1: each has its own), balance compares sets with
 * random ones over a whole program. The most in one set says what the mean hides; what it has beyond the ways of the
 * set, the load itself pushes out. */
#ifndef WS_CONCENTRATION_H
#define WS_CONCENTRATION_H

#include "model/cache/cache.h"

typedef struct ws_set_load {
    uint32_t lines, sets; /* distinct lines were given; sets that got some of them */
    uint32_t most;        /* in one set */
    uint32_t excess;      /* beyond the ways of their sets */
} ws_set_load;

/* `in_set`: room for a number for each set of the cache, 0 before and after. */
ws_set_load ws_set_load_of(const ws_cache *cache, const uint64_t *line, size_t count, uint32_t *in_set);

/* Lines over sets; NaN without lines. */
double ws_concentration(const ws_set_load *load);

/* Of accesses to each set: 1 as random ones would be, more where some sets have too many. Kharbutli, Irwin, Solihin,
 * Lee, "Using Prime Numbers for Cache Indexing to Eliminate Conflict Misses", HPCA 2004, equation 1. NaN without
 * accesses. */
double ws_set_balance(const uint64_t *accesses, uint32_t sets);

/* --- In closed form, for indices whose bits are sums of bits of the block --- */

enum { WS_INDEX_BITS = 48 }; /* of a block, that are looked at */

/* column[i]: what bit i of a block changes in its set. */
typedef struct ws_index_matrix {
    uint32_t column[WS_INDEX_BITS];
} ws_index_matrix;

/* The matrix of the cache's index, found by asking it; false: it has none, for it is no sum of bits (all pairs of bits
 * and some blocks of many are tried). */
bool ws_index_matrix_of(const ws_cache *cache, ws_index_matrix *out);

/* Lines that each touched set gets of the 2^count lines first + any sum of the basis, which have distinct blocks and do
 * not carry: 2^(count - rank). It is their concentration and the most in one set. A stride of 2^s lines over 2^n lanes,
 * from a multiple of 2^(s + n), has the basis 2^s, ..., 2^(s + n - 1). */
uint32_t ws_index_concentration(const ws_index_matrix *matrix, const uint64_t *basis, unsigned count);

#endif
