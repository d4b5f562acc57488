/* at_once_internal.h - a load or store from request to answer in one go, where nothing else is in flight. */
#ifndef WS_AT_ONCE_INTERNAL_H
#define WS_AT_ONCE_INTERNAL_H

#include "model/coherence/coherence_internal.h"

/* Messages by type and number of words that they carry. */
typedef uint64_t ws_sent[WS_MESSAGE_COUNT][WS_COHERENCE_WORDS + 1];

/* Whether the protocol's rows and the configuration are ones for which ws_at_once knows what they come to. */
bool ws_at_once_applies(const ws_coherence *c);

/* Leaves L1, slice and counts as request, messages and DRAM would, byte for byte, and counts the messages. False:
 * nothing was done, it is one for the controllers. `l2` is the block's slice. */
bool ws_at_once(const ws_coherence *c, void *l1, void *l2, const ws_request *request, uint64_t now, ws_sent sent);

#endif
