/* update_walk.h - what do buffers of updates of several sizes keep, of accesses that come one by one?
 *
 * For profiles: one stack of lines an SM tells for fully associative LRU buffers of all sizes what they hit (P.
 * Dalmia's local atomic buffers, 2023; distances: update_reuse.h), and for each size the words of the partial updates
 * that leave are kept beside. */
#ifndef WS_UPDATE_WALK_H
#define WS_UPDATE_WALK_H

#include "model/traffic_profile.h"

typedef struct ws_update_walk ws_update_walk;

int ws_update_walk_create(uint32_t sms, ws_traffic_rung *to, ws_update_walk **out); /* WS_EMEM */
void ws_update_walk_destroy(ws_update_walk *walk);                                  /* accepts NULL */
/* An SM's update of words of a line (code: ws_update_code). WS_EMEM. */
int ws_update_walk_see(ws_update_walk *walk, uint32_t sm, uint64_t line, uint32_t words, uint32_t code);
/* All that the SM has leaves: at a fence, and at the end. */
void ws_update_walk_flush(ws_update_walk *walk, uint32_t sm);

#endif
