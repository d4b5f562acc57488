/* traffic_activity.h - activity (model/activity.h) of caches, networks and memory from coherence models: requested
 * lines, tag lookups, messages by direction, memory bursts. */
#ifndef WS_TRAFFIC_ACTIVITY_H
#define WS_TRAFFIC_ACTIVITY_H

#include "model/activity.h"
#include "model/coherence/closed_form.h"
#include "model/coherence/replay.h"

/* Convert results. `bursts` is the memory bursts of a line, `hops` the mean hops of a flit. Numbers of closed forms are
 * rounded. */
void ws_closed_activity(const ws_closed_result *result, uint32_t bursts, ws_activity *out);
void ws_replay_activity(const ws_coherence_traffic *traffic, uint32_t bursts, double hops, ws_activity *out);

/* Adds the activity of the detector and the filters. */
void ws_race_activity(const ws_race_counts *races, ws_activity *activity);

/* Adds to such an activity of a launch the other contents of its profile: operations, units, registers, shared memory,
 * constants and textures (whose lines are in L2), and the `cycles` of the prediction. As many SMs as there are blocks
 * for are busy from the first block to the end. Lookups of lines become those of sectors if the machine has them. */
void ws_launch_activity(const ws_closed_machine *machine, const ws_traffic_profile *profile,
                        const ws_closed_result *prediction, ws_activity *activity);

#endif
