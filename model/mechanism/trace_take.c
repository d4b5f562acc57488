/* trace_take.c - see trace_take.h. */
#include "model/mechanism/trace_take.h"

#include "base/interrupt.h"
#include "base/status.h"
#include "model/mechanism/trace_walk.h"

typedef struct taker {
    ws_take *take;
    void *context;
} taker;

static int collect(void *context, const ws_launch *launch, size_t sink, void *kept)
{
    const taker *const t = context;
    return ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : t->take(t->context, launch, sink, kept);
}

int ws_trace_take(ws_trace *trace, const ws_sink *const *sinks, size_t count, ws_take *take, void *context)
{
    taker to = {.take = take, .context = context};
    return ws_trace_replay_all(
        trace, &(ws_replay){.sinks = sinks, .sink_count = count, .workers = 1, .collect = collect, .context = &to});
}
