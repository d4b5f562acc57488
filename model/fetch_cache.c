/* fetch_cache.c - lines and their times, for each SM. */
#include "model/fetch_cache.h"

#include "base/lru.h"
#include "model/traffic_profile.h"

#include <stdlib.h>

static const struct {
    uint32_t sets, ways;
} sizes[WS_LOG_FETCHED] = {
    [WS_LOG_TEXTURES] = {WS_PROFILE_TEXTURE_SETS, WS_PROFILE_TEXTURE_WAYS},
    [WS_LOG_CONSTANTS] = {WS_PROFILE_CONSTANT_SETS, WS_PROFILE_CONSTANT_WAYS},
};

struct ws_fetch_cache {
    uint32_t sms, times;
    ws_lru *set[WS_LOG_FETCHED];    /* [sms][sets] */
    uint64_t *time[WS_LOG_FETCHED]; /* [sms][sets][times at the places of lines] */
};

int ws_fetch_cache_create(uint32_t sms, uint32_t times, ws_fetch_cache **out)
{
    ws_fetch_cache *const f = *out = calloc(1, sizeof *f);
    bool complete = f;
    for (unsigned kind = 0; kind < WS_LOG_FETCHED && complete; kind++) {
        const size_t sets = (size_t)sms * sizes[kind].sets;
        f->sms = sms;
        f->times = times;
        f->set[kind] = ws_lru_sets_create(sets, sizes[kind].ways);
        f->time[kind] = calloc(sets * sizes[kind].ways, times * sizeof **f->time);
        complete = f->set[kind] && f->time[kind];
    }
    if (complete)
        return WS_OK;
    ws_fetch_cache_destroy(f);
    *out = NULL;
    return ws_fail(WS_EMEM, "no memory for caches of textures and constants");
}

void ws_fetch_cache_destroy(ws_fetch_cache *cache)
{
    if (!cache)
        return;
    for (unsigned kind = 0; kind < WS_LOG_FETCHED; kind++) {
        ws_lru_sets_destroy(cache->set[kind]);
        free(cache->time[kind]);
    }
    free(cache);
}

uint64_t *ws_fetch_cache_use(ws_fetch_cache *cache, uint32_t sm, unsigned kind, uint64_t line, bool *missing)
{
    const size_t at = (size_t)sm * sizes[kind].sets + line % sizes[kind].sets;
    ws_lru *const set = &cache->set[kind][at];
    uint64_t distance;
    ws_lru_use(set, line, &distance);
    *missing = distance == WS_LRU_FAR;
    return cache->time[kind] + (at * sizes[kind].ways + ws_lru_first(set)) * cache->times;
}
