/* fetch_cache.c - lines and their times, for each SM. */
#include "model/fetch_cache.h"

#include "base/status.h"
#include "model/traffic_profile.h"

#include <stdlib.h>
#include <string.h>

/* A set: its lines, most recent first, and where the numbers of each are. */
enum { MOST_WAYS = WS_PROFILE_TEXTURE_WAYS };
typedef struct set {
    uint64_t line[MOST_WAYS];
    uint8_t place[MOST_WAYS];
    uint8_t used;
} set;

static const struct {
    uint32_t sets, ways;
} sizes[WS_LOG_FETCHED] = {
    [WS_LOG_TEXTURES] = {WS_PROFILE_TEXTURE_SETS, WS_PROFILE_TEXTURE_WAYS},
    [WS_LOG_CONSTANTS] = {WS_PROFILE_CONSTANT_SETS, WS_PROFILE_CONSTANT_WAYS},
};

struct ws_fetch_cache {
    uint32_t times;
    set *set[WS_LOG_FETCHED];       /* [sms][sets] */
    uint64_t *time[WS_LOG_FETCHED]; /* [sms][sets][ways][times] */
};

int ws_fetch_cache_create(uint32_t sms, uint32_t times, ws_fetch_cache **out)
{
    ws_fetch_cache *const f = *out = calloc(1, sizeof *f);
    bool complete = f;
    for (unsigned kind = 0; kind < WS_LOG_FETCHED && complete; kind++) {
        const size_t sets = (size_t)sms * sizes[kind].sets;
        f->times = times;
        f->set[kind] = calloc(sets, sizeof **f->set);
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
        free(cache->set[kind]);
        free(cache->time[kind]);
    }
    free(cache);
}

uint64_t *ws_fetch_cache_use(ws_fetch_cache *cache, uint32_t sm, unsigned kind, uint64_t line, bool *missing)
{
    const size_t at = (size_t)sm * sizes[kind].sets + line % sizes[kind].sets;
    set *const s = &cache->set[kind][at];
    uint8_t depth = 0;
    while (depth < s->used && s->line[depth] != line)
        depth++;
    *missing = depth == s->used;
    if (*missing && s->used < sizes[kind].ways)
        s->place[s->used++] = depth; /* a new line at the end */
    else if (*missing)
        depth--; /* the last one makes room */
    const uint8_t place = s->place[depth];
    memmove(s->line + 1, s->line, depth * sizeof *s->line);
    memmove(s->place + 1, s->place, depth * sizeof *s->place);
    s->line[0] = line;
    s->place[0] = place;
    return cache->time[kind] + (at * sizes[kind].ways + place) * cache->times;
}
