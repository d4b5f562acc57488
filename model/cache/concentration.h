/* concentration.h - distribution of the lines of one load over the sets of a cache.
 *
 * Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, sections 3.1 and 3.3:
 * concentration is the lines of a load over the sets that they map to (1: each line has its own set). The maximum of a
 * set shows what the mean hides. The load itself evicts its lines beyond the ways of the set. */
#ifndef WS_CONCENTRATION_H
#define WS_CONCENTRATION_H

#include "model/cache/cache.h"

typedef struct ws_set_load {
    uint32_t lines, sets; /* distinct lines given; sets with at least one */
    uint32_t most;        /* lines of the fullest set */
    uint32_t excess;      /* lines beyond the ways of their sets */
} ws_set_load;

/* Computes the distribution. `in_set` has one number for each set of the cache, 0 before and after. */
ws_set_load ws_set_load_of(const ws_cache *cache, const uint64_t *line, size_t count, uint32_t *in_set);

/* Returns lines over sets; NaN without lines. */
double ws_concentration(const ws_set_load *load);

#endif
