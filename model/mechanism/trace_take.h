/* trace_take.h - states of sinks for each launch of a trace. */
#ifndef WS_TRACE_TAKE_H
#define WS_TRACE_TAKE_H

#include "collect/wst/wst.h"

/* Receives the state of the n-th sink for a launch, borrowed for the call. */
typedef int ws_take(void *context, const ws_launch *launch, size_t sink, void *kept);

/* Replays all launches of a trace in order, on one thread, through `count` sinks. WS_EINTERRUPTED; otherwise fails as
 * ws_trace_replay_all and `take`. */
int ws_trace_take(ws_trace *trace, const ws_sink *const *sinks, size_t count, ws_take *take, void *context);

#endif
