/* at_once_internal.h - a load or store executed from request to answer in one step, with nothing else in flight. */
#ifndef WS_AT_ONCE_INTERNAL_H
#define WS_AT_ONCE_INTERNAL_H

#include "model/coherence/coherence_internal.h"

/* Messages by type and number of words they carry. */
typedef uint64_t ws_sent[WS_MESSAGE_COUNT][WS_COHERENCE_WORDS + 1];

/* Returns whether ws_at_once() supports the rows of the protocol and the configuration. */
bool ws_at_once_applies(const ws_coherence *c);

/* Leaves L1, slice and counts byte for byte as request, messages and DRAM would, and counts the messages. Returns false
 * without effect if the controllers must handle the request. `l2` is the block's slice. */
bool ws_at_once(const ws_coherence *c, void *l1, void *l2, const ws_request *request, uint64_t now, ws_sent sent);

#endif
