/* cache_internal.h - rows of the tables of model/cache. */
#ifndef WS_CACHE_INTERNAL_H
#define WS_CACHE_INTERNAL_H

#include "model/cache/cache.h"

#define INDEX(name) extern const ws_cache_index ws_cache_index_##name;
#include "model/cache/cache_indices.def"
#undef INDEX
#define REPLACEMENT(name) extern const ws_cache_replacement ws_cache_replacement_##name;
#include "model/cache/cache_replacements.def"
#undef REPLACEMENT

/* Returns the largest prime below `limit`, or 0 if none. */
uint32_t ws_prime_below(uint32_t limit);

/* ws_cache_setup() for policies that are not in the tables. */
int ws_cache_build(ws_cache *cache, const ws_cache_index *index, const ws_cache_replacement *replacement,
                   const ws_cache_choice *choice, uint32_t sets, uint32_t ways, bool locks);

#endif
