/* log_replay.h - functional replay of the accesses of a launch, in the order of access_order.h. */
#ifndef WS_LOG_REPLAY_H
#define WS_LOG_REPLAY_H

#include "model/access_log.h"
#include "model/coherence/replay.h"

/* Replays one launch and its end. `residents` blocks fit into an SM. *now is its start on entry, its end on return. */
int ws_log_replay(ws_coherence_replay *replay, const ws_access_log *log, uint32_t sms, uint32_t residents,
                  uint64_t *now);

#endif
