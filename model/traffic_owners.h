/* traffic_owners.h - messages of a directory of owners and readers (docs/coherence.md, MESI) for the accesses of a
 * launch.
 *
 * It is separate from traffic_walk.c because stores here bring lines into an L1 and invalidate those of other SMs.
 * Accesses are walked twice: with memory that takes no time, and by the clock WS_TIME_OWN, in which a line in transit
 * to an owner blocks all other requests for it. */
#ifndef WS_TRAFFIC_OWNERS_H
#define WS_TRAFFIC_OWNERS_H

#include "model/access_log.h"
#include "model/traffic_profile.h"

typedef struct ws_traffic_owners ws_traffic_owners;

/* Creates a directory. WS_EMEM; WS_EUNSUPPORTED for more than 64 SMs, as the directory has one bit for each. */
int ws_traffic_owners_create(uint32_t sms, ws_traffic_owners **out);
int ws_traffic_owners_clone(const ws_traffic_owners *from, ws_traffic_owners **out);
void ws_traffic_owners_destroy(ws_traffic_owners *owners); /* accepts NULL */

/* Walks a launch and fills `owner` of the rung. The directory keeps its lines between launches. */
int ws_traffic_owners_run(ws_traffic_owners *owners, const ws_access_log *log, uint32_t residents,
                          ws_traffic_rung *out);

#endif
