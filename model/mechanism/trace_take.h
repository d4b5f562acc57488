/* trace_take.h - what sinks keep of each launch of a trace. */
#ifndef WS_TRACE_TAKE_H
#define WS_TRACE_TAKE_H

#include "collect/wst/wst.h"

/* Takes what a sink, the n-th, has kept of a launch: borrowed for the call. */
typedef int ws_take(void *context, const ws_launch *launch, size_t sink, void *kept);

/* All launches of a trace, in their order, on one thread, through `count` sinks. WS_EINTERRUPTED; else as of
 * ws_trace_replay_all and of `take`. */
int ws_trace_take(ws_trace *trace, const ws_sink *const *sinks, size_t count, ws_take *take, void *context);

#endif
