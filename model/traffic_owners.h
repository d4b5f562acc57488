/* traffic_owners.h - what would a directory of owners and readers (docs/coherence.md, MESI) send for the accesses of a
 * launch?
 *
 * Beside traffic_walk.c, as stores bring lines into an L1 here, and take them away from others. Walked twice: as if
 * memory took no time, and by the clock WS_TIME_OWN, in which a line on its way to an owner keeps all others waiting.
 */
#ifndef WS_TRAFFIC_OWNERS_H
#define WS_TRAFFIC_OWNERS_H

#include "model/access_log.h"
#include "model/traffic_profile.h"

typedef struct ws_traffic_owners ws_traffic_owners;

/* WS_EMEM; WS_EUNSUPPORTED for more than 64 SMs: the directory has a bit for each. */
int ws_traffic_owners_create(uint32_t sms, ws_traffic_owners **out);
int ws_traffic_owners_clone(const ws_traffic_owners *from, ws_traffic_owners **out);
void ws_traffic_owners_destroy(ws_traffic_owners *owners); /* accepts NULL */

/* A launch: fills `owner` of the rung. The directory keeps its lines from one launch to the next. */
int ws_traffic_owners_run(ws_traffic_owners *owners, const ws_access_log *log, uint32_t residents,
                          ws_traffic_rung *out);

#endif
