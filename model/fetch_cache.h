/* fetch_cache.h - do the caches of textures and constants of an SM have a line, and since when?
 *
 * Those of the machine whose time is in profiles (traffic_profile.h), with the least recently used line replaced. */
#ifndef WS_FETCH_CACHE_H
#define WS_FETCH_CACHE_H

#include "model/access_log.h"

typedef struct ws_fetch_cache ws_fetch_cache;

/* Both caches of so many SMs, empty. `times`: numbers that are kept with each line. WS_EMEM. */
int ws_fetch_cache_create(uint32_t sms, uint32_t times, ws_fetch_cache **out);
void ws_fetch_cache_destroy(ws_fetch_cache *cache); /* accepts NULL */

/* The line is used, `kind` is WS_LOG_TEXTURES or WS_LOG_CONSTANTS. Its numbers, [times], valid until the next call;
 * they are what the caller made of them unless *missing. */
uint64_t *ws_fetch_cache_use(ws_fetch_cache *cache, uint32_t sm, unsigned kind, uint64_t line, bool *missing);

#endif
