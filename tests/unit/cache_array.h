/* cache_array.h - a cache's array by hand, and accesses as a cache makes them. */
#ifndef TESTS_CACHE_ARRAY_H
#define TESTS_CACHE_ARRAY_H

#include "base/status.h"
#include "model/cache/cache_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A cache with its memory. */
typedef struct array {
    ws_cache cache;
    void *memory;
} array;

static inline int try_array(array *a, const char *name, const ws_given *given, uint32_t sets, uint32_t ways)
{
    size_t count = 0;
    while (given && given[count].name)
        count++;
    const ws_cache_choice choice = {.replacement = name, .given = given, .count = count};
    a->memory = NULL;
    const int rc = ws_cache_setup(&a->cache, &choice, sets, ways, true);
    if (rc)
        return rc;
    a->memory = malloc(a->cache.bytes);
    memset(a->memory, 0xa5, a->cache.bytes);
    ws_cache_init(&a->cache, a->memory);
    return WS_OK;
}

static inline array make_array(const char *name, const ws_given *given, uint32_t sets, uint32_t ways)
{
    array a;
    if (try_array(&a, name, given, sets, ways))
        fail_msg("%s", ws_message());
    return a;
}

/* An access as a cache makes it: the line that the block is in afterwards, or NONE or BYPASS. */
static inline uint32_t use_as(array *a, ws_cache_use use, bool *hit)
{
    uint32_t line = ws_cache_find(&a->cache, a->memory, use.block);
    *hit = line != WS_CACHE_NONE;
    use.waits = !*hit;
    if (*hit) {
        ws_cache_touch(&a->cache, a->memory, line, &use);
        return line;
    }
    line = ws_cache_choose(&a->cache, a->memory, &use, NULL);
    if (line != WS_CACHE_NONE)
        ws_cache_miss(&a->cache, a->memory, &use);
    if (line == WS_CACHE_BYPASS)
        ws_cache_pass(&a->cache, a->memory, &use);
    if (line == WS_CACHE_BYPASS || line == WS_CACHE_NONE)
        return line;
    ws_cache_drop(&a->cache, a->memory, line, (ws_cache_end){.replaced = true});
    ws_cache_put(&a->cache, a->memory, line, &use);
    return line;
}

#endif
