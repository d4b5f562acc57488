/* activity_sink.h - what a launch does whatever the clock: the rows of activity.def that a functional replay knows. */
#ifndef WS_ACTIVITY_SINK_H
#define WS_ACTIVITY_SINK_H

#include "collect/trace/sink.h"
#include "model/activity.h"
#include "model/machine/machine_declared.h"

/* The machine says which unit an instruction needs, how many banks registers and shared memory have, and how long lines
 * are. */
typedef struct ws_activity_count {
    const ws_machine *machine;
    ws_activity did; /* of launches that ended since it was zeroed */
} ws_activity_count;

/* A sink that adds to count->did; `count` must outlive it. One launch at a time. */
ws_sink ws_activity_sink(ws_activity_count *count);

#endif
