/* activity_sink.h - clock-independent activity of a launch: the rows of activity.def that a functional replay can
 * count. */
#ifndef WS_ACTIVITY_SINK_H
#define WS_ACTIVITY_SINK_H

#include "collect/trace/sink.h"
#include "model/activity.h"
#include "model/machine/machine_declared.h"

/* Count of activity. The machine gives the units of instructions, the banks of registers and shared memory, and the
 * sizes of lines. */
typedef struct ws_activity_count {
    const ws_machine *machine;
    ws_activity did; /* of launches that ended since it was zeroed */
} ws_activity_count;

/* Returns a sink that adds to count->did; `count` must outlive it. One launch at a time. */
ws_sink ws_activity_sink(ws_activity_count *count);

#endif
