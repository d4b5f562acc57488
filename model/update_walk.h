/* update_walk.h - one-pass model of update buffers of several sizes, for accesses one by one.
 *
 * For profiles: one stack of lines per SM gives the hits of fully associative LRU buffers of all sizes (P. Dalmia's
 * local atomic buffers, 2023; distances: update_reuse.h). The words of the partial updates that leave are kept for each
 * size. */
#ifndef WS_UPDATE_WALK_H
#define WS_UPDATE_WALK_H

#include "model/traffic_profile.h"

typedef struct ws_update_walk ws_update_walk;

int ws_update_walk_create(uint32_t sms, ws_traffic_rung *to, ws_update_walk **out); /* WS_EMEM */
void ws_update_walk_destroy(ws_update_walk *walk);                                  /* accepts NULL */
/* Update of words of a line by an SM (code: ws_update_code). WS_EMEM. */
int ws_update_walk_see(ws_update_walk *walk, uint32_t sm, uint64_t line, uint32_t words, uint32_t code);
/* Sends all updates of the SM, at a fence and at the end. */
void ws_update_walk_flush(ws_update_walk *walk, uint32_t sm);

#endif
