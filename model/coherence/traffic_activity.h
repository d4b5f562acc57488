/* traffic_activity.h - what models of coherence say of caches, networks and memory, as activity of the machine
 * (model/activity.h): lines that were asked for, lookups of tags, messages by direction, bursts of memory. */
#ifndef WS_TRAFFIC_ACTIVITY_H
#define WS_TRAFFIC_ACTIVITY_H

#include "model/activity.h"
#include "model/coherence/closed_form.h"
#include "model/coherence/replay.h"

/* `bursts` of memory make a line. Numbers of closed forms are rounded to whole ones. `hops` that a flit makes, on
 * average. */
void ws_closed_activity(const ws_closed_result *result, uint32_t bursts, ws_activity *out);
void ws_replay_activity(const ws_coherence_traffic *traffic, uint32_t bursts, double hops, ws_activity *out);

/* Adds what detector and filters did. */
void ws_race_activity(const ws_race_counts *races, ws_activity *activity);

/* To what one of these says of a launch's caches, networks and memory, all else that its profile knows: operations,
 * units, registers, shared memory, constants and textures (lines of which L2 has); and of time the `cycles` of that
 * prediction. SMs are busy from the first block to the end, as many as there are blocks for; lookups of lines become
 * those of sectors where the machine has them. */
void ws_launch_activity(const ws_closed_machine *machine, const ws_traffic_profile *profile,
                        const ws_closed_result *prediction, ws_activity *activity);

#endif
