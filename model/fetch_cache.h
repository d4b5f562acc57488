/* fetch_cache.h - texture and constant caches of SMs, with times kept per line.
 *
 * The caches are those of the machine of profile times (traffic_profile.h), with LRU replacement. */
#ifndef WS_FETCH_CACHE_H
#define WS_FETCH_CACHE_H

#include "model/access_log.h"

typedef struct ws_fetch_cache ws_fetch_cache;

/* Creates both caches for `sms` SMs, empty. `times` is the numbers kept with each line. WS_EMEM. */
int ws_fetch_cache_create(uint32_t sms, uint32_t times, ws_fetch_cache **out);
void ws_fetch_cache_destroy(ws_fetch_cache *cache); /* accepts NULL */

/* Accesses a line; `kind` is WS_LOG_TEXTURES or WS_LOG_CONSTANTS. Returns its numbers, [times], valid until the next
 * call. They are those that the caller stored, unless *missing. */
uint64_t *ws_fetch_cache_use(ws_fetch_cache *cache, uint32_t sm, unsigned kind, uint64_t line, bool *missing);

#endif
