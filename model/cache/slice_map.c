/* slice_map.c - how rounds of slices are scattered. */
#include "model/cache/slice_map.h"

#include "model/cache/cache.h"

bool ws_slice_map_scatter(ws_slice_map *map)
{
    enum { LEAST = 16, MOST = 1 << WS_SLICE_MAP_BITS };
    ws_cache_plan plan = {.sets = LEAST};
    while (plan.sets < map->slices && plan.sets < MOST)
        plan.sets *= 2;
    if (plan.sets < map->slices || plan.sets / 2 >= map->slices || !ws_cache_index_find("ipoly")->prepare(&plan, NULL))
        return false;
    map->scatter_bits = plan.bits;
    for (uint32_t i = 0; i < plan.bits; i++)
        map->scatter[i] = plan.value[i] >> plan.bits;
    return true;
}
