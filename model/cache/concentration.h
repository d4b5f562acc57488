/* concentration.h - how do the lines of one load spread over the sets of a cache?
 *
 * Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015, sections 3.1 and 3.3:
 * concentration is lines of a load over the sets that they fall into (1: each has its own). The most in one set says
 * what the mean hides; what it has beyond the ways of the set, the load itself pushes out. */
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

#endif
