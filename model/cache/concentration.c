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
